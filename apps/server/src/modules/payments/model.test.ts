import { type Money, money } from '@muripo/contract/money'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { byMerchant } from '../../../test/deeds.ts'
import { makeShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { operatorActor } from '../../platform/audit/actor.ts'
import { uuidOf } from '../../platform/ids.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import { handleCallback } from './actions/handle-callback.ts'
import { refundPayment } from './actions/refund-payment.ts'
import { resolveAttempt } from './actions/review-attempts.ts'
import { startAttempt } from './actions/start-attempt.ts'
import { makeAttempt, makePayment, notFound, paid, pending, refused, unanswered } from './factory.ts'
import { checkDue, expireDue } from './jobs.ts'
import { attemptStatuses, paymentMoves } from './machine.ts'
import type { Payment } from './payment.ts'

/** How many sequences are tried, by as many worlds at a time: each waits for its database most of the time. */
const RUNS = 400
const LANES = 4
/** A failure names its own; with another number here other sequences are tried. */
const SEED = 20_261_121

interface Lane {
  readonly world: World
  readonly shop: Shop
}

const lanes: Lane[] = []

beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane += 1) {
    const world = await makeWorld()
    // No crash of the database is tried here, and what nobody waits for costs nothing.
    const client = await world.ctx.db.pool.connect()
    await client.query(
      "do $$ begin execute format('alter database %I set synchronous_commit = off', current_database()); end $$",
    )
    client.release(true)
    lanes.push({ world, shop: await makeShop(world.ctx) })
  }
})
afterAll(() => Promise.all(lanes.map(({ world }) => world.ctx.close())))

/** dies: whoever sends it is not heard of any more, and nobody knows whether the provider was. */
const words = ['paid', 'wrong amount', 'refused', 'pending', 'unanswered', 'not found', 'dies'] as const
type Word = (typeof words)[number]
type Step =
  | { readonly kind: 'attempt' | 'cancel'; readonly word: Word; readonly times: number }
  | { readonly kind: 'refund'; readonly word: Word; readonly times: number; readonly amount: number }
  | { readonly kind: 'callback'; readonly word: Word; readonly times: number; readonly which: number }
  | { readonly kind: 'poll' | 'storm'; readonly word: Word; readonly ms: number }
  | { readonly kind: 'decide'; readonly word: Word }

const word = fc.constantFrom(...words, 'paid' as const, 'paid' as const)
const times = fc.constantFrom(1, 1, 3)
const amount = fc.constantFrom(12.5, 12.5, 5, 0.01)
const kind = <const Kind extends string>(name: Kind) => fc.constant(name)
const begin: fc.Arbitrary<Step> = fc.record({ kind: kind('attempt'), word, times })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: begin },
  { weight: 2, arbitrary: fc.record({ kind: kind('refund'), word, times, amount }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('cancel'), word, times }) },
  // Of any attempt and any refund so far: late words and contradictory ones too.
  { weight: 3, arbitrary: fc.record({ kind: kind('callback'), word, times, which: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('decide'), word }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('poll' as const, 'poll' as const, 'storm' as const),
      word,
      ms: fc.constantFrom(4000, 61_000, 3_600_000, 90_000_000),
    }),
  },
)

/** What is done next, and what the provider says from now on of money that is to go back. */
interface Turn {
  readonly next: Step
  readonly back: Word
}
const turn: fc.Arbitrary<Turn> = fc.record({ next: step, back: word })

/** What the provider says from now on to whatever it is asked. */
function script({ provider }: World, forth: Word, back: Word): void {
  const answer =
    (said: Word) =>
    async ({ amount }: { amount: Money }) => {
      if (said === 'unanswered' || said === 'dies') throw unanswered()
      if (said === 'refused') return refused()
      if (said === 'paid') return paid(amount)
      return said === 'wrong amount' ? paid(money(2n, 'USD')) : pending()
    }
  provider.charge = forth === 'dies' ? () => new Promise(() => undefined) : answer(forth)
  provider.refund = answer(back)
  const asked = (said: Word, calls: readonly { key: string; amount: Money }[], { key }: { key: string }) => {
    const call = calls.find((each) => each.key === key)
    if (call === undefined) throw new Error(`nobody was asked for ${key}`)
    return said === 'not found' ? notFound : answer(said)(call)
  }
  provider.lookup = async (request) => asked(forth, provider.charges, request)
  provider.lookupRefund = async (request) => asked(back, provider.refunds, request)
}

