import type { PaymentId } from '@muripo/contract/ids'
import { uuidOf } from '../../platform/ids.ts'
import { everything, type Range } from './range.ts'

/** What the text of a search says about the ids that contain it; null when none can. */
export interface Searched {
  /** When the id was made, for its first ten characters are the time: in milliseconds since 1970. */
  readonly made: Range
  /** Both ends included. */
  readonly ids: { readonly least: string; readonly most: string } | null
  /** To be looked for anywhere in the 26 characters after the prefix. */
  readonly fragment: string | null
}

const start = 'pay_'
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 26
const timeLength = 10

const all: Searched = { made: everything, ids: null, fragment: null }

/** An id is searched for in any case and by any part of it, "pay_" included. */
export function readSearch(text: string): Searched | null {
  const part = text.trim().toLowerCase()
  if (start.includes(part)) return all
  const split = part.indexOf('_')
  if (split >= 0)
    return start.endsWith(part.slice(0, split + 1)) ? beginningWith(part.slice(split + 1)) : null
  if (part.length > length || [...part].some((letter) => !alphabet.includes(letter))) return null
  if (part.length === length) return beginningWith(part)
  return { ...all, fragment: part }
}

function beginningWith(head: string): Searched | null {
  if (head.length > length || !/^[0-7]/.test(head) || [...head].some((letter) => !alphabet.includes(letter)))
    return null
  const time = head.slice(0, timeLength)
  const step = 32 ** (timeLength - time.length)
  const from = [...time].reduce((sum, letter) => sum * 32 + alphabet.indexOf(letter), 0) * step
  return {
    made: { from, before: from + step },
    ids:
      head.length > timeLength ? { least: uuidOf(padded(head, '0')), most: uuidOf(padded(head, 'z')) } : null,
    fragment: null,
  }
}

const padded = (head: string, letter: string) => `${start}${head.padEnd(length, letter)}` as PaymentId
