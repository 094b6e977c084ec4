import { hash } from 'node:crypto'
import { type AccountId, CustomerId } from '@muripo/contract/ids'
import type { Keys } from '../../../platform/crypto/keys.ts'
import { idFrom } from '../../../platform/ids.ts'
import { toE164 } from '../../identity/index.ts'

/** A customer of a merchant, with the details that payments have contained. */
export interface Customer {
  readonly id: CustomerId
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
}

/** The customer fields of a payment, as the merchant sent them. */
export interface Named {
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
}

/** The phone numbers that the table of customers accepts; a test compares the two. */
export const storedPhone = /^\+[1-9][0-9]{6,14}$/
export const storedEmail = { least: 3, most: 254 } as const

/**
 * The customer of a payment: identified by the email, or without one by the phone number. Null when the payment has neither, or neither can
 * be stored: some countries have numbers outside of E.164, and lowercase letters may be longer than the original. The payment stores the
 * original fields in any case. The id is computed from the name, so the same email has the same id at a merchant without a query, and
 * nobody without the key can compute the id.
 */
export function customerOf(keys: Keys, accountId: AccountId, named: Named): Customer | null {
  const email = named.email === null ? null : toKnownEmail(named.email)
  const phone = named.phone === null ? null : toKnownPhone(named.phone)
  const by = email ?? phone
  return by === null
    ? null
    : { id: idFrom(CustomerId, uuidFor(keys, accountId, by)), email, phone, name: named.name }
}

function toKnownEmail(text: string): string | null {
  const email = text.normalize('NFC').toLowerCase()
  const length = [...email].length
  return length >= storedEmail.least && length <= storedEmail.most ? email : null
}

function toKnownPhone(text: string): string | null {
  const phone = toE164(text)
  return phone !== null && storedPhone.test(phone) ? phone : null
}

/** A UUIDv8 of a hash that begins with a secret. Half of the hash is used, so that it cannot be extended. */
function uuidFor(keys: Keys, accountId: AccountId, by: string): string {
  const hex = hash('sha256', `${keys.customerIds} ${accountId} ${by}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
