import { OTP_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './constants.ts'

export interface FieldError {
  /** Clients translate the error by its code, with these values. */
  readonly code: string
  readonly values: Readonly<Record<string, number>>
  /** The text in English. */
  readonly message: string
}

/** Creates the errors of a catalogue of English texts. */
export const errorsOf =
  <Code extends string>(texts: Readonly<Record<Code, string>>) =>
  (code: Code, values: FieldError['values'] = {}): FieldError => ({
    code,
    values,
    message: texts[code].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
  })

/** The code of an error that is shown in English only. */
const UNTRANSLATED = 'not_valid'
const englishError = (message: string): FieldError => ({ code: UNTRANSLATED, values: {}, message })

/** The reason that clients translate, as a parameter of a schema's error; none for an error that is shown in English only. */
export const reasonParams = ({
  code,
  values,
}: FieldError): { readonly reason?: Omit<FieldError, 'message'> } =>
  code === UNTRANSLATED ? {} : { reason: { code, values } }

const asError = (error: FieldError | string): FieldError =>
  typeof error === 'string' ? englishError(error) : error

export const fieldTexts = {
  tooLong: 'Must be at most {max} characters',
  manyAccents: 'Must not contain more than 30 accents on one letter',
  controlCharacters: 'Must not contain control characters',
  passwordTooLong: 'Password must be at most {max} characters',
  passwordTooShort: 'Password must be at least {min} characters',
  passwordNotText: 'Password must be text',
  emailMissing: 'Email is required',
  emailInvalid: 'Please enter a valid email',
  otpMissing: 'OTP is required',
  otpLength: 'OTP must be {length} digits',
} as const
const fieldError = errorsOf(fieldTexts)

/**
 * The validation of a form field without the schema library: the form validates before it submits and need not load the library, and the
 * schemas of the wire use the same functions.
 */
export interface Field {
  /** The longest entered text that is normalised. A longer text is refused without normalisation, which could take seconds on a server. */
  readonly maxTyped: number
  /** The stored form of the entered text. */
  clean(typed: string): string
  /** The error of the field, or null when the stored form is valid. */
  error(stored: string): FieldError | null
}

// A text is shown to payers: no control characters except line breaks, and none that turns the direction of what follows.
const control = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
// Beside control characters, characters that are invisible or change the direction of writing: a line must be what it appears to be.
const notInLine = /[\p{Cc}\p{Cf}]/u

/** More combining marks in a row than any language has (Unicode's stream-safe format): their normalisation takes quadratic time. */
const manyMarks = /\p{M}{31}/u

type Required = FieldError | string

const textError = (text: string, maxLength: number, required: Required, unfit: RegExp): FieldError | null => {
  if (text === '') return asError(required)
  if (text.length > maxLength) return fieldError('tooLong', { max: maxLength })
  if (manyMarks.test(text)) return fieldError('manyAccents')
  return unfit.test(text) || !text.isWellFormed() ? fieldError('controlCharacters') : null
}

/** Decomposed accents and outer spaces may make the entered text this many times longer than its stored form. */
const TYPED_FACTOR = 4

/** Normalises a text, unless it is too long to be valid in any form. */
export const cleanUpTo = (
  maxLength: number,
  clean: (typed: string) => string,
): Pick<Field, 'maxTyped' | 'clean'> => {
  const maxTyped = TYPED_FACTOR * maxLength
  return {
    maxTyped,
    clean: (typed) => (typed.length > maxTyped || manyMarks.test(typed) ? typed : clean(typed)),
  }
}

/** A choice from a list, stored unchanged. */
export const choiceField = (error: Field['error']): Field => ({
  maxTyped: 100,
  clean: (typed) => typed,
  error,
})

export const isOneOf = (words: readonly string[], text: string): boolean => words.includes(text)

/** Text that a person entered: Unicode in its composed form, outer spaces removed, no control characters except line breaks. */
export const textField = (maxLength: number, required: Required): Field => ({
  ...cleanUpTo(maxLength, (typed) => typed.normalize('NFC').trim()),
  error: (text) => textError(text, maxLength, required, control),
})

/** The same in one line: each space between words is one plain space. */
export const lineField = (maxLength: number, required: Required): Field => ({
  ...cleanUpTo(maxLength, (typed) => typed.normalize('NFC').replace(/\s+/g, ' ').trim()),
  error: (text) => textError(text, maxLength, required, notInLine),
})

const asTyped: Pick<Field, 'maxTyped' | 'clean'> = {
  maxTyped: TYPED_FACTOR * PASSWORD_MAX_LENGTH,
  clean: (typed) => typed,
}
/** Characters are counted as Unicode code points, in the form in which passwords are compared. */
const compared = (password: string): string => password.normalize('NFKC')
const lengthOf = (password: string): number => [...compared(password)].length
const isTooLong = (password: string): boolean =>
  password.length > TYPED_FACTOR * PASSWORD_MAX_LENGTH || lengthOf(password) > PASSWORD_MAX_LENGTH
const tooLong = (password: string): FieldError | null =>
  isTooLong(password) ? fieldError('passwordTooLong', { max: PASSWORD_MAX_LENGTH }) : null

/** A new password. */
export const newPasswordField = (required: Required): Field => ({
  ...asTyped,
  error(password) {
    if (password === '') return asError(required)
    const error = tooLong(password)
    if (error !== null) return error
    if (lengthOf(password) < PASSWORD_MIN_LENGTH)
      return fieldError('passwordTooShort', { min: PASSWORD_MIN_LENGTH })
    return password.isWellFormed() ? null : fieldError('passwordNotText')
  },
})

/** An existing password, for comparison. */
export const presentedPasswordField = (required: Required): Field => ({
  ...asTyped,
  error: (password) => (password === '' ? asError(required) : tooLong(password)),
})

/** Whether a new password equals the old one. */
export const isSamePassword = (current: string, next: string): boolean =>
  !isTooLong(next) && compared(current) === compared(next)

/**
 * The address pattern of the forms: something@something.something, without spaces. No two adjacent parts match the same character, so it is
 * linear.
 */
export const emailPattern = /^[^\s@]+@[^\s@.]+(?:\.+[^\s@.]+)+$/
export const EMAIL_MAX_LENGTH = 254
/** Outer spaces and decomposed accents fit into this length. */
export const EMAIL_MAX_TYPED = TYPED_FACTOR * EMAIL_MAX_LENGTH

// Characters that no mailbox needs and that a mail header parses as a second address, a name or a line break.
const notInEmail = /[\p{Cc}\p{Cf}\p{Cs}<>()[\]\\,;:"]/u
/** Whether mail can safely be sent to the address. */
export const isSafeEmail = (address: string): boolean => !notInEmail.test(address)

/** `text.ts` has the same checks as a schema; a property test compares them. */
export const emailField: Field = {
  maxTyped: EMAIL_MAX_TYPED,
  clean: (typed) => (typed.length > EMAIL_MAX_TYPED ? typed : typed.trim()),
  error(address) {
    if (address === '') return fieldError('emailMissing')
    const isAddress = address.length <= EMAIL_MAX_LENGTH && emailPattern.test(address) && isSafeEmail(address)
    return isAddress ? null : fieldError('emailInvalid')
  },
}

// As in any line, except for the characters that join and separate letters: some scripts need them in names.
const notInName = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u

/** A person's or a company's name: one line with at least one visible character. */
export function nameField(maxLength: number, required: Required): Field {
  const text = textField(maxLength, required)
  return {
    ...text,
    error(name) {
      const error = text.error(name)
      if (error !== null) return error
      if (notInName.test(name)) return fieldError('controlCharacters')
      return /[\p{L}\p{N}\p{S}]/u.test(name) ? null : asError(required)
    },
  }
}

export const otpMissing = fieldError('otpMissing')
export const otpLength = fieldError('otpLength', { length: OTP_LENGTH })
export const otpPattern = new RegExp(`^\\d{${OTP_LENGTH}}$`)

export const otpField: Field = {
  maxTyped: OTP_LENGTH,
  clean: (typed) => typed,
  error(code) {
    if (code === '') return otpMissing
    return otpPattern.test(code) ? null : otpLength
  },
}
