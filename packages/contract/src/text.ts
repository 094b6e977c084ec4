import { z } from 'zod'
import { type Field, textField } from './fields.ts'

/** The address pattern of the forms: something@something.something, without spaces. No two neighbours match the same character, so it is linear. */
export const emailPattern = /^[^\s@]+@[^\s@.]+(?:\.+[^\s@.]+)+$/

const EMAIL_MAX_LENGTH = 254
/** Room for outer spaces and for letters whose accents were typed apart. */
const EMAIL_MAX_TYPED = 4 * EMAIL_MAX_LENGTH

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

/** An id in a path. Another form than an id's is answered like an id that nobody has. */
export const PathId = bounded(64)

/** A web address. The parser runs on bounded strings only. */
export const webAddress = (maxLength: number, error: string) =>
  bounded(maxLength, { missing: error }).check(z.url({ protocol: /^https?$/, error }))

/** Text that PostgreSQL can keep: neither NUL nor half a character. */
export const storable = (maxLength: number) =>
  bounded(maxLength).refine(
    (text) => text.isWellFormed() && !text.includes('\0'),
    'Must not contain control characters',
  )

/** The schema of a field: what the form would keep and say. */
export const fieldText = (field: Field) =>
  z
    .string({ error: field.fault('') ?? 'Not valid' })
    .max(field.maxTyped, {
      error: ({ input }) => field.fault(input as string) ?? 'Not valid',
      abort: true,
    })
    .transform(field.clean)
    .refine((kept) => field.fault(kept) === null, {
      error: ({ input }) => field.fault(input as string) ?? 'Not valid',
    })

/** Text that a person typed. */
export const personText = (maxLength: number, requiredMessage: string) =>
  fieldText(textField(maxLength, requiredMessage))

// As in any line, but for what joins and parts letters: some scripts write names with it.
const notInName = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u

/** A person's or a company's name, as it is written: one line, with something to be seen in it. */
export const personName = (maxLength: number, requiredMessage: string) =>
  personText(maxLength, requiredMessage)
    .refine((text) => !notInName.test(text), 'Must not contain control characters')
    .refine((text) => /[\p{L}\p{N}\p{S}]/u.test(text), requiredMessage)

// Characters that no mailbox needs and that a mail header reads as a second address, a name or a line break.
const notInEmail = /[\p{Cc}\p{Cf}\p{Cs}<>()[\]\\,;:"]/u

/** An address that mail can safely be sent to, in composed form so that one address has one spelling. */
export const Email = bounded(EMAIL_MAX_TYPED, {
  tooLong: 'Please enter a valid email',
  missing: 'Email is required',
})
  .trim()
  .min(1, 'Email is required')
  .max(EMAIL_MAX_LENGTH, { error: 'Please enter a valid email', abort: true })
  .regex(emailPattern, 'Please enter a valid email')
  .refine((text) => !notInEmail.test(text), 'Please enter a valid email')
  .normalize('NFC')

export const Timestamp = z.iso.datetime().meta({ description: 'RFC 3339, UTC, milliseconds' })