const input = { method: 'ecocash', phone: '0771234567', shopName: 'Shop' } as const

async function once({ world, shop }: Lane, payment: Payment, next: Step): Promise<unknown> {
  const { ctx, provider } = world
  switch (next.kind) {
    case 'attempt':
      return next.word === 'dies'
        ? startAttempt(ctx, payment.merchantId, payment.id, input)
        : makeAttempt(ctx, payment)
    case 'refund':
      return refundPayment(ctx, byMerchant(shop.merchantId), shop.merchantId, payment.id, {
        amount: next.amount,
        currency: 'USD',
      })
    case 'cancel':
      return cancelPayment(ctx, payment.merchantId, payment.id)
    case 'callback': {
      const urls = [...provider.charges, ...provider.refunds].map(({ callbackUrl }) => callbackUrl)
      const token = urls[next.which % Math.max(1, urls.length)]?.split('/').at(-1)
      return token === undefined ? null : handleCallback(ctx, 'scripted', token)
    }
    case 'decide': {
      const verdict =
        next.word === 'paid'
          ? ({ outcome: 'completed', reference: 'MP7' } as const)
          : ({ outcome: 'failed' } as const)
      return resolveAttempt(ctx, operatorActor('tendai', 'till@counter'), payment.id, null, verdict)
    }
    case 'poll':
    case 'storm':
      ctx.clock.advance(next.ms)
      return Promise.all([checkDue(ctx), expireDue(ctx)])
  }
}

async function take(lane: Lane, payment: Payment, { next, back }: Turn): Promise<void> {
  script(lane.world, next.word, back)
  const repeated = 'times' in next ? Array.from({ length: next.times }, () => next) : [next]
  // Everybody at once.
  const storm: readonly Step[] =
    next.kind === 'storm'
      ? [
          ...[0, 1, 2, 3].map((which) => ({ kind: 'callback' as const, word: next.word, times: 1, which })),
          ...(['attempt', 'cancel', 'attempt', 'cancel'] as const).map((press) => ({
            kind: press,
            word: next.word,
            times: 1,
          })),
          ...[12.5, 5].map((amount) => ({ kind: 'refund' as const, word: next.word, times: 1, amount })),
          { kind: 'decide', word: next.word },
        ]
      : []
  const deeds = [...repeated, ...storm].map((deed) => once(lane, payment, deed))
  for (const result of await Promise.allSettled(deeds)) {
    // Refusals have their codes; everything else is a fault of ours.
    if (result.status === 'rejected') expect(result.reason).toHaveProperty('code')
  }
}

const moves: readonly { from: readonly string[]; to: string }[] = Object.values(paymentMoves)
/** Whether named moves lead from one status to the other: a storm may take several at once. */
const mayFollow = (from: string, to: string): boolean =>
  from === to || moves.some((move) => move.from.includes(from) && mayFollow(move.to, to))

interface Row {
  readonly [column: string]: unknown
  readonly kind: string
  readonly type: string
  readonly status: string
  readonly origin: string
  readonly amount_minor: number
}

const everything = `select to_json(p) as payment,
  (select coalesce(json_agg(t order by t.id), '[]') from ledger_transfers t where t.payment_id = p.id and t.merchant_id = p.merchant_id) as transfers,
  (select coalesce(json_agg(json_build_object('sequence', e.sequence, 'type', e.type) order by e.sequence), '[]') from events e
   where e.subject_id = p.id and e.merchant_id = p.merchant_id) as events,
  (select coalesce(json_agg(a), '[]') from payment_attempts a where a.payment_id = p.id and a.merchant_id = p.merchant_id) as attempts,
  (select coalesce(json_agg(r), '[]') from refunds r where r.payment_id = p.id and r.merchant_id = p.merchant_id) as refunds
  from payments p where p.merchant_id = $1 and p.id = $2`

