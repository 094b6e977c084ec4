import { type MerchantId, PasskeyId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

export interface NewPasskey {
  readonly credentialId: Buffer
  /** As the authenticator gave it, in COSE. */
  readonly publicKey: Buffer
  readonly signCount: bigint
  readonly transports: readonly string[]
  readonly synced: boolean
}

export interface Passkey extends Omit<NewPasskey, 'signCount'> {
  readonly id: PasskeyId
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const columns = [
  'id',
  'credential_id',
  'public_key',
  'transports',
  'synced',
  'name',
  'created_at',
  'last_used_at',
] as const

interface Row {
  readonly id: string
  readonly credential_id: Buffer
  readonly public_key: Buffer
  readonly transports: string[]
  readonly synced: boolean
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

const toPasskey = (row: Row): Passkey => ({
  id: idFrom(PasskeyId, row.id),
  credentialId: row.credential_id,
  publicKey: row.public_key,
  transports: row.transports,
  synced: row.synced,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

export async function passkeysOf(q: Queryable, merchantId: MerchantId): Promise<Passkey[]> {
  const rows = await q
    .selectFrom('passkeys')
    .where('merchant_id', '=', uuidOf(merchantId))
    .select(columns)
    .orderBy('id')
    .execute()
  return rows.map(toPasskey)
}

/** Searches the passkeys of this account only. */
export async function passkeyWith(
  q: Queryable,
  merchantId: MerchantId,
  credentialId: Buffer,
): Promise<Passkey | null> {
  const row = await q
    .selectFrom('passkeys')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('credential_id', '=', credentialId)
    .select(columns)
    .executeTakeFirst()
  return row ? toPasskey(row) : null
}

/** Null when any account has the credential already. */
export async function insertPasskey(
  tx: Tx,
  merchantId: MerchantId,
  passkey: NewPasskey & Pick<Passkey, 'id' | 'name' | 'createdAt'>,
): Promise<Passkey | null> {
  const row = await tx
    .insertInto('passkeys')
    .values({
      merchant_id: uuidOf(merchantId),
      id: uuidOf(passkey.id),
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: [...passkey.transports],
      synced: passkey.synced,
      name: passkey.name,
      created_at: passkey.createdAt,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row ? toPasskey(row) : null
}

/**
 * Records a use. False when the counter of the authenticator has not increased since the last use: then it was copied. An authenticator
 * that does not count sends 0 each time.
 */
export async function countUse(
  tx: Tx,
  merchantId: MerchantId,
  id: PasskeyId,
  use: { signCount: bigint; synced: boolean },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ sign_count: use.signCount, synced: use.synced, last_used_at: now })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .where((eb) => (use.signCount === 0n ? eb('sign_count', '=', 0n) : eb('sign_count', '<', use.signCount)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function updateName(
  tx: Tx,
  merchantId: MerchantId,
  id: PasskeyId,
  name: string,
): Promise<Passkey | null> {
  const row = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .returning(columns)
    .executeTakeFirst()
  return row ? toPasskey(row) : null
}

/** The removed passkey; null when there was none. */
export async function deletePasskey(tx: Tx, merchantId: MerchantId, id: PasskeyId): Promise<Passkey | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .returning(columns)
    .executeTakeFirst()
  return row ? toPasskey(row) : null
}
