import { AccountId } from '@muripo/contract/ids'
import type pg from 'pg'
import { lookupOf, newKey } from '../../apps/server/src/modules/applications/key.ts'
import { developmentMasterKey } from '../../apps/server/src/platform/crypto/keys.ts'
import { keysIn } from '../../apps/server/src/platform/crypto/root-secret.ts'
import { idFrom, systemIds, uuidOf } from '../../apps/server/src/platform/ids.ts'

/** The UUIDs of new accounts. */
export const newAccounts = (count: number): string[] =>
  Array.from({ length: count }, () => uuidOf(systemIds.next(AccountId)))

export const accountOf = (uuid: string): AccountId => idFrom(AccountId, uuid)

/**
 * Test keys for applications that a tool writes into the database of the gateway of a data directory.
 * @param accounts a UUID for each key
 */
export async function newApplicationKeys(
  sql: pg.Client,
  dataDir: string,
  accounts: readonly string[],
): Promise<{ key: string; lookup: Buffer }[]> {
  const { rows } = await sql.query(
    'select encrypted, first_key_id as "firstId", encryption_key_id(encrypted) as "activeId" from root_secret',
  )
  const keys = keysIn(rows[0], [developmentMasterKey(dataDir)])
  return accounts.map((id) => {
    const key = newKey(systemIds, 'test', accountOf(id))
    return { key, lookup: lookupOf(keys, key) }
  })
}