const amountOf = (rows: readonly Row[]): number => rows.reduce((total, row) => total + row.amount_minor, 0)
const isUnderway = ({ status }: Row): boolean => ['sending', 'pending', 'unknown'].includes(status)
const isOpen = (row: Row): boolean => isUnderway(row) || row.status === 'held'

/** Everything that must hold between any two steps. */
async function audit({ world, shop }: Lane, { id }: Payment, before: string): Promise<string> {
  const { rows } = await world.ctx.db.pool.query({
    name: 'everything',
    text: everything,
    values: [uuidOf(shop.merchantId), uuidOf(id)],
  })
  const { payment, transfers, events, attempts, refunds } = rows[0] as Record<string, Row[]> & {
    payment: Row & Record<'refunded_minor' | 'refund_pending_minor' | 'last_event', number>
  }
  const of = <Name extends 'kind' | 'status' | 'type'>(all: Row[] = [], name: Name, value: string) =>
    all.filter((row) => row[name] === value)
  const moved = (kindOfTransfer: string) => amountOf(of(transfers, 'kind', kindOfTransfer))
  const balance = (code: string) =>
    (transfers ?? []).reduce(
      (sum, { debit_code, credit_code, amount_minor }) =>
        sum + (debit_code === code ? amount_minor : 0) - (credit_code === code ? amount_minor : 0),
      0,
    )
  const { status } = payment
  const isPaid = status === 'completed' || status === 'refunded'

  // It moves along the graph.
  expect(mayFollow(before, status), `${before} to ${status}`).toBe(true)
  // Paid is paid once, by one attempt, with one capture and one fee, and told of once.
  for (const [all, name, value] of [
    [attempts, 'status', 'completed'],
    [transfers, 'kind', 'capture'],
    [transfers, 'kind', 'fee'],
    [events, 'type', 'payment.completed'],
  ] as const) {
    expect(of(all, name, value), value).toHaveLength(isPaid ? 1 : 0)
  }
  expect(moved('capture')).toBe(isPaid ? payment.amount_minor : 0)
  expect(payment.fee_minor).toBe(isPaid ? moved('fee') : null)
  // It fails only when it was cancelled or has expired and nothing is under way, once, and says so.
  expect(of(attempts, 'status', 'sending').length).toBeLessThanOrEqual(1)
  expect((attempts ?? []).filter(isUnderway).length).toBeLessThanOrEqual(1)
  expect(of(events, 'type', 'payment.failed').length).toBeLessThanOrEqual(1)
  if (status === 'failed') {
    expect(of(events, 'type', 'payment.failed')).toHaveLength(1)
    expect(payment.closing_reason).not.toBeNull()
    expect((attempts ?? []).filter(isUnderway)).toEqual([])
  }
  // What takes no more tries waits for one that is open, or has ended.
  if (status === 'pending' && payment.closing_reason !== null)
    expect((attempts ?? []).filter(isOpen)).not.toEqual([])
  // Who says that a person has to look is right, and nobody else keeps quiet about it.
  if (of(attempts, 'status', 'held').length > 0 && !isPaid) expect(payment.status_reason).toBe('under_review')
  // Given back, and on the way back, is never more than was paid.
  const asked = (refunds ?? []).filter(({ origin }) => origin !== 'duplicate')
  const twice = (refunds ?? []).filter(({ origin }) => origin === 'duplicate')
  expect(payment.refunded_minor + payment.refund_pending_minor).toBeLessThanOrEqual(payment.amount_minor)
  expect(amountOf(of(asked, 'status', 'completed'))).toBe(payment.refunded_minor)
  const onTheWay = asked.filter((refund) => refund.status !== 'completed' && refund.status !== 'failed')
  expect(amountOf(onTheWay)).toBe(payment.refund_pending_minor)
  // A second success is owed to the payer, and goes back once.
  expect(twice).toHaveLength(of(attempts, 'status', 'duplicate').length)
  expect(moved('duplicate_capture')).toBe(amountOf(twice))
  // Every account holds what it must.
  const returned = amountOf(of(twice, 'status', 'completed'))
  expect(moved('refund_paid')).toBe(payment.refunded_minor + returned)
  const owed = amountOf(twice) - returned
  expect(balance('refunds.payable') + 0).toBe(0 - payment.refund_pending_minor - owed)
  expect(balance('clearing.scripted')).toBe(moved('capture') + owed - payment.refunded_minor)
  expect(balance('fee.revenue') + 0).toBe(0 - moved('fee'))
  const net = moved('capture') - moved('fee') - payment.refunded_minor - payment.refund_pending_minor
  expect(balance('merchant.payable') + 0).toBe(0 - net)
  // Events are numbered without a gap.
  expect((events ?? []).map(({ sequence }) => sequence)).toEqual((events ?? []).map((_, index) => index + 1))
  expect(payment.last_event).toBe(events?.length)
  return status
}

