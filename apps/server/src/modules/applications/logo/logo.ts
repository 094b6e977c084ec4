import { createHash } from 'node:crypto'
import { LOGO_MAX_BYTES } from '@muripo/contract/brand'
import { reasonOf } from '@muripo/locales/errors'
import { invalidFieldFor } from '../../../platform/errors.ts'
import { safeSvg } from './svg.ts'
import { safeWebp } from './webp.ts'

export interface Logo {
  readonly type: 'image/svg+xml' | 'image/webp'
  readonly content: Buffer
  /** The name of its file: equal logos have one address. */
  readonly hash: string
}

/**
 * The logo as it is served, made from the allowed parts of an uploaded file.
 * @throws AppError validation_failed (field logo)
 */
export function readLogo(base64: string): Logo {
  const file = Buffer.from(base64, 'base64')
  if (file.length > LOGO_MAX_BYTES) throw invalidFieldFor('logo', reasonOf('logoTooLarge'))
  const isWebp = file.toString('latin1', 0, 4) === 'RIFF'
  const content = isWebp ? safeWebp(file) : safeSvg(file.toString())
  if (content === null) throw invalidFieldFor('logo', reasonOf('logoNotPicture'))
  const safe = Buffer.from(content)
  if (safe.length > LOGO_MAX_BYTES) throw invalidFieldFor('logo', reasonOf('logoTooLarge'))
  return {
    type: isWebp ? 'image/webp' : 'image/svg+xml',
    content: safe,
    hash: createHash('sha256').update(safe).digest('hex').slice(0, 32),
  }
}

export const logoPathOf = (hash: string | null): string | null => hash && `/logos/${hash}`
