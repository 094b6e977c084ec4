import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startAttempt } from '../src/modules/payments/actions/start-attempt.ts'
import {
  latestAttempt,
  lookUpDue,
  makePayment,
  paymentNow,
  tracesOf,
} from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { configFor } from '../src/modules/providers/paynow/fixtures.ts'
import { paynowConnector } from '../src/modules/providers/paynow/index.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { suffixOf, uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeCaller } from './app.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'
import type { Simulator } from './simulator.ts'
import type { WorldCtx } from './world.ts'

const MINUTE = 60_000

let listening: ListeningWorld
let simulator: Simulator
let ctx: WorldCtx
let app: FastifyInstance
let caller: Caller
let payment: Payment

beforeAll(async () => {
  listening = await listeningWorld((started) =>
    registryOf([paynowConnector(configFor(`${started.url}/paynow`))]),
  )
  ;({ simulator, ctx, app } = listening)
})
afterAll(() => listening.close())
beforeEach(async () => {
  caller = await makeCaller(ctx)
  payment = await makePayment(ctx, caller.owner)
})

const status = async () => (await paymentNow(ctx, caller.owner, payment.id)).status
const attempt = () => latestAttempt(ctx, payment)
const traces = () => tracesOf(ctx, payment)
const paidOnce = { transfers: ['capture', 'fee'], events: ['1 payment.completed'] }

async function pay(behaviour: object): Promise<string> {
  await simulator.order(behaviour)
  const input = { method: 'onemoney', phone: '0711234567' } as const
  const { answered } = await startAttempt(ctx, payment.accountId, payment.id, input)
  await answered
  return suffixOf((await attempt()).id)
}

/** The provider's status changes, and it posts an update. */
async function update(key: string, word: string): Promise<void> {
  await simulator.order({ paynow: { status: word } }, key)
  await simulator.control(`/control/callbacks/${key}`, {})
  await ctx.backgroundTasks.drain()
}

const paid = { decision: { verdict: 'success', afterMs: 2000 } }

test('ten copies of an update complete the payment once', async () => {
  const key = await pay({ ...paid, callbackTimes: 10 })
  await expect.poll(status).toBe('completed')
  await simulator.control(`/control/callbacks/${key}`, { times: 10 })
  await ctx.backgroundTasks.drain()
  expect(await traces()).toEqual(paidOnce)
})

test('a charge whose answer is lost is traced and completed, without a second charge', async () => {
  const key = await pay({ ...paid, chargeReply: 'drop', callback: 'lost' })
  expect(await attempt()).toMatchObject({ status: 'unknown' })
  ctx.clock.advance(MINUTE)
  await expect
    .poll(async () => (await simulator.transactions()).find((each) => each.correlator === key)?.status)
    .toBe('completed')
  await lookUpDue(ctx)
  expect(await status()).toBe('completed')
  expect((await simulator.transactions()).filter((each) => each.correlator === key)).toHaveLength(1)
})

describe('after the payment was completed', () => {
  let key: string
  beforeEach(async () => {
    key = await pay(paid)
    await expect.poll(status).toBe('completed')
    await ctx.backgroundTasks.drain()
  })

  test.each(['Disputed', 'Refunded'])(
    'the status %s opens a review and keeps the payment completed',
    async (word) => {
      await update(key, word)
      const { rows } = await ctx.db.pool.query(
        'select kind, provider_status from payment_anomalies where payment_id = $1',
        [uuidOf(payment.id)],
      )
      expect(rows).toMatchObject([{ provider_status: word }])
      expect(await status()).toBe('completed')
    },
  )

  test('a refund awaits an operator, because Paynow has no call for it', async () => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/payments/refund',
      headers: caller.withSession,
      payload: { paymentId: payment.id, amount: 12.5, currency: 'USD' },
    })
    expect(reply.statusCode).toBe(202)
    expect((await traces()).transfers).toEqual(['capture', 'fee', 'refund_reserve'])
  })
})

test('an update with a forged token is answered, and starts nothing', async () => {
  const reply = await app.inject({
    method: 'POST',
    url: '/callbacks/paynow/forged',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'status=Paid',
  })
  expect([reply.statusCode, reply.body]).toEqual([200, ''])
})
