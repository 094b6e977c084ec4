import type { PersonId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'

export interface Totp {
  /** Encrypted. */
  readonly secret: Buffer
  readonly startedAt: Date
  /** Null until the person has entered a code of the app. */
  readonly enabledAt: Date | null
}

export async function findTotp(q: Queryable, personId: PersonId): Promise<Totp | null> {
  const row = await q
    .selectFrom('totp_factors')
    .where('person_id', '=', uuidOf(personId))
    .select(['secret', 'started_at', 'enabled_at'])
    .executeTakeFirst()
  return row ? { secret: row.secret, startedAt: row.started_at, enabledAt: row.enabled_at } : null
}

/** Stores the secret of an app that is not enabled yet, and replaces an earlier such one. False when the person has an enabled app. */
export async function upsertTotp(tx: Tx, personId: PersonId, secret: Buffer, at: Date): Promise<boolean> {
  const started = { secret, started_at: at }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('totp_factors')
    .values({ person_id: uuidOf(personId), ...started })
    .onConflict((conflict) =>
      conflict.column('person_id').doUpdateSet(started).where('totp_factors.enabled_at', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Enables the app with the secret that a code was compared with. False when another call has enabled or replaced it. */
export async function updateToEnabled(
  tx: Tx,
  personId: PersonId,
  { secret, step }: { readonly secret: Buffer; readonly step: bigint },
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_factors')
    .set({ enabled_at: at, last_step: step })
    .where('person_id', '=', uuidOf(personId))
    .where('secret', '=', secret)
    .where('enabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Records the step of an accepted code. False when the code of this step or a later one was accepted before. */
export async function recordStep(tx: Tx, personId: PersonId, step: bigint): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('person_id', '=', uuidOf(personId))
    .where('enabled_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes an enabled app with its recovery codes; false when there was none. */
export async function deleteTotp(tx: Tx, personId: PersonId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('totp_factors')
    .where('person_id', '=', uuidOf(personId))
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function replaceRecoveryCodeHashes(
  tx: Tx,
  personId: PersonId,
  hashes: readonly Buffer[],
): Promise<void> {
  const person_id = uuidOf(personId)
  await tx.deleteFrom('recovery_codes').where('person_id', '=', person_id).execute()
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ person_id, code_hash })))
    .execute()
}

/** Uses a recovery code; false when there is none that is unused. */
export async function useRecoveryCodeHash(
  tx: Tx,
  personId: PersonId,
  hash: Buffer,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: at })
    .where('person_id', '=', uuidOf(personId))
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countRecoveryCodes(q: Queryable, personId: PersonId): Promise<number> {
  const { left } = await q
    .selectFrom('recovery_codes')
    .where('person_id', '=', uuidOf(personId))
    .where('used_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('left'))
    .executeTakeFirstOrThrow()
  return left
}
