import { Contact } from '@muripo/contract/site'
import { expect, test } from 'vitest'
import { contactErrors } from './contact-rules.ts'

const fine = { name: 'Chiedza', email: 'chiedza@example.com', message: 'Hello' }

test('a message that the server takes has no error', () => {
  expect(Contact.safeParse(fine).success).toBe(true)
  expect(contactErrors(fine)).toEqual({})
})

test.each([
  { ...fine, name: '  ' },
  { ...fine, email: '' },
  { ...fine, email: 'chiedza' },
  { ...fine, email: 'chiedza@example' },
  { ...fine, message: '\n ' },
  { name: '', email: '', message: '' },
])('the form says what the server would say: %j', (typed) => {
  const said = Contact.safeParse(typed).error?.issues.map(({ path, message }) => [path[0], message]) ?? []
  // A field's first complaint is the one that counts.
  expect(contactErrors(typed)).toEqual(Object.fromEntries(said.reverse()))
  expect(said.length).toBeGreaterThan(0)
})
