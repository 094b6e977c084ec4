import { AccountId, type Id } from '@muripo/contract/ids'
import { stringify } from 'uuid'
import { idFrom, uuidOf } from '../ids.ts'
import { deterministicCipher } from './encryption.ts'

const UUID_BYTES = 16
/** About two megabytes. */
const ENTRIES_MAX = 10_000

/**
 * An unguessable token for an address. It names one record of one account to the gateway and reveals nothing to others. It is computed from
 * the ids when it is needed, so no table and no index contains it.
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
  // A payment's link is part of each of its events and responses.
  const cached = new Map<string, string>()

  return {
    tokenOf(accountId, id) {
      const name = accountId + id
      const known = cached.get(name)
      if (known !== undefined) return known
      const plain = Buffer.from((uuidOf(accountId) + uuidOf(id)).replaceAll('-', ''), 'hex')
      const token = cipher.encrypt(plain).toString('base64url')
      if (cached.size >= ENTRIES_MAX) cached.clear()
      cached.set(name, token)
      return token
    },
    read(token) {
      if (!/^[A-Za-z0-9_-]{40,120}$/.test(token)) return null
      const plain = cipher.decrypt(Buffer.from(token, 'base64url'))
      if (plain === null) return null
      return {
        accountId: idFrom(AccountId, stringify(plain.subarray(0, UUID_BYTES))),
        id: idFrom(kind, stringify(plain.subarray(UUID_BYTES))),
      }
    },
  }
}
