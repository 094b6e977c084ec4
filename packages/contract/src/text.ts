import { z } from 'zod'

/** The address pattern of the forms: something@something.something, without spaces. */
export const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Text that PostgreSQL can keep: neither NUL nor half a character. */
export const storable = (maxLength: number) =>
  z
    .string()
    .max(maxLength, `Must be at most ${maxLength} characters`)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'Must not contain control characters')

/** Text that a person typed: Unicode in its composed form, outer spaces cut, no control characters except line breaks. */
export const personText = (maxLength: number, requiredMessage: string) =>
  z
    .string({ error: requiredMessage })
    .transform((value) => value.normalize('NFC').trim())
    .pipe(
      z
        .string()
        .min(1, requiredMessage)
        .max(maxLength, `Must be at most ${maxLength} characters`)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
        .regex(/^[^\u0000-\u0009\u000b-\u001f\u007f]*$/, 'Must not contain control characters')
        .refine((text) => text.isWellFormed(), 'Must not contain control characters'),
    )

// Beside control characters what turns the direction of writing or cannot be seen: a line must be what it looks like.
const notInLine = /[\p{Cc}\p{Cf}\p{Cs}]/u

/** As personText, in one line: every space between words is one plain space. */
export const personLine = (maxLength: number, requiredMessage: string) =>
  z
    .string({ error: requiredMessage })
    .transform((value) => value.normalize('NFC').replace(/\s+/g, ' ').trim())
    .pipe(
      z
        .string()
        .min(1, requiredMessage)
        .max(maxLength, `Must be at most ${maxLength} characters`)
        .refine((text) => !notInLine.test(text), 'Must not contain control characters'),
    )

// Characters that no mailbox needs and that a mail header reads as a second address, a name or a line break.
const notInEmail = /[\p{Cc}\p{Cf}\p{Cs}<>()[\]\\,;:"]/u

/** An address that mail can safely be sent to, in composed form so that one address has one spelling. */
export const Email = z
  .string({ error: 'Email is required' })
  .trim()
  .min(1, 'Email is required')
  .max(254, 'Please enter a valid email')
  .regex(emailPattern, 'Please enter a valid email')
  .refine((text) => !notInEmail.test(text), 'Please enter a valid email')
  .normalize('NFC')

export const Timestamp = z.iso.datetime().meta({ description: 'RFC 3339, UTC, milliseconds' })
