import { emailField, errorsOf, type Field, textField } from './fields.ts'

export const CONTACT_NAME_MAX_LENGTH = 200
export const CONTACT_MESSAGE_MAX_LENGTH = 5000

export const contactFieldTexts = {
  senderMissing: 'Name is required',
  messageMissing: 'Message is required',
} as const
const contactFieldError = errorsOf(contactFieldTexts)

/** A field that first changes the typed text, unless that text is refused whatever it becomes. */
const prepared = (field: Field, prepare: (typed: string) => string): Field => ({
  ...field,
  clean: (typed) => field.clean(typed.length > field.maxTyped ? typed : prepare(typed)),
})

/** In the order of the form. */
export const contactFields = {
  name: prepared(textField(CONTACT_NAME_MAX_LENGTH, contactFieldError('senderMissing')), (typed) =>
    typed.replace(/[\s\u0085]+/g, ' '),
  ),
  email: emailField,
  message: prepared(textField(CONTACT_MESSAGE_MAX_LENGTH, contactFieldError('messageMissing')), (typed) =>
    typed.replace(/\r\n?/g, '\n').replaceAll('\t', '  '),
  ),
} as const satisfies Record<string, Field>
