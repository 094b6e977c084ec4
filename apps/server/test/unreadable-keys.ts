import { AccountId, ApplicationId } from '@muripo/contract/ids'
import type pg from 'pg'
import { decryptKey, lookupOf } from '../src/modules/applications/key.ts'
import type { Keys } from '../src/platform/crypto/keys.ts'
import { idFrom } from '../src/platform/ids.ts'

/** The applications whose stored key cannot be decrypted, or is not the one that its look-up finds. */
export async function unreadableKeys(pool: Pick<pg.Pool, 'query'>, keys: Keys): Promise<string[]> {
  const { rows } = await pool.query<{
    account_id: string
    application_id: string
    lookup: Buffer
    encrypted: Buffer
  }>('select account_id, application_id, lookup, encrypted from application_keys where encrypted is not null')
  return rows
    .filter(({ account_id, application_id, lookup, encrypted }) => {
      try {
        const ids = [idFrom(AccountId, account_id), idFrom(ApplicationId, application_id)] as const
        return !lookupOf(keys, decryptKey(keys, ...ids, encrypted)).equals(lookup)
      } catch {
        return true
      }
    })
    .map(({ application_id }) => application_id)
}
