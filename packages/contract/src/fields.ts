import { OTP_LENGTH, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './constants.ts'
import {
  cleanCode,
  cleanEmail,
  cleanPhone,
  inOneLine,
  isPlain,
  manyMarks,
  TYPED_NUMBER_MAX,
  withoutMarks,
  withPlainLines,
} from './typed-text.ts'

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
export const englishError = (message: string): FieldError => ({ code: UNTRANSLATED, values: {}, message })

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
  /** The longest valid stored form. */
  readonly maxLength: number
  /** The longest entered text that is normalised. A longer text is refused without normalisation, which could take seconds on a server. */
  readonly maxTyped: number
  /** The stored form of the entered text. */
  clean(typed: string): string
  /** The error of the field, or null when the stored form is valid. */
  error(stored: string): FieldError | null
}

// A text is shown to payers: no control characters except line breaks, none that turns the direction of what follows, and none that is
// invisible or blank, except for the characters that join and separate letters, and those that choose the form of a character.
const control =
  /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069\u2800\u{1d159}]|(?!\u200c|\u200d|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}/u
/** The flags of England, Scotland and Wales: the one use of tag characters. */
const flags = /\u{1f3f4}[\u{e0061}-\u{e007a}]{5}\u{e007f}/gu
const visible = /[\p{L}\p{N}\p{S}\p{P}]/u
// Beside control characters, characters that are invisible or change the direction of writing: a line must be what it appears to be.
const notInLine = /[\p{Cc}\p{Cf}]/u

/** Whether a half of a character stands alone. `isWellFormed` is newer than the oldest supported browsers. */
const hasHalves = (text: string): boolean => /\p{Cs}/u.test(text)

type Required = FieldError | string

const textError = (text: string, maxLength: number, required: Required, unfit: RegExp): FieldError | null => {
  if (text === '') return asError(required)
  if (text.length > maxLength) return fieldError('tooLong', { max: maxLength })
  if (isPlain(text)) return /[!-~]/.test(text) ? null : asError(required)
  if (manyMarks.test(text)) return fieldError('manyAccents')
  if (unfit.test(text.replace(flags, '')) || hasHalves(text)) return fieldError('controlCharacters')
  return visible.test(text) ? null : asError(required)
}

/** Decomposed accents and outer spaces may make the entered text this many times longer than its stored form. */
const TYPED_FACTOR = 4

/** Normalises a text, unless it is too long to be valid in any form. */
export const cleanUpTo = (
  maxLength: number,
  clean: (typed: string) => string,
): Pick<Field, 'maxLength' | 'maxTyped' | 'clean'> => {
  const maxTyped = TYPED_FACTOR * maxLength
  return {
    maxLength,
    maxTyped,
    clean(typed) {
      const isUnfit = typed.length > maxTyped || (!isPlain(typed) && manyMarks.test(typed))
      return isUnfit ? typed : clean(typed)
    },
  }
}

/** A choice from a list, stored unchanged. */
export const choiceField = (error: Field['error']): Field => ({
  maxLength: 100,
  maxTyped: 100,
  clean: (typed) => typed,
  error,
})

export const isOneOf = (words: readonly string[], text: string): boolean => words.includes(text)

/** Text that a person entered: Unicode in its composed form, without invisible marks, outer spaces and control characters except line breaks. */
export const textField = (maxLength: number, required: Required): Field => ({
  ...cleanUpTo(maxLength, (typed) =>
    isPlain(typed) ? typed.trim() : withoutMarks(withPlainLines(typed.normalize('NFC'))),
  ),
  error: (text) => textError(text, maxLength, required, control),
})

