import { hash } from 'node:crypto'
import { CustomerId, type MerchantId } from '@muripo/contract/ids'
import type { Keys } from '../../platform/crypto/keys.ts'
import { idFrom } from '../../platform/ids.ts'
import { toE164 } from '../identity/index.ts'

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

/**
 * Who a payment names: the email, or without one the phone number. Null when it names neither. Whoever is named in the same words has
 * the same id with a merchant, without anybody being asked; nobody else can tell the id from the name.
 */
export function customerOf(keys: Keys, merchantId: MerchantId, named: Named): Customer | null {
  const email = named.email === null ? null : toKnownEmail(named.email)
  const phone = named.phone === null ? null : toE164(named.phone)
  const by = email ?? phone
  return by === null
    ? null
    : { id: idFrom(CustomerId, uuidFor(keys, merchantId, by)), email, phone, name: named.name }
}

const toKnownEmail = (email: string): string => email.normalize('NFC').toLowerCase()

/** A UUIDv8: half of a hash that begins with a secret, so that nothing can be added to what it is of. */
function uuidFor(keys: Keys, merchantId: MerchantId, by: string): string {
  const hex = hash('sha256', `${keys.customerIds} ${merchantId} ${by}`)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
