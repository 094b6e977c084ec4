import { emailField, errorsOf, type Field, lineField, textField } from './fields.ts'

export const CONTACT_NAME_MAX_LENGTH = 200
export const CONTACT_MESSAGE_MAX_LENGTH = 5000

export const contactFieldTexts = {
  senderMissing: 'Name is required',
  messageMissing: 'Message is required',
} as const
const contactFieldError = errorsOf(contactFieldTexts)

/** In the order of the form. */
export const contactFields = {
  name: lineField(CONTACT_NAME_MAX_LENGTH, contactFieldError('senderMissing')),
  email: emailField,
  message: textField(CONTACT_MESSAGE_MAX_LENGTH, contactFieldError('messageMissing')),
} as const satisfies Record<string, Field>
