import type { MerchantId, PasskeyId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { passkeys } from '../tables.ts'

export type Passkey = EntityOf<typeof passkeys>

export interface NewPasskey extends Pick<Passkey, 'credentialId' | 'publicKey' | 'transports' | 'synced'> {
  readonly signCount: bigint
}

export async function passkeysOf(q: Queryable, merchantId: MerchantId): Promise<Passkey[]> {
  const rows = await q
    .selectFrom('passkeys')
    .where('merchant_id', '=', uuidOf(merchantId))
    .select(passkeys.names)
    .orderBy('id')
    .execute()
  return rows.map(passkeys.read)
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
    .select(passkeys.names)
    .executeTakeFirst()
  return row ? passkeys.read(row) : null
}

/** Null when any account has the credential already. */
export async function insertPasskey(
  tx: Tx,
  merchantId: MerchantId,
  passkey: NewPasskey & Pick<Passkey, 'id' | 'name' | 'createdAt'>,
): Promise<Passkey | null> {
  const row = await tx
    .insertInto('passkeys')
    .values(passkeys.row({ merchantId, ...passkey }))
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(passkeys.names)
    .executeTakeFirst()
  return row ? passkeys.read(row) : null
}

/**
 * Records a use. False when the counter of the authenticator has not increased since the last use: then it was copied. An authenticator
 * that does not count sends 0 each time.
 */
export async function recordPasskeyUse(
  tx: Tx,
  merchantId: MerchantId,
  id: PasskeyId,
  use: { signCount: bigint; synced: boolean; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ sign_count: use.signCount, synced: use.synced, last_used_at: use.at })
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
    .returning(passkeys.names)
    .executeTakeFirst()
  return row ? passkeys.read(row) : null
}

/** The removed passkey; null when there was none. */
export async function deletePasskey(tx: Tx, merchantId: MerchantId, id: PasskeyId): Promise<Passkey | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .returning(passkeys.names)
    .executeTakeFirst()
  return row ? passkeys.read(row) : null
}
