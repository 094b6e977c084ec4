import { type Money, money } from '@muripo/contract/money'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { freshShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { createSingleflight } from '../../../platform/async/singleflight.ts'
import { createDatabase } from '../../../platform/db/database.ts'
import { simulateTime } from '../../../platform/db/simulated-time.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { readDashboardStats } from '../../stats/actions/read-dashboard-stats.ts'
import { makePaid, notFound, paid, paymentNow, pending, refused, standingOf, unanswered } from '../factory.ts'
import { aggregatePaymentStats } from '../jobs.ts'
import type { Payment } from '../payment/payment.ts'
import { readDetails } from './read-details.ts'
import { refundPayment } from './request-refund.ts'

let world: World
let shop: Shop
let payment: Payment

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  shop = await freshShop(world)
  world.provider.lookupRefund = async () => notFound
  payment = await makePaid(world.ctx, shop.owner, world.provider)
})

const usd = (amount: number) => ({ amount, currency: 'USD' as const })
const refund = (amount: number, ctx = world.ctx) =>
  refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, usd(amount))
const now = () => paymentNow(world.ctx, shop.owner, payment.id)
const rows = async (text: string) =>
  (await world.ctx.db.pool.query(text, [uuidOf(payment.id)])).rows as Record<string, never>[]
const payable = async () => (await standingOf(world.ctx, shop.accountId))['merchant.payable']
const minor = (value: Money) => value.minor

test('a partial refund whose response was lost is not repeated by a request with the amount refunded before', async () => {
  const request = (amountRefunded: number) =>
    refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      ...usd(5),
      amountRefunded,
    })
  await request(0)
  await expect(request(0)).rejects.toMatchObject({ code: 'refund_conflict' })
  expect(world.provider.refunds).toHaveLength(1)
  expect((await request(5)).payment.refunded).toEqual(money(1000n, 'USD'))
})

describe('the same partial refund requested again by the same session without the amount refunded so far', () => {
  const MINUTE = 60_000
  const session = '018f0000-0000-7000-8000-00000000000a'
  const other = '018f0000-0000-7000-8000-00000000000b'
  const request = (requestedBy: string, amount = 5, ctx = world.ctx) =>
    refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      ...usd(amount),
      requestedBy,
    })

  test('joins the first for ten minutes, and has the response of the first', async () => {
    const first = await request(session)
    expect(await request(session)).toEqual({ ...first, isRepetition: true })
    world.ctx.clock.advance(10 * MINUTE - 1)
    expect(await request(session)).toEqual({ ...first, isRepetition: true })
    expect(world.provider.refunds).toHaveLength(1)
    world.ctx.clock.advance(1)
    expect((await request(session)).payment.refunded).toEqual(money(1000n, 'USD'))
  })

  test('is a refund of its own after a refusal, for another amount and for another session', async () => {
    world.provider.refund = async () => refused('declined')
    await expect(request(session)).rejects.toMatchObject({ code: 'refund_declined' })
    world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
    await request(session)
    await request(session, 2)
    expect((await request(other)).payment.refunded).toEqual(money(1200n, 'USD'))
  })

  test('64 times at once through two processes is one refund', async () => {
    // The result of the refund waits behind all of them, and on a busy machine longer than a request may.
    const settings = ['lock_timeout=60000', 'statement_timeout=60000']
    const db = simulateTime(
      createDatabase(world.ctx.databaseUrl, { maxConnections: 64, settings }),
      world.ctx.clock,
    )
    const processes = [world.ctx, world.ctx].map((ctx) => ({
      ...ctx,
      db,
      refundSingleflight: createSingleflight(),
    }))
    try {
      const answers = await Promise.allSettled(
        Array.from({ length: 64 }, (_, nth) => request(session, 5, processes[nth % 2])),
      )
      expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true)
      expect(world.provider.refunds).toHaveLength(1)
      expect((await now()).refunded).toEqual(money(500n, 'USD'))
    } finally {
      await db.close()
    }
  })
})

test('[INV-12] a repeated refund of the whole payment receives the first response, from any requester at any time', async () => {
  const first = await refund(12.5)
  world.ctx.clock.advance(24 * 3_600_000)
  expect(await refund(12.5)).toEqual({ ...first, isRepetition: true })
  const guarded = { ...usd(12.5), amountRefunded: 0 }
  const { accountId } = shop
  expect(await refundPayment(world.ctx, byMerchant(accountId), accountId, payment.id, guarded)).toEqual({
    ...first,
    isRepetition: true,
  })
  expect(first).toMatchObject({ isDone: true, payment: { status: 'refunded' } })
  expect(world.provider.refunds).toHaveLength(1)
})

