import type { Keys } from '../../platform/crypto/keys.ts'
import type { Queryable } from '../../platform/db/database.ts'
import type { StoredProviders } from './registry.ts'
import { accountRows } from './store-accounts.ts'
import { merchantRoutes } from './store-routes.ts'
import { variablesIn } from './stored-accounts.ts'

/** The stored accounts, decrypted, and the stored routes. */
export async function storedProviders(db: Queryable, keys: Keys): Promise<StoredProviders> {
  const rows = await accountRows(db)
  const accounts = rows.map((row) => ({
    id: row.id,
    version: row.version,
    variables: variablesIn(keys, row),
    isDisabled: row.disabledAt !== null,
  }))
  return { accounts, routes: await merchantRoutes(db) }
}
