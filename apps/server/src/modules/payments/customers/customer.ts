import { hash } from 'node:crypto'
import { type AccountId, CustomerId } from '@muripo/contract/ids'
import type { Keys } from '../../../platform/crypto/keys.ts'
import { idFrom } from '../../../platform/ids.ts'
import { toE164 } from '../../identity/index.ts'

/** Somebody who pays a merchant, as far as payments have told. */
export interface Customer {
  readonly id: CustomerId
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
}

/** What a payment says of who pays, as it was written. */
export interface Named {
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
}

/** What the table of customers takes; a test compares the two. */
export const keptPhone = /^\+[1-9][0-9]{6,14}$/
export const keptEmail = { least: 3, most: 254 } as const

/**
 * Who a payment names: the email, or without one the phone number. Null when it names neither, or neither can be kept: some countries
 * have numbers that are shorter or longer than E.164 knows, and small letters may be longer than what was written. The payment keeps
 * what was written all the same. Whoever is named in the same words has the same id with a merchant, without anybody being asked;
 * nobody else can tell the id from the name.
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
  return length >= keptEmail.least && length <= keptEmail.most ? email : null
}

function toKnownPhone(text: string): string | null {
  const phone = toE164(text)
  return phone !== null && keptPhone.test(phone) ? phone : null
}

/** A UUIDv8: half of a hash that begins with a secret, so that nothing can be added to what it is of. */
function uuidFor(keys: Keys, accountId: AccountId, by: string): string {
  const hex = hash('sha256', `${keys.customerIds} ${accountId} ${by}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
