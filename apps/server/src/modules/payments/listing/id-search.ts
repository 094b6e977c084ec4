import type { PaymentId } from '@muripo/contract/ids'
import { withoutMarks } from '@muripo/contract/typed-text'
import { uuidOf } from '../../../platform/ids.ts'

/** UUIDs, both ends included. */
export interface Ids {
  readonly least: string
  readonly most: string
}

/** The ids that contain the text of a search; null when no id can. */
export interface IdSearch {
  /** The range of the ids that begin with the text; null when the text may be anywhere in an id. */
  readonly ids: Ids | null
  /** Part of the 26 characters after the prefix, at any place. */
  readonly fragment: string | null
}

const start = 'pay_'
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 26

/** A search ignores case and takes any part of an id, "pay_" included. */
export function readSearch(text: string): IdSearch | null {
  const part = withoutMarks(text).toLowerCase()
  if (start.includes(part)) return { ids: null, fragment: null }
  const split = part.indexOf('_')
  if (split >= 0)
    return start.endsWith(part.slice(0, split + 1)) ? beginningWith(part.slice(split + 1)) : null
  if (!isInAlphabet(part)) return null
  return part.length === length ? beginningWith(part) : { ids: null, fragment: part }
}

function beginningWith(head: string): IdSearch | null {
  return canBegin(head) && isInAlphabet(head) ? { ids: idsWithPrefix(head), fragment: null } : null
}

const isInAlphabet = (part: string): boolean =>
  part.length <= length && [...part].every((letter) => alphabet.includes(letter))

/** The 26 characters have two bits more than a UUID. */
const canBegin = (head: string): boolean => /^[0-7]/.test(head)

const idsWithPrefix = (head: string): Ids => ({
  least: uuidOf(padded(head, '0')),
  most: uuidOf(padded(head, 'z')),
})
const padded = (head: string, letter: string) => `${start}${head.padEnd(length, letter)}` as PaymentId

/**
 * The length that id_ending reads. A fragment of this length is searched at the beginning and at the end of ids only. Among ten million ids,
 * about one search in 6,000 misses an id that contains the fragment at another place.
 */
const INDEXED_LETTERS = 8

export interface FragmentRanges {
  /** The ids that begin with the fragment. */
  readonly prefix: Ids | null
  /** The value of id_ending of the ids that end with the last letters of the fragment. */
  readonly ending: bigint
}

/** Null for a fragment that is too short to be looked up in an index. */
export function indexRangesOf(fragment: string): FragmentRanges | null {
  if (fragment.length < INDEXED_LETTERS) return null
  return {
    prefix: canBegin(fragment) ? idsWithPrefix(fragment) : null,
    ending: BigInt(`0b${bitsOf(fragment.slice(-INDEXED_LETTERS))}`),
  }
}

/** Each letter is a digit of five bits. Two zero bits precede the UUID. */
export const bitsOf = (letters: string): string =>
  [...letters].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
