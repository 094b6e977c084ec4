import type pg from 'pg'
import { lookupOf, newKey } from '../../apps/server/src/modules/applications/key.ts'
import { developmentMasterKey } from '../../apps/server/src/platform/crypto/keys.ts'
import { keysIn } from '../../apps/server/src/platform/crypto/root-secret.ts'
import { systemIds } from '../../apps/server/src/platform/ids.ts'

/** Test keys for applications that a tool writes into the database of the gateway of a data directory. */
export async function newApplicationKeys(
  sql: pg.Client,
  dataDir: string,
  count: number,
): Promise<{ key: string; lookup: Buffer }[]> {
  const { rows } = await sql.query(
    'select encrypted, first_key_id as "firstId", encryption_key_id(encrypted) as "activeId" from root_secret',
  )
  const keys = keysIn(rows[0], [developmentMasterKey(dataDir)])
  return Array.from({ length: count }, () => {
    const key = newKey(systemIds, 'test')
    return { key, lookup: lookupOf(keys, key) }
  })
}
