import { type AccountId, AccountId as AccountIdKind, type Id } from '@muripo/contract/ids'
import { stringify } from 'uuid'
import { idFrom, uuidOf } from '../ids.ts'
import { deterministicCipher } from './encryption.ts'

const UUID_BYTES = 16
/** Two megabytes. */
const MOST_KEPT = 10_000

/**
 * An unguessable token for an address, that names one record of one merchant to us and says nothing to others. It is made from the
 * ids whenever it is needed, so that no table and no index has to keep it.
 */
export interface Links<Prefix extends string> {
  tokenOf(accountId: AccountId, id: Id<Prefix>): string
  read(token: string): { accountId: AccountId; id: Id<Prefix> } | null
}

export function createLinks<Prefix extends string>(
  key: Buffer,
  purpose: string,
  kind: { readonly prefix: Prefix },
): Links<Prefix> {
  const cipher = deterministicCipher(key, purpose, 2 * UUID_BYTES)
  // A payment's link is said again with each of its events and whenever its shop asks how it stands: encrypting it is an eighth of a read.
  const kept = new Map<string, string>()

  return {
    tokenOf(accountId, id) {
      const name = accountId + id
      const known = kept.get(name)
      if (known !== undefined) return known
      const plain = Buffer.from((uuidOf(accountId) + uuidOf(id)).replaceAll('-', ''), 'hex')
      const token = cipher.encrypt(plain).toString('base64url')
      if (kept.size >= MOST_KEPT) kept.clear()
      kept.set(name, token)
      return token
    },
    read(token) {
      if (!/^[A-Za-z0-9_-]{40,120}$/.test(token)) return null
      const plain = cipher.decrypt(Buffer.from(token, 'base64url'))
      if (plain === null) return null
      return {
        accountId: idFrom(AccountIdKind, stringify(plain.subarray(0, UUID_BYTES))),
        id: idFrom(kind, stringify(plain.subarray(UUID_BYTES))),
      }
    },
  }
}
