import { invalidField } from '../../../platform/errors.ts'
import { isCommonPassword } from './common-passwords.ts'

const SERVICE = 'muripo'
/** Shorter words stand in too many others. */
const WORD_MIN_LENGTH = 3

interface Owner {
  readonly fullname: string
  readonly email: string
  readonly phone: string
}

export function refuseCommonPassword(field: string, password: string): void {
  if (isCommonPassword(password))
    throw invalidField(field, 'This password is used by many people. Please choose another one')
}

export function refuseOwnWords(field: string, password: string, owner: Owner): void {
  if (isMadeOfOwnWords(password, owner))
    throw invalidField(
      field,
      'Your password must not be made of your name, email or phone. Please choose another one',
    )
}

/**
 * Whether nothing is left of a password without the account's own words, the name of the service, and what is put around words:
 * "Tendai.Moyo1990" is, "Tendai likes tea" is not. The whole password is judged, never a part of it.
 */
export function isMadeOfOwnWords(password: string, { fullname, email, phone }: Owner): boolean {
  const letters = lettersOf(password)
  if (letters === '') return isPhone(password, phone)
  const words = [SERVICE, ...[fullname, email, ...email.split('@')].flatMap(wordsOf)].filter(
    (word) => word.length >= WORD_MIN_LENGTH,
  )
  // The longest first: a word may begin with another.
  let left = letters
  for (const word of words.toSorted((a, b) => b.length - a.length)) left = left.replaceAll(word, ' ')
  return left.trim() === ''
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()
const lettersOf = (text: string): string => plain(text).replace(/[^\p{L}\p{M}]/gu, '')
/** A text's words, and all of it as one. */
const wordsOf = (text: string): string[] => [lettersOf(text), ...plain(text).split(/[^\p{L}\p{M}]+/u)]

function isPhone(password: string, phone: string): boolean {
  const digits = password.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 7 && phone.replace(/\D/g, '').endsWith(digits)
}
