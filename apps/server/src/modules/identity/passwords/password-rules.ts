import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'
import { reasonOf } from '@muripo/locales/errors'
import { invalidFieldFor } from '../../../platform/errors.ts'

const SERVICE = 'muripo'
/** Shorter words are contained in too many others. */
const WORD_MIN_LENGTH = 3

/**
 * The most used passwords of published leaks, from the list of zxcvbn-ts (MIT), without those that are too short to be chosen here. The
 * limits on attempts stretch a search of this list over most of a year.
 */
async function readCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_MIN_LENGTH))
}

/** Read with the first new password. */
let commonPasswords: Promise<ReadonlySet<string>> | undefined

interface Owner {
  readonly fullname: string
  readonly email: string
  readonly phone: string
}

export async function isCommonPassword(password: string): Promise<boolean> {
  commonPasswords ??= readCommonPasswords()
  return (await commonPasswords).has(plain(password))
}

export async function refuseCommonPassword(field: string, password: string): Promise<void> {
  if (await isCommonPassword(password)) throw invalidFieldFor(field, reasonOf('passwordCommon'))
}

export function refuseOwnWords(field: string, password: string, owner: Owner): void {
  if (isMadeOfOwnWords(password, owner)) throw invalidFieldFor(field, reasonOf('passwordOfOwnWords'))
}

/**
 * True when the letters of the password consist only of the account's own words and the name of the service: "Tendai.Moyo1990" does,
 * "Tendai likes tea" does not. The rule applies to the whole password, never to a part of it.
 */
export function isMadeOfOwnWords(password: string, { fullname, email, phone }: Owner): boolean {
  const letters = lettersOf(password)
  if (letters === '') return isPhone(password, phone)
  const words = [SERVICE, ...[fullname, email, ...email.split('@')].flatMap(wordsOf)].filter(
    (word) => word.length >= WORD_MIN_LENGTH,
  )
  // The longest word is removed first, because a word may begin with another.
  let left = letters
  for (const word of words.toSorted((a, b) => b.length - a.length)) left = left.replaceAll(word, ' ')
  return left.trim() === ''
}

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()
const lettersOf = (text: string): string => plain(text).replace(/[^\p{L}\p{M}]/gu, '')
/** The words of a text, and all its letters as one word. */
const wordsOf = (text: string): string[] => [lettersOf(text), ...plain(text).split(/[^\p{L}\p{M}]+/u)]

function isPhone(password: string, phone: string): boolean {
  const digits = password.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length >= 7 && phone.replace(/\D/g, '').endsWith(digits)
}
