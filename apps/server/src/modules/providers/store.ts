import { CallbackId } from '@muripo/contract/ids'
import type { Database } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

export interface StoredCallback {
  readonly id: CallbackId
  readonly provider: string
  readonly token: string
}

export async function insertCallback(
  db: Database,
  callback: StoredCallback & { headers: object; body: Buffer; receivedAt: Date },
): Promise<void> {
  await db.kysely
    .insertInto('provider_callbacks')
    .values({
      id: uuidOf(callback.id),
      provider: callback.provider,
      token: callback.token,
      headers: JSON.stringify(callback.headers),
      body: callback.body,
      received_at: callback.receivedAt,
    })
    .execute()
}

export async function finishCallback(
  db: Database,
  id: CallbackId,
  result: 'applied' | 'unmatched',
  at: Date,
): Promise<void> {
  await db.kysely
    .updateTable('provider_callbacks')
    .set({ result, processed_at: at })
    .where('id', '=', uuidOf(id))
    .execute()
}

/** Callbacks that were kept but not gone through: the process stopped in between, or the provider could not be asked. */
export async function waitingCallbacks(
  db: Database,
  receivedBefore: Date,
  limit: number,
): Promise<StoredCallback[]> {
  const rows = await db.kysely
    .selectFrom('provider_callbacks')
    .select(['id', 'provider', 'token'])
    .where('processed_at', 'is', null)
    .where('received_at', '<', receivedBefore)
    .orderBy('received_at')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: idFrom(CallbackId, row.id), provider: row.provider, token: row.token }))
}
