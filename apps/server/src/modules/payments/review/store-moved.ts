import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { Attempt } from '../payment/payment.ts'

type Named = Pick<Attempt, 'accountId' | 'id'>
const isIt = ({ accountId, id }: Named) => sql`account_id = ${uuidOf(accountId)} and id = ${uuidOf(id)}`

/** The amount that an operator found to have moved for a failed attempt; null when there is none. */
export async function movedOf(tx: Tx, attempt: Named): Promise<bigint | null> {
  const { rows } = await sql<{ moved_minor: bigint | null }>`
    select moved_minor from payment_attempts where ${isIt(attempt)}`.execute(tx)
  return rows[0]?.moved_minor ?? null
}

/** The watch ends, because an operator has resolved the attempt. */
export async function setMoved(tx: Tx, attempt: Named, minor: bigint): Promise<void> {
  await sql`update payment_attempts set moved_minor = ${minor}, next_watch_at = null where ${isIt(attempt)}`.execute(
    tx,
  )
}

export async function clearMoved(tx: Tx, attempt: Named): Promise<void> {
  await sql`update payment_attempts set moved_minor = null where ${isIt(attempt)}`.execute(tx)
}
