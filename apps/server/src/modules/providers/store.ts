import { CallbackId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

export interface StoredCallback {
  readonly id: CallbackId
  readonly provider: string
  readonly token: string
}

export async function insertCallback(
  db: Database,
  callback: StoredCallback & { headers: object; body: Buffer },
  leaseMs: number,
): Promise<void> {
  await db.kysely
    .insertInto('provider_callbacks')
    .values({
      id: uuidOf(callback.id),
      provider: callback.provider,
      token: callback.token,
      headers: JSON.stringify(callback.headers),
      body: callback.body,
      received_at: databaseNow,
      next_try_at: databaseNowPlus(leaseMs),
    })
    .execute()
}

export async function finishCallback(
  db: Database,
  id: CallbackId,
  result: 'applied' | 'unmatched',
): Promise<void> {
  await db.kysely
    .updateTable('provider_callbacks')
    .set({ result, processed_at: databaseNow })
    .where('id', '=', uuidOf(id))
    .execute()
}

/**
 * Takes callbacks that were kept but not gone through: the process stopped in between, or the provider could not be asked. Each is one
 * process's for `leaseMs`, and those that have waited longest come first.
 */
export async function takeWaitingCallbacks(
  db: Database,
  leaseMs: number,
  limit: number,
): Promise<StoredCallback[]> {
  const { rows } = await sql<{ id: string; provider: string; token: string }>`
    update provider_callbacks set next_try_at = ${databaseNowPlus(leaseMs)}
    where id in (
      select id from provider_callbacks where processed_at is null and next_try_at <= ${databaseNow}
      order by next_try_at limit ${limit} for update skip locked)
    returning id, provider, token`.execute(db.kysely)
  return rows.map((row) => ({ id: idFrom(CallbackId, row.id), provider: row.provider, token: row.token }))
}
