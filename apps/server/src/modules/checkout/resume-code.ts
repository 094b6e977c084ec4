import { RESUME_CODE_LENGTH } from '@muripo/contract/checkout'
import type { Ids } from '../../platform/ids.ts'

/** Letters that look and sound unlike each other and unlike digits. */
const LETTERS = 'ACDEFGHJKMNPQRTUVWXY'

export const RESUME_CODE_LIFE_MS = 15 * 60_000

export const newResumeCode = (ids: Ids): string =>
  Array.from(ids.bytes(RESUME_CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('')

/** The code in a text as people type it; null when there is none. */
export function readResumeCode(text: string): string | null {
  if (text.length > 20) return null
  const letters = text.toUpperCase().replace(/[\s-]/g, '')
  return letters.length === RESUME_CODE_LENGTH && [...letters].every((letter) => LETTERS.includes(letter))
    ? letters
    : null
}