test('partial refunds follow one another until nothing remains; each has an event', async () => {
  const first = await refund(5)
  expect(first).toMatchObject({
    isDone: true,
    payment: { status: 'completed', refunded: money(500n, 'USD') },
  })
  await refund(5)
  const last = await refund(2.5)
  expect(last).toMatchObject({ isDone: true, payment: { status: 'refunded', refunded: payment.amount } })
  await expect(refund(0.01)).rejects.toMatchObject({ code: 'payment_not_refundable' })
  expect(world.provider.refunds.map(({ amount }) => minor(amount))).toEqual([500n, 500n, 250n])
  expect(new Set(world.provider.refunds.map(({ key }) => key)).size).toBe(3)
  // The remaining balance is the fee, which the merchant owes.
  expect(await payable()).toBe(84n)
  const events = await rows('select type, data from events where subject_id = $1 order by sequence')
  expect(events).toMatchObject([
    { type: 'payment.completed' },
    { type: 'payment.refunded', data: { status: 'completed', amount_refunded: 5, refund: { amount: 5 } } },
    { type: 'payment.refunded', data: { status: 'completed', amount_refunded: 10, refund: { amount: 5 } } },
    {
      type: 'payment.refunded',
      data: { status: 'refunded', amount_refunded: 12.5, refund: { amount: 2.5 } },
    },
  ])
  const { timeline } = await readDetails(world.ctx, shop.accountId, payment.id)
  expect(timeline.filter(({ kind }) => kind === 'refunded')).toMatchObject([
    { amount: 5 },
    { amount: 5 },
    { amount: 2.5 },
  ])
})

test('the figures count completed amounts less refunds, aggregated or not', async () => {
  const figures = async () => {
    const { revenueLast7Days, totalCompleted } = await readDashboardStats(world.ctx, shop.accountId)
    return [revenueLast7Days, totalCompleted]
  }
  const drift = async () => (await world.ctx.db.pool.query('select * from payment_figures_drift')).rows
  await refund(5)
  expect(await figures()).toEqual([7.5, 1])
  await aggregatePaymentStats(world.ctx)
  expect([await figures(), await drift()]).toEqual([[7.5, 1], []])
  await refund(7.5)
  expect(await figures()).toEqual([0, 0])
  await aggregatePaymentStats(world.ctx)
  expect([await figures(), await drift()]).toEqual([[0, 0], []])
})

describe('while a partial refund is in progress,', () => {
  beforeEach(async () => {
    world.provider.refund = async () => Promise.reject(unanswered())
    expect(await refund(5)).toMatchObject({ isDone: false })
  })

  test('a request for the same amount joins it', async () => {
    expect(await refund(5)).toMatchObject({ isDone: false })
    expect(world.provider.refunds).toHaveLength(1)
    expect(minor((await now()).refundPending)).toBe(500n)
  })

  test('another amount is another refund', async () => {
    world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
    expect(await refund(2.5)).toMatchObject({
      isDone: true,
      payment: { refunded: money(250n, 'USD'), refundPending: money(500n, 'USD') },
    })
  })

  test('more than remains is refused', async () => {
    await expect(refund(7.51)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    await expect(refund(12.5)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    expect(world.provider.refunds).toHaveLength(1)
  })
})

test('a refused partial refund is reported, and its amount belongs to the merchant again', async () => {
  await refund(5)
  world.provider.refund = async () => refused('declined')
  await expect(refund(2.5)).rejects.toMatchObject({ code: 'refund_declined' })
  expect(await now()).toMatchObject({ refunded: money(500n, 'USD'), refundPending: money(0n, 'USD') })
  const events = await rows('select type, data from events where subject_id = $1 order by sequence')
  expect(events.at(-1)).toMatchObject({
    type: 'refund.failed',
    data: { amount_refunded: 5, refund: { amount: 2.5, status: 'failed', failure_reason: 'declined' } },
  })
})

test('64 concurrent refunds, full and partial, never exceed the amount', async () => {
  const db = simulateTime(createDatabase(world.ctx.databaseUrl, { maxConnections: 64 }), world.ctx.clock)
  // Two processes, neither of which knows the other's calls.
  const processes = [world.ctx, world.ctx].map((ctx) => ({
    ...ctx,
    db,
    refundSingleflight: createSingleflight(),
  }))
  const words = [pending, () => paid(money(0n, 'USD')), () => refused('declined')]
  try {
    for (let round = 0; round < 5; round += 1) {
      payment = await makePaid(world.ctx, shop.owner, world.provider)
      let calls = 0
      world.provider.refund = async ({ amount }) => {
        calls += 1
        const word = words[calls % 3]?.() ?? pending()
        return word.outcome === 'completed' ? paid(amount) : word
      }
      const amounts = [12.5, 5, 2.5, 0.01, 7.5, 3.33, 6.25, 12.49]
      await Promise.allSettled(
        Array.from({ length: 64 }, (_, nth) =>
          refund(amounts[nth % amounts.length] ?? 1, processes[nth % 2] ?? world.ctx),
        ),
      )
      const { amount, refunded, refundPending } = await now()
      expect(refunded.minor + refundPending.minor <= amount.minor).toBe(true)
      const [sums] = await rows(
        `select coalesce(sum(amount_minor) filter (where status = 'completed'), 0)::int as done,
           coalesce(sum(amount_minor) filter (where status in ('sending', 'pending', 'unknown')), 0)::int as open
         from refunds where payment_id = $1`,
      )
      expect(sums).toEqual({ done: Number(refunded.minor), open: Number(refundPending.minor) })
      const [paidOut] = await rows(
        `select coalesce(sum(amount_minor), 0)::int as minor from ledger_transfers where payment_id = $1 and kind = 'refund_paid'`,
      )
      expect(paidOut).toEqual({ minor: Number(refunded.minor) })
    }
  } finally {
    await db.close()
  }
})
