import type pg from 'pg'
import { createPool } from '../../apps/server/src/platform/db/database.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'

/** The database of a gateway under a drill. */
export interface DrillDatabase {
  readSnapshot(): Promise<Snapshot>
  /**
   * Moves all deadlines eleven minutes into the past instead of waiting: leases expire, look-ups and deliveries are due, charges of unknown
   * outcome and pages of cards expire. Authorisations reach the time until which they can be captured.
   */
  passTime(): Promise<void>
}

/** @param url read before each connection, because a database that is started again may have another address */
export const databaseAt = (url: () => string): DrillDatabase => ({
  readSnapshot: () => withPool(url(), readSnapshot),
  passTime: () => withPool(url(), passTime),
})

/** @param settings of the sessions, as `name=value` */
export async function withPool<Result>(
  url: string,
  work: (pool: pg.Pool) => Promise<Result>,
  settings: readonly string[] = [],
): Promise<Result> {
  const pool = createPool(url, { maxConnections: 2, settings })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

export async function passTime(pool: pg.Pool): Promise<void> {
  await passTimeOfPayments(pool)
  await passTimeOfCallbacks(pool)
}

const past = "interval '11 minutes'"

export async function passTimeOfPayments(pool: pg.Pool): Promise<void> {
  for (const text of [
    `update payment_attempts set created_at = created_at - ${past}, next_check_at = next_check_at - ${past} where next_check_at is not null`,
    `update payment_attempts set provider_state = jsonb_set(provider_state, '{expiresAt}',
       to_jsonb((provider_state->>'expiresAt')::bigint - 660000)) where status = 'pending' and provider_state ? 'expiresAt'`,
    `update refunds set created_at = created_at - ${past}, next_check_at = next_check_at - ${past}
       where next_check_at is not null or (idempotency_checksum is not null and response is null)`,
    `update payments set capture_before = capture_before - interval '8 days' where status = 'authorized'`,
    `update payment_attempts set next_check_at = next_check_at - interval '8 days' where status = 'authorized'`,
    `update webhook_deliveries set next_attempt_at = next_attempt_at - ${past} where next_attempt_at is not null`,
  ])
    await pool.query(text)
}

export async function passTimeOfCallbacks(pool: pg.Pool): Promise<void> {
  await pool.query(
    `update provider_callbacks set received_at = received_at - ${past}, next_attempt_at = next_attempt_at - ${past} where processed_at is null`,
  )
}

/** Rows that remain only while background work is unfinished, or that show an error of it. */
export const unfinishedWork = {
  'events without exactly one delivery':
    'select id from events left join webhook_deliveries on event_id = id group by id having count(event_id) <> 1',
  'events that wait for the relay': 'select 1 from events_to_relay',
  'deliveries that are not delivered': "select 1 from webhook_deliveries where status <> 'delivered'",
  'totals that differ from the payments': 'select 1 from payment_figures_drift',
  'payments that differ from the ledger':
    'select 1 from payment_ledger_drift union all select 1 from payment_transfers_drift',
} as const

/** Reads problems until there are none, or until a time limit. */
export async function untilNone(
  timeoutMs: number,
  read: () => Promise<string[]>,
  pause: () => Promise<unknown>,
): Promise<string[]> {
  const giveUpAt = performance.now() + timeoutMs
  for (;;) {
    const problems = await read()
    if (problems.length === 0 || performance.now() > giveUpAt) return problems
    await pause()
  }
}
