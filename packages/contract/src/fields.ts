import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './constants.ts'
import { bankAccountTypes, categories } from './words.ts'

/**
 * What a field of a form must hold, apart from the library that checks the wire: the form asks here before it sends and need not
 * carry that library, and the schema of the wire asks the very same.
 */
export interface Field {
  /** The longest typed text that is cleaned. A longer one is refused as it is: to normalise it would cost a server seconds. */
  readonly maxTyped: number
  /** What is kept of what was typed. */
  clean(typed: string): string
  /** The sentence beside the field, or null when what is kept holds. */
  fault(kept: string): string | null
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const control = /[\u0000-\u0009\u000b-\u001f\u007f]/
// Beside control characters what turns the direction of writing or cannot be seen: a line must be what it looks like.
const notInLine = /[\p{Cc}\p{Cf}]/u

/** More combining marks in a row than any language has (Unicode's stream-safe format): to put n of them in order takes the square of n. */
const manyMarks = /\p{M}{31}/u

const textFault = (text: string, maxLength: number, required: string, unfit: RegExp): string | null => {
  if (text === '') return required
  if (text.length > maxLength) return `Must be at most ${maxLength} characters`
  if (manyMarks.test(text)) return 'Must not contain more than 30 accents on one letter'
  return unfit.test(text) || !text.isWellFormed() ? 'Must not contain control characters' : null
}

/** Accents that were typed apart, and spaces that will be cut, may make a text so many times longer than what is kept of it. */
const TYPED_FACTOR = 4

/** Cleans a text unless it is refused whatever it becomes. */
const cleanUpTo = (
  maxLength: number,
  clean: (typed: string) => string,
): Pick<Field, 'maxTyped' | 'clean'> => {
  const maxTyped = TYPED_FACTOR * maxLength
  return {
    maxTyped,
    clean: (typed) => (typed.length > maxTyped || manyMarks.test(typed) ? typed : clean(typed)),
  }
}

/** A choice from a list, kept as it is. */
const choice: Pick<Field, 'maxTyped' | 'clean'> = { maxTyped: 100, clean: (typed) => typed }

/** Text that a person typed: Unicode in its composed form, outer spaces cut, no control characters except line breaks. */
export const textField = (maxLength: number, required: string): Field => ({
  ...cleanUpTo(maxLength, (typed) => typed.normalize('NFC').trim()),
  fault: (text) => textFault(text, maxLength, required, control),
})

/** The same in one line: every space between words is one plain space. */
const lineField = (maxLength: number, required: string): Field => ({
  ...cleanUpTo(maxLength, (typed) => typed.normalize('NFC').replace(/\s+/g, ' ').trim()),
  fault: (text) => textFault(text, maxLength, required, notInLine),
})

const isOneOf = (words: readonly string[], text: string): boolean => words.includes(text)

/** In the order in which they are checked. */
export const applicationFields = {
  applicationName: textField(100, 'Application name is required'),
  description: textField(2000, 'Description is required'),
  category: {
    ...choice,
    fault(category) {
      if (category === '') return 'Please select a category'
      if (category.trim() === '') return 'Please select a valid category'
      return isOneOf(categories, category) ? null : 'Please select a valid category from the list'
    },
  },
} as const satisfies Record<string, Field>

/** In the order of the form. */
export const bankingFields = {
  bankName: lineField(100, 'Bank is required'),
  bankAccountNumber: {
    /** Spaces and hyphens are how people group a number; they are no part of it. */
    ...cleanUpTo(34, (typed) => typed.replace(/[\s-]/g, '').toUpperCase()),
    fault(number) {
      if (number === '') return 'Bank account number is required'
      return /^[0-9A-Z]{5,34}$/.test(number) ? null : 'Bank account number must be 5 to 34 digits or letters'
    },
  },
  bankAccountName: lineField(100, 'Bank account name is required'),
  bankAccountType: {
    ...choice,
    fault: (type) => (isOneOf(bankAccountTypes, type) ? null : 'Please select a bank account type'),
  },
} as const satisfies Record<string, Field>

const asTyped: Pick<Field, 'maxTyped' | 'clean'> = {
  maxTyped: TYPED_FACTOR * PASSWORD_MAX_LENGTH,
  clean: (typed) => typed,
}
/** A character is what Unicode numbers, in the form in which passwords are compared. */
const compared = (password: string): string => password.normalize('NFKC')
const lengthOf = (password: string): number => [...compared(password)].length
const isTooLong = (password: string): boolean =>
  password.length > TYPED_FACTOR * PASSWORD_MAX_LENGTH || lengthOf(password) > PASSWORD_MAX_LENGTH
const tooLong = (password: string): string | null =>
  isTooLong(password) ? `Password must be at most ${PASSWORD_MAX_LENGTH} characters` : null

/** A password that is going to be one. */
export const newPasswordField = (required: string): Field => ({
  ...asTyped,
  fault(password) {
    if (password === '') return required
    const fault = tooLong(password)
    if (fault !== null) return fault
    if (lengthOf(password) < PASSWORD_MIN_LENGTH)
      return `Password must be at least ${PASSWORD_MIN_LENGTH} characters`
    return password.isWellFormed() ? null : 'Password must be text'
  },
})

/** A password that is one already, or is said to be. */
export const presentedPasswordField = (required: string): Field => ({
  ...asTyped,
  fault: (password) => (password === '' ? required : tooLong(password)),
})

/** In the order of the form. */
export const changePasswordFields = {
  currentPassword: presentedPasswordField('Current password is required'),
  newPassword: newPasswordField('New password is required'),
} as const satisfies Record<string, Field>

/** The sentence beside the new password when it is none. */
export const samePasswordFault = (passwords: Record<keyof typeof changePasswordFields, string>) =>
  !isTooLong(passwords.newPassword) && compared(passwords.currentPassword) === compared(passwords.newPassword)
    ? 'Please choose a password other than the current one'
    : null
