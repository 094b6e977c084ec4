import { expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { transactionsEnded } from '../../../test/transactions-ended.ts'
import type { WorldCtx } from '../../../test/world.ts'
import type { Samples } from '../../platform/metrics/figures.ts'
import { aggregateLedgerBalances, ledgerMetrics } from '../ledger/index.ts'
import { makeAttempt, makePaid, makePayment, refused, unanswered } from './factory.ts'
import { paymentTasks } from './jobs.ts'
import { paymentMetrics } from './metrics.ts'

async function read(ctx: WorldCtx): Promise<Samples> {
  const all = await Promise.all(
    [...paymentMetrics(ctx, ctx.db), ...ledgerMetrics([ctx.db])].map((figures) => figures.read()),
  )
  return Object.assign({}, ...all)
}
const valueIn = (samples: Samples, metric: string, labels: Record<string, string>) =>
  samples[metric]?.find((each) => JSON.stringify(each.labels) === JSON.stringify(labels))?.value

test('payments and attempts are counted by outcome and provider', async ({ world, shop }) => {
  const { ctx, provider } = world
  const before = await read(ctx)
  const paid = await makePaid(ctx, shop.owner, provider)
  provider.charge = async () => refused()
  await makeAttempt(ctx, await makePayment(ctx, shop.owner))
  const after = await read(ctx)
  const { id } = provider.connector
  const grown = (metric: string, outcome: string) =>
    (valueIn(after, metric, { outcome, provider: id }) ?? 0) -
    (valueIn(before, metric, { outcome, provider: id }) ?? 0)
  expect(paid.status).toBe('completed')
  expect(grown('muripo_payments_total', 'completed')).toBe(1)
  expect(grown('muripo_attempts_total', 'completed')).toBe(1)
  expect(grown('muripo_attempts_total', 'failed')).toBe(1)
  expect(grown('muripo_payments_total', 'failed')).toBe(0)
})

test('attempts without an answer are counted with the age of the oldest, and wait for their look-up', async ({
  world,
  shop,
}) => {
  const { ctx, provider } = world
  provider.charge = async () => Promise.reject(unanswered())
  await makeAttempt(ctx, await makePayment(ctx, shop.owner))
  ctx.clock.advance(90_000)
  const samples = await read(ctx)
  expect(valueIn(samples, 'muripo_open_attempts', { status: 'unknown' })).toBe(1)
  expect(valueIn(samples, 'muripo_open_attempts_oldest_seconds', { status: 'unknown' })).toBeCloseTo(90, 0)
  expect(valueIn(samples, 'muripo_open_attempts', { status: 'pending' })).toBe(0)
  expect(valueIn(samples, 'muripo_queue_depth', { queue: 'look-ups' })).toBe(1)
  expect(valueIn(samples, 'muripo_queue_oldest_seconds', { queue: 'look-ups' })).toBeGreaterThan(30)
})

test('the discrepancies of the last comparison of the ledger are reported', async ({ world, shop }) => {
  const { ctx, provider } = world
  const compare = paymentTasks(ctx, ctx).find(({ name }) => name === 'compare')
  await compare?.run(AbortSignal.timeout(60_000))
  const live = { check: 'balances', environment: 'live' }
  expect(valueIn(await read(ctx), 'muripo_ledger_discrepancies', live)).toBe(0)
  await makePaid(ctx, shop.owner, provider)
  await transactionsEnded(ctx)
  await aggregateLedgerBalances(ctx)
  await ctx.db.pool.query('update ledger_account_balances set debit_minor = debit_minor + 1')
  ctx.clock.advance(3_600_000)
  const advancedAt = ctx.clock.now().getTime()
  await compare?.run(AbortSignal.timeout(60_000))
  const samples = await read(ctx)
  expect(valueIn(samples, 'muripo_ledger_compared_timestamp_seconds', live)).toBeGreaterThanOrEqual(
    advancedAt / 1000,
  )
  expect(valueIn(samples, 'muripo_ledger_discrepancies', live)).toBeGreaterThan(0)
})
