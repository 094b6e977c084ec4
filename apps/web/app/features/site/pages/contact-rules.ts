export type ContactField = 'name' | 'email' | 'message'
export type ContactErrors = Partial<Record<ContactField, string | undefined>>

const address = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The sentences of the contract's schema, which itself is too much weight for a public page. A test compares both. */
export function contactErrors(typed: Readonly<Record<ContactField, string>>): ContactErrors {
  const errors: ContactErrors = {}
  if (typed.name.trim() === '') errors.name = 'Name is required'
  if (typed.email.trim() === '') errors.email = 'Email is required'
  else if (!address.test(typed.email.trim())) errors.email = 'Please enter a valid email'
  if (typed.message.trim() === '') errors.message = 'Message is required'
  return errors
}
