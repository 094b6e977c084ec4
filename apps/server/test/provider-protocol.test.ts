import { RefundId } from '@muripo/contract/ids'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cancelPayment } from '../src/modules/payments/actions/cancel-payment.ts'
import {
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePayment,
  paymentNow,
  tracesOf,
} from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { configFor } from '../src/modules/providers/ecocash/fixtures.ts'
import { ecocashConnector } from '../src/modules/providers/ecocash/index.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { idFrom, suffixOf, uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeCaller } from './app.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'
import type { Simulator } from './simulator.ts'
import type { World, WorldCtx } from './world.ts'

const MINUTE = 60_000

let listening: ListeningWorld
let simulator: Simulator
let world: World
let ctx: WorldCtx
let app: FastifyInstance
let caller: Caller
let payment: Payment
let providers = registryOf([])

beforeAll(async () => {
  listening = await listeningWorld(() => ({
    get all() {
      return providers.all
    },
    get routed() {
      return providers.routed
    },
    has: (id) => providers.has(id),
    byId: (id) => providers.byId(id),
    minPollMs: (id) => providers.minPollMs(id),
    captureWithinMs: (id) => providers.captureWithinMs(id),
    returnedEcho: (id) => providers.returnedEcho(id),
    references: (id) => providers.references(id),
    canLookUpRefund: (id) => providers.canLookUpRefund(id),
    offeredIn: (mode) => providers.offeredIn(mode),
  }))
  ;({ simulator, world, ctx, app } = listening)
})
afterAll(() => listening.close())
beforeEach(async () => {
  // Each test has a connector, so that failures in one test do not open the breaker for the next.
  providers = registryOf([ecocashConnector(configFor(`${simulator.url}/ecocash/payment/v1`))])
  caller = await makeCaller(ctx)
  payment = await makePayment(ctx, caller.owner)
  world.errors.length = 0
})

const now = () => paymentNow(ctx, caller.owner, payment.id)
const status = async () => (await now()).status

async function pay(behaviour: object): Promise<void> {
  await simulator.order(behaviour)
  await makeAttempt(ctx, payment)
}

/** The provider's records of this payment's charges and refunds. */
async function booked(kind: 'charge' | 'refund') {
  const key = kind === 'charge' ? suffixOf((await latestAttempt(ctx, payment)).id) : await refundKey()
  return (await simulator.transactions()).filter((each) => each.kind === kind && each.correlator === key)
}

async function refundKey(): Promise<string> {
  const { rows } = await ctx.db.pool.query('select id from refunds where payment_id = $1 order by id desc', [
    uuidOf(payment.id),
  ])
  return suffixOf(idFrom(RefundId, rows[0].id))
}

const traces = () => tracesOf(ctx, payment)

const paidOnce = { transfers: ['capture', 'fee'], events: ['1 payment.completed'] }
const paidAndBack = {
  transfers: ['capture', 'fee', 'refund_reserve', 'refund_paid'],
  events: ['1 payment.completed', '2 payment.refunded'],
}

const refund = (amount = 12.5) =>
  app.inject({
    method: 'POST',
    url: '/v1/payments/refund',
    headers: caller.withSession,
    payload: { paymentId: payment.id, amount, currency: 'USD' },
  })

test('a callback that comes ten times is one completion', async () => {
  await pay({ decision: { verdict: 'success', afterMs: 20_000 }, callbackTimes: 10 })
  await expect.poll(async () => (await booked('charge'))[0]?.callbacksSent).toBe(10)
  await ctx.backgroundTasks.drain()
  expect(await status()).toBe('completed')
  expect(await traces()).toEqual(paidOnce)
})

test('a callback that overtakes the reply completes, and the reply changes nothing', async () => {
  await pay({ callback: 'before_reply', callbackTimes: 3 })
  await ctx.backgroundTasks.drain()
  expect(await status()).toBe('completed')
  expect(await traces()).toEqual(paidOnce)
})

test('a changed amount holds the payment', async () => {
  await pay({ decision: { verdict: 'success', afterMs: 20_000 }, echoAmount: 12.49, callbackTimes: 10 })
  await expect.poll(async () => (await now()).statusReason).toBe('under_review')
  await ctx.backgroundTasks.drain()
  expect(await status()).toBe('pending')
  expect(await traces()).toEqual({ transfers: [], events: [] })
})

describe('an untrustworthy reply is looked up and never sent again:', () => {
  test('lost after it was processed', async () => {
    await pay({ chargeReply: 'drop', callback: 'lost', decision: { verdict: 'success' } })
    expect(await now()).toMatchObject({ status: 'pending', statusReason: 'checking' })
    ctx.clock.advance(5000)
    await lookUpDue(ctx)
    expect(await status()).toBe('completed')
    expect(await booked('charge')).toHaveLength(1)
    expect(await traces()).toEqual(paidOnce)
  })

  test('lost without being processed', async () => {
    await pay({ chargeReply: 'drop_before' })
    for (const wait of [MINUTE, 8 * MINUTE]) {
      ctx.clock.advance(wait)
      await lookUpDue(ctx)
      expect(await status()).toBe('pending')
    }
    ctx.clock.advance(10 * MINUTE)
    await lookUpDue(ctx)
    expect(await now()).toMatchObject({ status: 'pending', statusReason: 'expired' })
    expect(await booked('charge')).toHaveLength(0)
  })
})

