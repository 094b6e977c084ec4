import { z } from 'zod'
import {
  emailField,
  englishError,
  type Field,
  nameField,
  phoneField,
  reasonParams,
  textField,
} from './fields.ts'

interface BoundedErrors {
  /** The error of a longer string. */
  readonly tooLong?: string
  /** The error of a missing string. */
  readonly missing?: string
}

/** The error of a missing value. A value of another type has an error of its own, which names the right type. */
export const whenMissing =
  (error: string) =>
  ({ input }: { readonly input: unknown }): string | undefined =>
    input === undefined || input === null ? error : undefined

/** A choice from a closed list, with one error for a missing choice and one that is not in the list. */
export const choiceOf = <const Words extends readonly [string, ...string[]]>(words: Words, error: string) =>
  z.enum(words, { error: (issue) => (typeof issue.input === 'string' ? error : whenMissing(error)(issue)) })

/** An optional schema that reads null as absent. A transformation would do the same, at twice the time for each field of a request. */
const NullAsAbsent = z.core.$constructor<z.ZodOptional<z.ZodNullable>>(
  'NullAsAbsent',
  (schema, definition) => {
    z.ZodOptional.init(schema, definition)
    const { parse } = schema._zod
    schema._zod.parse = (payload, context) => {
      if (payload.value !== null) return parse(payload, context)
      payload.value = undefined
      return payload
    }
  },
)

/** A field that may be left out. Null means the same: responses have null for a field without a value. */
export const optional = <T extends z.ZodType>(schema: T): z.ZodOptional<T> =>
  new NullAsAbsent({ type: 'optional', innerType: schema.nullable() }) as unknown as z.ZodOptional<T>

/** An object. PHP writes one without entries as an empty list. */
export const emptyListAsObject = <T extends z.ZodType>(schema: T): T =>
  z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? {} : value), schema) as unknown as T

/**
 * A string with a length limit that ends the check: a pattern or a normalisation that follows never receives a longer string.
 * Every string of a request starts with it (`apps/server/test/request-limits.test.ts`).
 */
export const bounded = (maxLength: number, { tooLong, missing }: BoundedErrors = {}) =>
  z
    .string(missing === undefined ? undefined : { error: whenMissing(missing) })
    .max(maxLength, { error: tooLong ?? `Must be at most ${maxLength} characters`, abort: true })

/** An id in a path. A malformed id has the same response as an unknown id. */
export const PathId = bounded(64)

/** A web address. The parser runs on bounded strings only. */
export const webAddress = (maxLength: number, error: string, missing = 'This field is required') =>
  bounded(maxLength, { missing }).check(z.url({ protocol: /^https?$/, error }))

/** Text that PostgreSQL can store: without NUL and lone surrogates. */
export const storable = (maxLength: number, errors: BoundedErrors = {}) =>
  bounded(maxLength, errors)
    .refine((text) => !text.includes('\0'), 'Must not contain the character NUL')
    .refine((text) => text.isWellFormed(), 'Must be Unicode without halves of characters')

const notEmpty = englishError('Must not be empty')

const errorText = (field: Field, input: unknown): string =>
  field.error(input as string)?.message ?? 'Not valid'

/** The schema of a field: its stored form and its error, with the reason of the error for clients that translate it. */
export const fieldText = (field: Field) =>
  z
    .string({ error: whenMissing(field.error('')?.message ?? 'This field is required') })
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
    .meta({ maxLength: field.maxLength })

/** Text that a person entered. */
export const personText = (maxLength: number, requiredMessage: string) =>
  fieldText(textField(maxLength, requiredMessage))

/** A person's or a company's name. */
export const personName = (maxLength: number, requiredMessage: string) =>
  fieldText(nameField(maxLength, requiredMessage))

export const Email = fieldText(emailField)

/** An address that may be left out. */
export const optionalEmail = fieldText({
  ...emailField,
  error: (address) => (address === '' ? notEmpty : emailField.error(address)),
})

/** A phone number as people write it. */
export const phoneText = (requiredMessage: string) => fieldText(phoneField(requiredMessage))

/** A time in a request, long enough for any offset and any number of decimals of a second. */
export const Instant = bounded(64).check(z.iso.datetime({ offset: true }))

const DAY_FORM = 'Must be a date like 2026-11-20'
export const Day = bounded(10, { tooLong: DAY_FORM, missing: DAY_FORM })
  .check(z.iso.date(DAY_FORM))
  .refine((day) => day >= '0001', DAY_FORM)

export const Timestamp = z.iso.datetime().meta({ description: 'RFC 3339, UTC, milliseconds' })
