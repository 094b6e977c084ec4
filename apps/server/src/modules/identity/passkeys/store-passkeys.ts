import type { PasskeyId, PersonId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { passkeys } from '../tables.ts'

export type Passkey = EntityOf<typeof passkeys>

export interface NewPasskey extends Pick<Passkey, 'credentialId' | 'publicKey' | 'transports' | 'synced'> {
  readonly signCount: bigint
}

export async function passkeysOf(q: Queryable, personId: PersonId): Promise<Passkey[]> {
  const rows = await q
    .selectFrom('passkeys')
    .where('person_id', '=', uuidOf(personId))
    .select(passkeys.names)
    .orderBy('id')
    .execute()
  return rows.map(passkeys.read)
}

/** Searches the passkeys of this account only. */
export async function passkeyWith(
  q: Queryable,
  personId: PersonId,
  credentialId: Buffer,
): Promise<Passkey | null> {
  const row = await q
    .selectFrom('passkeys')
    .where('person_id', '=', uuidOf(personId))
    .where('credential_id', '=', credentialId)
    .select(passkeys.names)
    .executeTakeFirst()
  return row ? passkeys.read(row) : null
}

/** Null when any account has the credential already. */
export async function insertPasskey(
  tx: Tx,
  personId: PersonId,
  passkey: NewPasskey & Pick<Passkey, 'id' | 'name' | 'createdAt'>,
): Promise<Passkey | null> {
  const row = await tx
    .insertInto('passkeys')
    .values(passkeys.row({ personId, ...passkey }))
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
  personId: PersonId,
  id: PasskeyId,
  use: { signCount: bigint; synced: boolean; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ sign_count: use.signCount, synced: use.synced, last_used_at: use.at })
    .where('person_id', '=', uuidOf(personId))
    .where('id', '=', uuidOf(id))
    .where((eb) => (use.signCount === 0n ? eb('sign_count', '=', 0n) : eb('sign_count', '<', use.signCount)))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function updateName(
  tx: Tx,
  personId: PersonId,
  id: PasskeyId,
  name: string,
): Promise<Passkey | null> {
  const row = await tx
    .updateTable('passkeys')
    .set({ name })
    .where('person_id', '=', uuidOf(personId))
    .where('id', '=', uuidOf(id))
    .returning(passkeys.names)
    .executeTakeFirst()
  return row ? passkeys.read(row) : null
}

/** The removed passkey; null when there was none. */
export async function deletePasskey(tx: Tx, personId: PersonId, id: PasskeyId): Promise<Passkey | null> {
  const row = await tx
    .deleteFrom('passkeys')
    .where('person_id', '=', uuidOf(personId))
    .where('id', '=', uuidOf(id))
    .returning(passkeys.names)
    .executeTakeFirst()
  return row ? passkeys.read(row) : null
}
