import { z } from 'zod'
import {
  EMAIL_MAX_LENGTH,
  EMAIL_MAX_TYPED,
  emailPattern,
  type Field,
  isSafeEmail,
  nameField,
  reasonParams,
  textField,
} from './fields.ts'

interface BoundedErrors {
  /** The error of a longer string. */
  readonly tooLong?: string
  /** The error of any other value than a string. */
  readonly missing?: string
}

/**
 * A string with a length limit that ends the check: a pattern or a normalisation that follows never receives a longer string.
 * Every string of a request starts with it (`apps/server/test/request-limits.test.ts`).
 */
export const bounded = (maxLength: number, { tooLong, missing }: BoundedErrors = {}) =>
  z
    .string(missing === undefined ? undefined : { error: missing })
    .max(maxLength, { error: tooLong ?? `Must be at most ${maxLength} characters`, abort: true })

/** An id in a path. A malformed id has the same response as an unknown id. */
export const PathId = bounded(64)

/** A web address. The parser runs on bounded strings only. */
export const webAddress = (maxLength: number, error: string) =>
  bounded(maxLength, { missing: error }).check(z.url({ protocol: /^https?$/, error }))

/** Text that PostgreSQL can store: without NUL and lone surrogates. */
export const storable = (maxLength: number) =>
  bounded(maxLength).refine(
    (text) => text.isWellFormed() && !text.includes('\0'),
    'Must not contain control characters',
  )

const errorText = (field: Field, input: unknown): string =>
  field.error(input as string)?.message ?? 'Not valid'

/** The schema of a field: its stored form and its error, with the reason of the error for clients that translate it. */
export const fieldText = (field: Field) =>
  z
    .string({ error: errorText(field, '') })
    .max(field.maxTyped, {
      error: ({ input }) => errorText(field, input),
      abort: true,
    })
    .transform(field.clean)
    .check(({ value, issues }) => {
      const error = field.error(value)
      if (error === null) return
      const { message } = error
      issues.push({ code: 'custom', input: value, continue: true, message, params: reasonParams(error) })
    })

/** Text that a person entered. */
export const personText = (maxLength: number, requiredMessage: string) =>
  fieldText(textField(maxLength, requiredMessage))

/** A person's or a company's name. */
export const personName = (maxLength: number, requiredMessage: string) =>
  fieldText(nameField(maxLength, requiredMessage))

/** An address to which mail can be sent safely, in composed form so that one address has one spelling. */
export const Email = bounded(EMAIL_MAX_TYPED, {
  tooLong: 'Please enter a valid email',
  missing: 'Email is required',
})
  .trim()
  .min(1, { error: 'Email is required', abort: true })
  .max(EMAIL_MAX_LENGTH, { error: 'Please enter a valid email', abort: true })
  .regex(emailPattern, 'Please enter a valid email')
  .refine(isSafeEmail, 'Please enter a valid email')
  .normalize('NFC')

export const Timestamp = z.iso.datetime().meta({ description: 'RFC 3339, UTC, milliseconds' })
