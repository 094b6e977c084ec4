import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'

/** Emits the notification when the transaction commits. */
export async function notifyProvidersChanged(tx: Tx): Promise<void> {
  await sql`select pg_notify(${channels.providersChanged}, '')`.execute(tx)
}
