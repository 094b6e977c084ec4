import { paymentStatuses } from '@muripo/contract/payments'
import { describe, expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { uuidOf } from '../../platform/ids.ts'
import { makePayment } from './factory.ts'
import { paymentMoves } from './payment/moves.ts'

describe('a status moves in the database exactly as in the machine:', () => {
  const moves: readonly { from: readonly string[]; to: string }[] = Object.values(paymentMoves)
  const pairs = paymentStatuses.flatMap((from) => paymentStatuses.map((to) => [from, to] as const))

  /** Makes every other column fit the status, so that only the state machine can refuse. */
  const toStatus = `update payments set status = $2, capture_before = now(),
    captured_minor = case when $2 in ('completed', 'refunded') then amount_minor end, last_event = last_event + (status <> $2)::int,
    completed_at = case when $2 in ('completed', 'refunded') then coalesce(completed_at, now()) end,
    fee_minor = case when $2 in ('completed', 'refunded') then coalesce(fee_minor, 0) end,
    termination_reason = case when $2 = 'failed' then 'cancelled' end, termination_since = case when $2 = 'failed' then now() end,
    refunded_minor = case when $2 = 'refunded' then amount_minor else 0 end where id = $1`

  const ways: Record<string, readonly string[]> = {
    pending: [],
    authorized: ['authorized'],
    completed: ['completed'],
    failed: ['failed'],
    refunded: ['completed', 'refunded'],
  }

  test.for(pairs)('%s to %s', async ([from, to], { world, shop }) => {
    const run = async (values: readonly string[]) =>
      (await world.ctx.db.pool.query(toStatus, [...values])).rowCount
    const id = uuidOf((await makePayment(world.ctx, shop.owner, { capture: 'manual' })).id)
    for (const status of ways[from] ?? []) await run([id, status])
    const isKnown = from === to || moves.some((move) => move.from.includes(from) && move.to === to)
    const change = run([id, to])
    if (isKnown) await expect(change).resolves.toBe(1)
    else await expect(change).rejects.toMatchObject({ code: '23001' })
  })
})
