import { isIP } from 'node:net'
import type { ConsolePaymentDetails } from '@muripo/contract/console'
import { maskedEmail } from '../../identity/index.ts'
import { maskedNumber } from '../../payments/index.ts'

/** "077 *** 4567". */
export const maskedPhone = (phone: string): string => maskedNumber({ msisdn: phone.replace(/^\+/, '') }) ?? ''

const maskedName = (name: string): string => `${[...name][0] ?? ''}•••`

const emails = /[^\s<>"'(),;:]+@[^\s<>"'(),;:@]+\.[a-z]{2,}/gi
/** Numbers with a country code, and mobile numbers of Zimbabwe as they are written there. */
const phones = /(?<![\w+])(?:\+\d(?:[ -]?\d){7,14}|(?:263|0) ?7\d(?:[ -]?\d){7})(?!\w)/g
const addresses = /(?<![\w:.])(?:[\da-f]*[:.])+[\da-f]+(?![\w:])/gi

/** "41.220.•••" and "2001:db8:•••". */
export const maskedAddress = (address: string): string => {
  const separator = address.includes(':') ? ':' : '.'
  return isIP(address) === 0 ? address : [...address.split(separator).slice(0, 2), '•••'].join(separator)
}

/** A text without the email addresses, phone numbers and network addresses in it. */
export const maskedText = (text: string): string =>
  text
    .replace(emails, maskedEmail)
    .replace(phones, (phone) => maskedPhone(phone.replace(/\D/g, '').replace(/^0/, '263')))
    .replace(addresses, maskedAddress)

/** The same of all texts in a value of an audit entry. */
export function maskedTexts(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value)
  if (Array.isArray(value)) return value.map(maskedTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, maskedTexts(each)]))
}

type Payment = ConsolePaymentDetails['payment']

/** The details of a payment without what identifies its payer. */
export const maskedDetails = (details: Payment): Payment => ({
  ...details,
  purposeDescription: maskedText(details.purposeDescription),
  customerPhoneNumber: details.customerPhoneNumber && maskedPhone(details.customerPhoneNumber),
  customer: {
    ...details.customer,
    email: details.customer.email && maskedEmail(details.customer.email),
    name: details.customer.name && maskedName(details.customer.name),
    phone: details.customer.phone && maskedPhone(details.customer.phone),
  },
  timeline: details.timeline.map((entry) =>
    'explanation' in entry
      ? { ...entry, explanation: entry.explanation && maskedText(entry.explanation) }
      : entry,
  ),
})
