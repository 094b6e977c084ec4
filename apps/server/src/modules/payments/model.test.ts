import { money } from '@muripo/contract/money'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { byMerchant } from '../../../test/deeds.ts'
import { makeShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { uuidOf } from '../../platform/ids.ts'
import { readDashboardStats } from '../stats/actions/read-dashboard-stats.ts'
import { handleCallback } from './actions/handle-callback.ts'
import { refundPayment } from './actions/refund-payment.ts'
import { makeAttempt, makePayment, notFound, paid, pending, refused, unanswered } from './factory.ts'
import { checkDue } from './jobs.ts'
import { paymentMoves } from './machine.ts'
import type { Payment } from './payment.ts'

let world: World

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())

const DAY = 86_400_000

const words = ['paid', 'wrong amount', 'refused', 'pending', 'unanswered', 'not found'] as const
type Word = (typeof words)[number]
type Step =
  | { readonly kind: 'attempt'; readonly word: Word; readonly times: number }
  | { readonly kind: 'refund'; readonly word: Word; readonly times: number }
  | { readonly kind: 'callback'; readonly word: Word; readonly times: number; readonly which: number }
  | { readonly kind: 'poll'; readonly word: Word; readonly ms: number }
  | { readonly kind: 'storm'; readonly word: Word; readonly ms: number }

const word = fc.constantFrom(...words, 'paid' as const, 'paid' as const)
const times = fc.constantFrom(1, 1, 3)
const begin: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('attempt' as const), word, times })
const step: fc.Arbitrary<Step> = fc.oneof(
  begin,
  fc.record({ kind: fc.constant('refund' as const), word, times }),
  fc.record({ kind: fc.constant('callback' as const), word, times, which: fc.nat({ max: 5 }) }),
  fc.record({
    kind: fc.constantFrom('poll' as const, 'poll' as const, 'storm' as const),
    word,
    ms: fc.constantFrom(4000, 61_000, 3_600_000, 90_000_000),
  }),
)

/** What the provider says from now on to whatever it is asked. */
function script(said: Word): void {
  const { provider } = world
  const answer = async () => {
    if (said === 'unanswered') throw unanswered()
    if (said === 'refused') return refused()
    if (said === 'paid') return paid(money(1250n, 'USD'))
    return said === 'wrong amount' ? paid(money(1n, 'USD')) : pending()
  }
  provider.charge = answer
  provider.refund = answer
  provider.lookup = async () => (said === 'not found' ? notFound : answer())
  provider.lookupRefund = provider.lookup
}

async function take(shop: Shop, payment: Payment, next: Step): Promise<void> {
  const { ctx, provider } = world
  script(next.word)
  if (next.kind === 'storm') {
    // Everybody at once, and the provider of one mind.
    const all = { word: next.word, times: 3, which: 0 }
    const callbacks = [0, 1, 2, 3].map((which) => take(shop, payment, { ...all, kind: 'callback', which }))
    const presses = (['attempt', 'refund'] as const).map((kind) => take(shop, payment, { ...all, kind }))
    await Promise.all([...callbacks, ...presses, take(shop, payment, { ...next, kind: 'poll' })])
    return
  }
  if (next.kind === 'poll') {
    ctx.clock.advance(next.ms)
    await checkDue(ctx)
    return
  }
  const target = next.kind === 'callback' ? next.which : 0
  const urls = [...provider.charges, ...provider.refunds].map(({ callbackUrl }) => callbackUrl)
  await Promise.allSettled(
    Array.from({ length: next.times }, async () => {
      if (next.kind === 'attempt') await makeAttempt(ctx, payment)
      else if (next.kind === 'refund') {
        await refundPayment(ctx, byMerchant(shop.merchantId), shop.merchantId, payment.id, {
          amount: 12.5,
          currency: 'USD',
        })
      } else if (urls.length > 0) {
        const token = urls[target % urls.length]?.split('/').at(-1) ?? ''
        await handleCallback(ctx, 'scripted', token)
      }
    }),
  )
}

const rows = async (text: string, values: unknown[]) => (await world.ctx.db.pool.query(text, values)).rows

const moves: readonly { from: readonly string[]; to: string }[] = Object.values(paymentMoves)
/** Whether named moves lead from one status to the other: a storm may take several at once. */
const mayFollow = (from: string, to: string): boolean =>
  from === to || moves.some((move) => move.from.includes(from) && mayFollow(move.to, to))