async function play(lane: Lane, life: number, turns: readonly Turn[]): Promise<void> {
  const { ctx, provider } = lane.world
  // What earlier runs left open is nobody's turn here.
  await ctx.db.pool.query('update payment_attempts set next_check_at = null where next_check_at is not null')
  await ctx.db.pool.query('update refunds set next_check_at = null where next_check_at is not null')
  for (const calls of [provider.charges, provider.refunds]) calls.length = 0
  const payment = await makePayment(ctx, lane.shop.owner, { expires_in: life })
  let status = 'pending'
  for (const each of turns) {
    await take(lane, payment, each)
    status = await audit(lane, payment, status)
  }
  // Nothing was sent twice.
  for (const { length, keys } of [provider.charges, provider.refunds].map((calls) => ({
    length: calls.length,
    keys: new Set(calls.map(({ key }) => key)),
  })))
    expect(keys.size).toBe(length)
}

const places = `select 'payment ' || status as place from payments
  union select 'failed as ' || status_reason from payments where status = 'failed'
  union select 'attempt ' || status from payment_attempts
  union select 'refund ' || origin || ' ' || status from refunds`
const wherever = [
  ...['pending', 'completed', 'failed', 'refunded'].map((status) => `payment ${status}`),
  ...['cancelled', 'expired', 'under_review'].map((reason) => `failed as ${reason}`),
  ...attemptStatuses.map((status) => `attempt ${status}`),
  ...['completed', 'failed'].map((status) => `refund merchant ${status}`),
  'refund duplicate completed',
]

test('whatever providers say and whoever presses what how often, every cent is accounted for', async () => {
  const lives = fc.constantFrom(1800, 86_400, 604_800)
  const first = fc.record({ next: begin, back: word })
  const turns = fc.array(turn, { minLength: 3, maxLength: 9, size: 'max' })
  await Promise.all(
    lanes.map((lane, nth) =>
      fc.assert(
        fc.asyncProperty(lives, first, turns, (life, one, more) => play(lane, life, [one, ...more])),
        { numRuns: RUNS / LANES, seed: SEED + nth },
      ),
    ),
  )
  // The sequences have been wherever a payment can come to.
  const seen = await Promise.all(
    lanes.map(async ({ world }) => (await world.ctx.db.pool.query(places)).rows.map(({ place }) => place)),
  )
  expect(wherever.filter((place) => !seen.flat().includes(place))).toEqual([])
  // And the figures of the dashboards are those of the payments.
  for (const { world } of lanes)
    expect((await world.ctx.db.pool.query('select * from payment_figures_drift')).rows).toEqual([])
}, 240_000)
