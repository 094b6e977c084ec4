import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forgotPassword, SignUp, setNewPassword, signIn } from './auth.ts'
import { forgotPasswordFields, setNewPasswordFields, signInFields, signUpFields } from './auth-fields.ts'
import { contactFields } from './contact-fields.ts'
import type { Field } from './fields.ts'
import { Contact } from './site.ts'

const pieces = fc.constantFrom(
  'a',
  'é',
  'é',
  ' ',
  '@',
  '.',
  '..',
  '<',
  '\u0000',
  '\u200d',
  '\u202e',
  '7',
  '💎',
  '\ud800',
)
const text = fc.oneof(
  fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .tuple(fc.string({ maxLength: 5 }), fc.constantFrom('example.co.zw', 'a.b', '.zw'))
    .map((parts) => parts.join('@')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    '012345',
    '1234567',
    'business',
    'tax_id',
    'a'.repeat(255),
    `${'a'.repeat(250)}@b.zw`,
    'a'.repeat(1017),
  ),
)

const forms = {
  signIn: [signInFields, signIn.body.shape],
  forgotPassword: [forgotPasswordFields, forgotPassword.body.shape],
  setNewPassword: [setNewPasswordFields, setNewPassword.body.shape],
  signUp: [signUpFields, SignUp.shape],
  contact: [contactFields, Contact.shape],
} as const

const cases = Object.entries(forms).flatMap(([form, [fields, shape]]) =>
  Object.entries(fields as Readonly<Record<string, Field>>).map(([name, field]) => ({
    form,
    name,
    field,
    schema: shape[name as keyof typeof shape] as (typeof SignUp.shape)['fullname'],
  })),
)

test.each(cases)('the field $name of $form has the errors of its schema', ({ field, schema }) => {
  fc.assert(
    fc.property(text, (typed) => {
      const issue = schema.safeParse(typed).error?.issues[0]?.message ?? null
      expect(field.error(field.clean(typed))?.message ?? null).toBe(issue)
    }),
    { numRuns: 500 },
  )
})
