import { vi } from 'vitest'
import type { Ctx } from '../src/platform/ctx.ts'

/** Resolves when every transaction that has begun has ended, also in the other databases of the server: aggregators wait for them. */
export async function transactionsEnded({ db: { pool } }: Pick<Ctx, 'db'>): Promise<void> {
  const begun = (await pool.query('select transaction_position() as position')).rows[0].position
  const isPassed = async () =>
    (await pool.query('select transaction_horizon() > $1::bigint as passed', [begun])).rows[0].passed
  await vi.waitUntil(isPassed, { timeout: 60_000, interval: 5 })
}
