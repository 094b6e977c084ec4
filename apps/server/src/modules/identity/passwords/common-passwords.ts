import { PASSWORD_MIN_LENGTH } from '@muripo/contract/constants'
import { dictionary } from '@zxcvbn-ts/language-common'

/**
 * The most used passwords of published leaks, in the list that zxcvbn-ts keeps (MIT): those that are long enough to be chosen here.
 * Whoever may try as often as the limits let him would need most of a year to get through it.
 */
const common = new Set(dictionary['passwords-common'].filter((word) => word.length >= PASSWORD_MIN_LENGTH))

export const isCommonPassword = (password: string): boolean =>
  common.has(password.normalize('NFKC').toLowerCase())