/** Everything that must hold between any two steps. */
async function audit(shop: Shop, payment: Payment): Promise<{ status: string; revenue: number }> {
  const id = [uuidOf(payment.id)]
  const merchant = [uuidOf(shop.merchantId)]
  const [[row], transfers, events, attempts, refunds, balances] = await Promise.all([
    rows('select * from payments where id = $1', id),
    rows('select * from ledger_transfers where payment_id = $1', id),
    rows('select sequence from events where subject_id = $1 order by sequence', id),
    rows('select * from payment_attempts where payment_id = $1', id),
    rows('select * from refunds where payment_id = $1', id),
    rows('select code, currency, balance_minor from ledger_balances where merchant_id = $1', merchant),
  ])
  const sum = (kind: string) =>
    transfers.filter((each) => each.kind === kind).reduce((total, each) => total + each.amount_minor, 0n)
  const balance = (code: string) => balances.find((each) => each.code === code)?.balance_minor ?? 0n

  const isPaid = row.status === 'completed' || row.status === 'refunded'
  expect(transfers.filter(({ kind }) => kind === 'capture')).toHaveLength(isPaid ? 1 : 0)
  expect(attempts.filter(({ status }) => status === 'completed')).toHaveLength(isPaid ? 1 : 0)
  expect(sum('capture')).toBe(isPaid ? row.amount_minor : 0n)
  expect(sum('fee')).toBe(isPaid ? row.fee_minor : 0n)
  expect(row.fee_minor).toBe(isPaid ? 84n : null)
  expect(sum('refund_paid')).toBe(row.refunded_minor)
  expect(row.refunded_minor + row.refund_pending_minor).toBeLessThanOrEqual(row.amount_minor)
  expect(refunds.filter(({ status }) => status === 'completed').length).toBe(row.refunded_minor > 0n ? 1 : 0)
  const open = refunds.filter(({ status }) => ['sending', 'pending', 'unknown'].includes(status))
  expect(open.reduce((total, each) => total + each.amount_minor, 0n)).toBe(row.refund_pending_minor)
  expect(balances.reduce((total, each) => total + each.balance_minor, 0n)).toBe(0n)
  expect(balance('refunds.payable')).toBe(-row.refund_pending_minor)
  expect(balance('clearing.scripted')).toBe(sum('capture') - row.refunded_minor)
  expect(balance('fee.revenue')).toBe(-sum('fee'))
  expect(balance('merchant.payable')).toBe(
    -(sum('capture') - sum('fee') - row.refunded_minor - row.refund_pending_minor),
  )
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(row.last_event).toBe(events.length)
  return {
    status: row.status,
    revenue: Number(row.status === 'pending' ? 0n : sum('capture') - row.refunded_minor),
  }
}

test('whatever providers say and whoever presses what how often, every cent is accounted for', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(begin, fc.array(step, { minLength: 3, maxLength: 9, size: 'max' })),
      async ([first, more]) => {
        // What earlier runs left open is nobody's turn here.
        await world.ctx.db.pool.query(
          'update payment_attempts set next_check_at = null where next_check_at is not null',
        )
        await world.ctx.db.pool.query(
          'update refunds set next_check_at = null where next_check_at is not null',
        )
        for (const calls of [world.provider.charges, world.provider.refunds]) calls.length = 0
        const shop = await makeShop(world.ctx)
        const payment = await makePayment(world.ctx, shop.owner, { expires_in: 604_800 })
        const startedAt = world.ctx.clock.now().getTime()
        let before = 'pending'
        for (const next of [first, ...more]) {
          await take(shop, payment, next)
          const { status, revenue } = await audit(shop, payment)
          expect(mayFollow(before, status), `${before} to ${status}`).toBe(true)
          before = status
          if (world.ctx.clock.now().getTime() - startedAt > 6 * DAY) continue
          const { revenueLast7Days } = await readDashboardStats(world.ctx, shop.merchantId)
          expect(revenueLast7Days * 100).toBe(revenue)
        }
        expect(new Set(world.provider.charges.map(({ key }) => key)).size).toBe(world.provider.charges.length)
        expect(new Set(world.provider.refunds.map(({ key }) => key)).size).toBe(world.provider.refunds.length)
      },
    ),
    { numRuns: 200 },
  )
}, 240_000)
