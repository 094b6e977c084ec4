import { type Id, type MerchantId, MerchantId as MerchantIdKind } from '@muripo/contract/ids'
import { parse, stringify } from 'uuid'
import { idFrom, uuidOf } from '../ids.ts'
import { open, sealDeterministic } from './seal.ts'

const UUID_BYTES = 16

/**
 * An unguessable token for an address, that names one record of one merchant to us and says nothing to others. It is made from the
 * ids whenever it is needed, so that no table and no index has to keep it.
 */
export interface Links<Prefix extends string> {
  tokenOf(merchantId: MerchantId, id: Id<Prefix>): string
  read(token: string): { merchantId: MerchantId; id: Id<Prefix> } | null
}

export function createLinks<Prefix extends string>(
  key: Buffer,
  purpose: string,
  kind: { readonly prefix: Prefix },
): Links<Prefix> {
  return {
    tokenOf(merchantId, id) {
      const plain = Buffer.concat([parse(uuidOf(merchantId)), parse(uuidOf(id))])
      return sealDeterministic(key, plain, purpose).toString('base64url')
    },
    read(token) {
      if (!/^[A-Za-z0-9_-]{40,120}$/.test(token)) return null
      const plain = open(key, Buffer.from(token, 'base64url'), purpose)
      if (plain?.length !== 2 * UUID_BYTES) return null
      return {
        merchantId: idFrom(MerchantIdKind, stringify(plain.subarray(0, UUID_BYTES))),
        id: idFrom(kind, stringify(plain.subarray(UUID_BYTES))),
      }
    },
  }
}
