import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { skipOnCitus } from '../../../test/on-citus.ts'
import { statementsOf } from '../../../test/statements.ts'
import { transactionsEnded } from '../../../test/transactions-ended.ts'
import { costOf, type WriteCost } from '../../../test/write-cost.ts'
import { aggregateLedgerBalances } from '../ledger/index.ts'
import { startAttempt } from './actions/start-attempt.ts'
import { latestAttempt, lookUpDue, makePaid, paid, paymentNow } from './factory.ts'
import { aggregatePaymentStats } from './jobs.ts'

/**
 * The cost of one payment: its creation, an attempt that its provider answers as pending, a look-up that says the same, the callback
 * whose look-up completes it, and the aggregation of its deltas, which a busy gateway shares among many payments. A change that costs more
 * has to raise a number here, and one that costs less lowers it. `docs/performance.md` shows the table. A few bytes of WAL depend on the
 * values.
 */
const budget: Record<Step, Omit<WriteCost, 'imageBytes'>> = {
  create: {
    statements: 2,
    commits: 1,
    inserted: { payment_stat_deltas: 1, payments: 1 },
    updated: {},
    hotUpdated: {},
    deleted: {},
    indexEntries: 7,
    walBytes: 1260,
  },
  attempt: {
    statements: 5,
    commits: 2,
    inserted: { customers: 1, payment_attempts: 1, payment_stat_deltas: 1 },
    updated: {},
    hotUpdated: { payment_attempts: 1, payments: 1 },
    deleted: {},
    indexEntries: 10,
    walBytes: 2030,
  },
  'still pending': {
    statements: 7,
    commits: 1,
    inserted: {},
    updated: {},
    hotUpdated: { payment_attempts: 1 },
    deleted: {},
    indexEntries: 0,
    walBytes: 215,
  },
  callback: {
    statements: 5,
    commits: 3,
    inserted: {
      events: 1,
      events_to_relay: 1,
      ledger_transfers: 2,
      payment_stat_deltas: 1,
      provider_callbacks: 1,
    },
    updated: { payment_attempts: 1, payments: 1, provider_callbacks: 1 },
    hotUpdated: {},
    deleted: {},
    indexEntries: 28,
    walBytes: 5450,
  },
  aggregate: {
    statements: 2,
    commits: 2,
    inserted: {},
    updated: { payment_counts: 2 },
    hotUpdated: {
      ledger_account_balances: 3,
      ledger_balance_position: 1,
      ledger_day_sums: 3,
      payment_revenue: 1,
    },
    deleted: { payment_stat_deltas: 3 },
    indexEntries: 2,
    walBytes: 1620,
  },
}

type Step = 'create' | 'attempt' | 'still pending' | 'callback' | 'aggregate'

const test = base.extend('life', async ({ world: { ctx, provider }, app, client }) => {
  let lives = 0
  const { lookup } = provider
  return async (): Promise<Record<Step, WriteCost>> => {
    lives += 1
    // Its references are compared with those of all payments.
    provider.references = 'unique'
    const reference = `MP${lives}`
    const number = String(lives).padStart(3, '0')
    provider.lookup = lookup
    const creation = {
      method: 'POST' as const,
      url: '/api/v1/payments',
      headers: { ...client.withKey, 'idempotency-key': `00000${number}-5f8e-4bd1-a1c3-d8a0e8e5a1b2` },
      payload: { amount: 12.5 + lives, currency: 'USD', description: 'Order 1001' },
    }
    let id = ''
    const create = await costOf(ctx, async () => {
      id = (await app.inject(creation)).json<{ id: string }>().id
    })
    const payment = await paymentNow(ctx, client.owner, id)
    const attempt = await costOf(ctx, async () => {
      const form = { method: 'ecocash', phone: `0771000${number}` } as const
      await (await startAttempt(ctx, client.accountId, payment.id, form)).answered
    })
    ctx.clock.advance(4000)
    const stillPending = await costOf(ctx, () => lookUpDue(ctx))
    provider.lookup = async () => paid(payment.amount, reference)
    const token = ctx.attemptLinks.tokenOf(client.accountId, (await latestAttempt(ctx, payment)).id)
    const callback = await costOf(ctx, async () => {
      await app.inject({ method: 'POST', url: `/callbacks/scripted/${token}`, payload: {} })
      while (ctx.backgroundTasks.count('callback') > 0) await sleep(5)
    })
    expect((await paymentNow(ctx, client.owner, id)).status).toBe('completed')
    await transactionsEnded(ctx)
    const aggregate = await costOf(ctx, async () => {
      await aggregatePaymentStats(ctx)
      await aggregateLedgerBalances(ctx)
    })
    return { create, attempt, 'still pending': stillPending, callback, aggregate }
  }
})

test(
  'one payment costs the database no more than its budget',
  skipOnCitus('WAL is counted by a function of later versions, for tables of one node'),
  async ({ life }) => {
    // The first payment of a merchant also opens its accounts and its totals.
    await life()
    const lives: Record<Step, WriteCost>[] = []
    while (lives.length < 5) {
      const costs = await life()
      if (Object.values(costs).every(({ imageBytes }) => imageBytes === 0)) lives.push(costs)
    }
    for (const [step, budgeted] of Object.entries(budget) as [Step, WriteCost][]) {
      const { walBytes, imageBytes: _, ...counts } = leastOf(lives.map((costs) => costs[step]))
      const { walBytes: most, ...expected } = budgeted
      expect.soft(counts, step).toEqual(expected)
      expect.soft(walBytes, `${step}: bytes of WAL`).toBeLessThanOrEqual(most)
      expect.soft(walBytes, `${step}: bytes of WAL, lower the budget`).toBeGreaterThan(0.9 * most)
    }
  },
)

/** The cheapest of several runs: now and then PostgreSQL also cleans or splits a page on the way. */
function leastOf(costs: readonly WriteCost[]): WriteCost {
  return costs.reduce((least, cost) => (cost.walBytes < least.walBytes ? cost : least))
}

test('a refund by a server, under a key, costs no more statements than its budget', async ({
  world: { ctx, provider },
  app,
  client,
}) => {
  provider.references = 'unique'
  const payment = await makePaid(ctx, client.owner, provider)
  provider.refund = async ({ amount }) => paid(amount, `RF${amount.minor}`)
  const refund = (amount: number, key: string) =>
    statementsOf(ctx, () =>
      app.inject({
        method: 'POST',
        url: '/api/v1/refunds',
        headers: { ...client.withKey, 'idempotency-key': key },
        payload: { payment: payment.id, amount },
      }),
    )
  await refund(1, 'first-of-its-session')
  expect(await refund(2, 'one-refund')).toHaveLength(9)
  expect(await refund(2, 'one-refund')).toHaveLength(4)
})