test('a success after the refusal completes the payment with one capture', async () => {
  await pay({
    decision: { verdict: 'cancelled', afterMs: 20_000 },
    lateSuccessAfterMs: 20_000,
    callbackTimes: 2,
  })
  await cancelPayment(ctx, payment.accountId, payment.id)
  expect(await status()).toBe('pending')
  await expect.poll(status).toBe('completed')
  await ctx.backgroundTasks.drain()
  expect(await traces()).toEqual({
    transfers: ['capture', 'fee'],
    events: ['1 payment.failed', '2 payment.completed'],
  })
})

describe('a refund', () => {
  const paid = { decision: { verdict: 'success', afterMs: 0 } }
  const payWith = async (behaviour: object) => {
    await pay({ ...paid, ...behaviour })
    await expect.poll(status).toBe('completed')
  }

  test('that is refused answers 409, and a later one is paid', async () => {
    await payWith({ refund: 'declined' })
    const declined = await refund()
    expect([declined.statusCode, declined.json().code]).toEqual([409, 'refund_declined'])
    await simulator.order({ refund: 'completed' }, (await booked('charge'))[0]?.correlator)
    const done = await refund()
    expect([done.statusCode, done.json().status]).toEqual([200, 'REFUNDED'])
    const again = await refund()
    expect([again.statusCode, again.json()]).toEqual([200, done.json()])
  })

  test('with a slow provider answers 202 and ends when its callback arrives', async () => {
    await payWith({ refund: 'pending', refundAfterMs: 20_000 })
    const taken = await refund()
    expect([taken.statusCode, taken.json().status]).toEqual([202, 'COMPLETED'])
    await expect.poll(status).toBe('refunded')
    await ctx.backgroundTasks.drain()
    expect(await traces()).toEqual(paidAndBack)
  })

  test('without an answer is looked up and paid once', async () => {
    await payWith({ refundReply: 'drop', callback: 'lost' })
    expect((await refund()).statusCode).toBe(202)
    expect((await refund()).statusCode).toBe(202)
    ctx.clock.advance(5000)
    await lookUpDue(ctx)
    expect(await status()).toBe('refunded')
    expect(await booked('refund')).toHaveLength(1)
    expect(await traces()).toEqual(paidAndBack)
  })

  test('is booked by the provider part by part, until nothing remains', async () => {
    await payWith({ refund: 'completed' })
    const answers = [await refund(4), await refund(3.5), await refund(5.01), await refund(5)]
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 409, 200])
    const bodies = answers.map((answer) => answer.json())
    expect(bodies[1]).toMatchObject({ status: 'COMPLETED', amountRefunded: 7.5, fee: 0.84, net: 11.66 })
    expect(bodies[2]).toMatchObject({ code: 'refund_exceeds_remaining' })
    expect(bodies[3]).toMatchObject({ status: 'REFUNDED', amountRefunded: 12.5 })
    const { rows } = await ctx.db.pool.query('select id from refunds where payment_id = $1', [
      uuidOf(payment.id),
    ])
    const keys = new Set(rows.map(({ id }) => suffixOf(idFrom(RefundId, id))))
    const atProvider = (await simulator.transactions()).filter(({ correlator }) => keys.has(correlator))
    expect(atProvider.map(({ kind, status: outcome }) => `${kind} ${outcome}`)).toEqual(
      Array(3).fill('refund completed'),
    )
  })

  test('that conflicts is looked up, and keeps its reserve when the provider does not find it', async () => {
    await payWith({ refund: 'conflict' })
    expect((await refund()).statusCode).toBe(202)
    for (const wait of [MINUTE, 20 * MINUTE]) {
      ctx.clock.advance(wait)
      await lookUpDue(ctx)
    }
    expect(await now()).toMatchObject({ status: 'completed' })
    expect((await traces()).transfers).toEqual(['capture', 'fee', 'refund_reserve'])
  })
})

describe('a provider that answers 429 because of its number of calls', () => {
  const limit = (callsPerMinute: number | null) =>
    simulator.control('/control/rate-limits', { provider: 'ecocash', callsPerMinute })
  afterEach(() => limit(null))

  test('gets the charge again after the pause that it requested, once', async () => {
    await limit(0)
    await pay({ decision: { verdict: 'success' } })
    expect(await latestAttempt(ctx, payment)).toMatchObject({ status: 'sending', isDeferred: true })
    expect(await booked('charge')).toHaveLength(0)
    await limit(null)
    ctx.clock.advance(61_000)
    await lookUpDue(ctx)
    expect(await latestAttempt(ctx, payment)).toMatchObject({ isDeferred: false })
    expect(await booked('charge')).toHaveLength(1)
    await expect.poll(status).toBe('completed')
  })

  test('gets another look-up of a charge, which stays open', async () => {
    await pay({ callback: 'lost' })
    await limit(0)
    ctx.clock.advance(4000)
    await lookUpDue(ctx)
    expect(await latestAttempt(ctx, payment)).toMatchObject({ status: 'pending', checks: 1 })
    await simulator.order(
      { decision: { verdict: 'success' } },
      suffixOf((await latestAttempt(ctx, payment)).id),
    )
    await limit(null)
    await expect.poll(async () => (await booked('charge'))[0]?.status).toBe('completed')
    ctx.clock.advance(61_000)
    await lookUpDue(ctx)
    expect(await status()).toBe('completed')
  })
})
