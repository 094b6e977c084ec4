import type { PaymentId } from '@muripo/contract/ids'
import { uuidOf } from '../../platform/ids.ts'
import { everything, type Range } from './range.ts'

/** UUIDs, both ends included. */
export interface Ids {
  readonly least: string
  readonly most: string
}

/** What the text of a search says about the ids that contain it; null when none can. */
export interface Searched {
  /** When the id was made, for its first ten characters are the time: in milliseconds since 1970. */
  readonly made: Range
  readonly ids: Ids | null
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
  const from = numberOf(time) * step
  return {
    made: { from, before: from + step },
    ids: head.length > timeLength ? idsWith(head) : null,
    fragment: null,
  }
}

const idsWith = (head: string): Ids => ({ least: uuidOf(padded(head, '0')), most: uuidOf(padded(head, 'z')) })
const padded = (head: string, letter: string) => `${start}${head.padEnd(length, letter)}` as PaymentId

/** The first letters of an id that the index leaves out, for they are the same in almost all. */
const LEFT_OUT = 3

/** The ids between two that have the fragment where the index does not look: it begins with one of their first letters. */
export function beginnings(fragment: string, first: PaymentId, last: PaymentId): Ids[] {
  const found: Ids[] = []
  for (let letters = 0; letters < LEFT_OUT; letters += 1) {
    const [from, to] = [first, last].map((id) => numberOf(id.slice(start.length, start.length + letters)))
    for (let head = from ?? 0; head <= (to ?? 0); head += 1) {
      const beginning = lettersOf(head, letters) + fragment
      if (/^[0-7]/.test(beginning) && beginning.length <= length) found.push(idsWith(beginning))
    }
  }
  return found
}

/** Letters are digits: each stands for five bits of the UUID, before which there are two that are nought. */
export const numberOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 32 + alphabet.indexOf(letter), 0)

const lettersOf = (number: number, count: number): string =>
  Array.from({ length: count }, (_, nth) => alphabet[Math.floor(number / 32 ** (count - 1 - nth)) % 32]).join(
    '',
  )

export const bitsOf = (letters: string): string =>
  [...letters].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')

/** Every three letters in a row. */
export const gramsOf = (fragment: string): number[] =>
  Array.from({ length: fragment.length - 2 }, (_, at) => numberOf(fragment.slice(at, at + 3)))
