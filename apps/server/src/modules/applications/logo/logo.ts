import { createHash } from 'node:crypto'
import { LOGO_MAX_BYTES } from '@muripo/contract/brand'
import { reasonOf } from '@muripo/locales/errors'
import { invalidFieldFor } from '../../../platform/errors.ts'
import { isPng, safePng } from './png.ts'
import { safeSvg } from './svg.ts'
import { safeWebp } from './webp.ts'

export interface Logo {
  readonly type: 'image/svg+xml' | 'image/webp' | 'image/png'
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
  const type = typeOf(file)
  const content = cleaned[type](file)
  if (content === null) throw invalidFieldFor('logo', reasonOf('logoNotPicture'))
  const safe = Buffer.from(content)
  if (safe.length > LOGO_MAX_BYTES) throw invalidFieldFor('logo', reasonOf('logoTooLarge'))
  return {
    type,
    content: safe,
    hash: createHash('sha256').update(safe).digest('hex').slice(0, 32),
  }
}

const cleaned: Readonly<Record<Logo['type'], (file: Buffer) => Buffer | string | null>> = {
  'image/svg+xml': (file) => safeSvg(file.toString()),
  'image/webp': safeWebp,
  'image/png': safePng,
}

function typeOf(file: Buffer): Logo['type'] {
  if (isPng(file)) return 'image/png'
  return file.toString('latin1', 0, 4) === 'RIFF' ? 'image/webp' : 'image/svg+xml'
}

export const logoPathOf = (hash: string | null): string | null => hash && `/logos/${hash}`