const asTyped: Pick<Field, 'maxLength' | 'maxTyped' | 'clean'> = {
  maxLength: PASSWORD_MAX_LENGTH,
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
    return hasHalves(password) ? fieldError('passwordNotText') : null
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

export const EMAIL_MAX_LENGTH = 254
const LOCAL_PART_MAX_LENGTH = 64

// Characters that no mailbox needs and that a mail header parses as a second address, a name or a line break.
const notInEmail = /[\p{Cc}\p{Cf}\p{Cs}\s<>()[\]\\,;:"]/u

/** A label of a host name in letters of any script. */
const isHostLabel = (label: string): boolean =>
  label.length <= 63 && /^[\p{L}\p{M}\p{N}-]+$/u.test(label) && !label.startsWith('-') && !label.endsWith('-')

/** Whether mail can be sent to the address, and safely: something@something.something, whose domain may exist. */
function isEmail(address: string): boolean {
  const [local = '', domain = '', ...others] = address.split('@', 3)
  const labels = domain.split('.')
  return (
    address.length <= EMAIL_MAX_LENGTH &&
    others.length === 0 &&
    !notInEmail.test(address) &&
    local.length <= LOCAL_PART_MAX_LENGTH &&
    local.split('.').every((part) => part !== '') &&
    labels.length > 1 &&
    labels.every(isHostLabel) &&
    !/^\p{N}+$/u.test(labels.at(-1) as string)
  )
}

/** An address to which mail can be sent safely, in composed form so that one address has one spelling. */
export const emailField: Field = {
  ...cleanUpTo(EMAIL_MAX_LENGTH, cleanEmail),
  error(address) {
    if (address === '') return fieldError('emailMissing')
    return isEmail(address) ? null : fieldError('emailInvalid')
  },
}

const PHONE_MAX_LENGTH = 32

/** A phone number as people write it. The server decides whether such a number exists. */
export const phoneField = (required: Required): Field => ({
  maxLength: PHONE_MAX_LENGTH,
  maxTyped: TYPED_NUMBER_MAX,
  clean: cleanPhone,
  error: (phone) => textError(phone, PHONE_MAX_LENGTH, required, notInLine),
})

// As in any line, except for the characters that join and separate letters, and those that choose the form of an emoji. Characters that are
// blank are refused wherever they stand, because a name with them appears to be another one.
const notInName =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\u{1d159}]|(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** A name that other people read: one line with at least one visible character, whose words have one plain space between them. */
export function nameField(maxLength: number, required: Required): Field {
  const text = textField(maxLength, required)
  return {
    ...text,
    ...cleanUpTo(maxLength, (typed) => text.clean(typed).replace(/[^\S\n]+/g, ' ')),
    error(name) {
      const error = text.error(name)
      if (error !== null) return error
      if (!isPlain(name) && notInName.test(name)) return fieldError('controlCharacters')
      return /[\p{L}\p{N}\p{S}]/u.test(name) ? null : asError(required)
    },
  }
}

/** The same for a field whose line breaks are spaces. */
export const lineField = (maxLength: number, required: Required): Field => ({
  ...nameField(maxLength, required),
  ...cleanUpTo(maxLength, (typed) => inOneLine(withoutMarks(typed.normalize('NFC')))),
})

const otpMissing = fieldError('otpMissing')
const otpLength = fieldError('otpLength', { length: OTP_LENGTH })
const otpPattern = new RegExp(`^\\d{${OTP_LENGTH}}$`)

export const otpField: Field = {
  maxLength: OTP_LENGTH,
  maxTyped: TYPED_NUMBER_MAX,
  clean: cleanCode,
  error(code) {
    if (code === '') return otpMissing
    return otpPattern.test(code) ? null : otpLength
  },
}

export const RECOVERY_CODE_LENGTH = 10
/** Without letters that are easily confused. */
export const RECOVERY_CODE_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const recoveryCode = new RegExp(`^[${RECOVERY_CODE_LETTERS}]{${RECOVERY_CODE_LENGTH}}$`, 'i')
export const isRecoveryCode = (code: string): boolean => recoveryCode.test(code)

/** A code of six digits, mailed or of an authenticator app, or a recovery code in its place. */
export const secondStepField: Field = {
  ...otpField,
  maxLength: RECOVERY_CODE_LENGTH,
  clean(typed) {
    const code = cleanCode(typed)
    return isRecoveryCode(code) ? code.toLowerCase() : code
  },
  error: (code) => (isRecoveryCode(code) ? null : otpField.error(code)),
}
