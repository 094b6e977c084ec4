import { v4 } from 'uuid'
import { uuidIn } from '../../../platform/typeid.ts'

/**
 * The `sourceReference` of a key. EcoCash asks for a UUID of version 4, and a key contains one of version 7: only the digit of the version
 * changes, so that different keys have different references.
 */
export const referenceOf = (key: string): string =>
  v4({ random: Buffer.from(uuidIn(key).replaceAll('-', ''), 'hex') })
