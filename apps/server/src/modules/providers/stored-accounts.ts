import { encryptedColumn } from '../../platform/crypto/encrypted-values.ts'
import { decrypt, encrypt } from '../../platform/crypto/encryption.ts'
import type { Keys } from '../../platform/crypto/keys.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { ConfigError } from '../../platform/settings.ts'
import type { StoredAccount, StoredProviders } from './registry.ts'
import { type AccountRow, accountRows, isAbsent } from './store-accounts.ts'
import { merchantRoutes } from './store-routes.ts'

type Variables = NonNullable<StoredAccount['variables']>

/** Settings of another account, or earlier settings of the same one, cannot be put in their place. */
const contextOf = (id: string, version: number): string => `provider account ${id} ${version}`

export const encryptSettings = (keys: Keys, id: string, version: number, variables: Variables): Buffer =>
  encrypt(keys.providerAccountEncryption, Buffer.from(JSON.stringify(variables)), contextOf(id, version))

/** @throws ConfigError when the settings were encrypted with another master key, or changed */
export function variablesIn(
  keys: Keys,
  { id, version, settings }: Pick<AccountRow, 'id' | 'version' | 'settings'>,
): Variables | null {
  if (settings === null) return null
  const plain = decrypt(keys.providerAccountEncryption, settings, contextOf(id, version))
  if (plain !== null) return JSON.parse(plain.toString()) as Variables
  throw new ConfigError([
    `The stored settings of the account ${id} cannot be decrypted: its master key is missing, or the row was changed`,
  ])
}

/** The stored accounts, decrypted, and the stored routes. */
export async function storedProviders(db: Queryable, keys: Keys): Promise<StoredProviders> {
  const rows = await accountRows(db)
  const accounts = rows.map((row) => ({
    id: row.id,
    version: row.version,
    variables: variablesIn(keys, row),
    isDisabled: row.disabledAt !== null,
    isAbsent: isAbsent(row),
  }))
  return { accounts, routes: await merchantRoutes(db) }
}

export const encryptedSettings = encryptedColumn({
  name: 'accounts at providers',
  table: 'provider_accounts',
  column: 'settings',
  primaryKey: ['id'],
  also: ['version'],
  keys: (keys) => keys.providerAccountEncryption,
  context: ({ id = '', version }) => contextOf(id, Number(version)),
})
