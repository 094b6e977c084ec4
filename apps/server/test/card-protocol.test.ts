import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cancelPayment } from '../src/modules/payments/actions/cancel-payment.ts'
import { capturePayment } from '../src/modules/payments/actions/instruct-payment.ts'
import { startAttempt } from '../src/modules/payments/actions/start-attempt.ts'
import {
  latestAttempt,
  lookUpDue,
  makePayment,
  paymentNow,
  tracesOf,
} from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { attemptsOf } from '../src/modules/payments/payment/store-attempts.ts'
import { configFor } from '../src/modules/providers/mastercard/fixtures.ts'
import { mastercardConnector } from '../src/modules/providers/mastercard/index.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { systemActor } from '../src/platform/audit/actor.ts'
import { suffixOf } from '../src/platform/ids.ts'
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

beforeAll(async () => {
  listening = await listeningWorld((started, { ctx: { clock } }) =>
    registryOf([mastercardConnector(configFor(`${started.url}/mastercard`), { clock })]),
  )
  ;({ simulator, world, ctx, app } = listening)
})
afterAll(() => listening.close())
beforeEach(async () => {
  caller = await makeCaller(ctx)
  payment = await makePayment(ctx, caller.owner)
  world.errors.length = 0
})

async function control(path: string, body: object = {}): Promise<void> {
  const response = await fetch(`${simulator.url}/control/mastercard${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`the simulator refused a control: ${await response.text()}`)
}

/** Starts a payment by card. @returns the id of its order at the provider */
async function start(behaviour: object = {}): Promise<string> {
  await control('/next', { behaviour })
  const input = { method: 'visa', phone: '' } as const
  const { answered } = await startAttempt(ctx, payment.accountId, payment.id, input)
  await answered
  return suffixOf((await latestAttempt(ctx, payment)).id)
}

/** The order in the provider's records. */
async function recorded(key: string) {
  const { orders } = (await (await fetch(`${simulator.url}/control/mastercard/orders`)).json()) as {
    orders: { id: string; captured: number; transactions: { type: string; result: string }[] }[]
  }
  return orders.find(({ id }) => id === key)
}

const now = () => paymentNow(ctx, caller.owner, payment.id)
const status = async () => (await now()).status
const attemptOf = async (order: string) => {
  const attempts = await attemptsOf(ctx.db.kysely, payment.accountId, payment.id)
  return attempts.find(({ id }) => suffixOf(id) === order)?.status
}
const refund = (amount = 12.5) =>
  app.inject({
    method: 'POST',
    url: '/v1/payments/refund',
    headers: caller.withSession,
    payload: { paymentId: payment.id, amount, currency: 'USD' },
  })

test.each(['APPROVED_AUTO', 'PARTIALLY_APPROVED'])(
  'a payment with %s is held for an operator',
  async (code) => {
    const order = await start()
    await control(`/payments/${order}`, { code })
    await expect.poll(async () => (await now()).statusReason).toBe('under_review')
    await ctx.backgroundTasks.drain()
    expect(await tracesOf(ctx, payment)).toEqual({ transfers: [], events: [] })
  },
)

test('a session whose answer is lost ends its attempt, and the next one is paid', async () => {
  const lost = await start({ sessionReply: 'drop' })
  expect(await attemptOf(lost)).toBe('failed')
  await control(`/payments/${await start()}`)
  await expect.poll(status).toBe('completed')
})

test('a payment whose notification is lost is found by a look-up, with the bank unanswered before', async () => {
  const order = await start({ notification: 'lost' })
  expect((await latestAttempt(ctx, payment)).nextAction).toMatchObject({ type: 'redirect' })
  await control(`/payments/${order}`, { code: 'TIMED_OUT' })
  ctx.clock.advance(5000)
  await lookUpDue(ctx)
  expect(await attemptOf(order)).toBe('pending')
  expect((await latestAttempt(ctx, payment)).nextAction).toEqual({ type: 'wait_for_push' })
  await control(`/payments/${order}`)
  ctx.clock.advance(MINUTE)
  await lookUpDue(ctx)
  expect(await status()).toBe('completed')
})

test('a card page that nobody uses expires with its session', async () => {
  const order = await start()
  for (const minutes of [5, 30]) {
    ctx.clock.advance(minutes * MINUTE)
    await lookUpDue(ctx)
    expect(await attemptOf(order)).toBe('pending')
  }
  ctx.clock.advance(10 * MINUTE)
  await lookUpDue(ctx)
  expect(await attemptOf(order)).toBe('failed')
})

test('a refused card that is paid late, after another attempt was paid, is voided on the same day', async () => {
  const first = await start()
  await control(`/payments/${first}`, { code: 'DECLINED' })
  await expect.poll(() => attemptOf(first)).toBe('failed')
  await control(`/payments/${await start()}`)
  await expect.poll(status).toBe('completed')
  await control(`/payments/${first}`)
  await expect.poll(() => attemptOf(first)).toBe('duplicate')
  await ctx.backgroundTasks.drain()
  const order = await recorded(first)
  expect(order?.captured).toBe(0)
  expect(order?.transactions.at(-1)).toMatchObject({
    type: expect.stringMatching(/^VOID_/),
    result: 'SUCCESS',
  })
})

test('a chargeback without a request opens a review, and the payment stays completed', async () => {
  const order = await start()
  await control(`/payments/${order}`)
  await expect.poll(status).toBe('completed')
  await control(`/chargebacks/${order}`)
  await expect
    .poll(async () => (await tracesOf(ctx, payment)).events)
    .toEqual(['1 payment.completed', '2 payment.reversed'])
  expect(await status()).toBe('completed')
})

test('a refund whose answer is lost is found under its order, and a refund of our own is no reversal', async () => {
  const order = await start({ refundReply: 'drop' })
  await control(`/payments/${order}`)
  await expect.poll(status).toBe('completed')
  expect((await refund(10)).statusCode).toBe(202)
  ctx.clock.advance(MINUTE)
  await lookUpDue(ctx)
  await ctx.backgroundTasks.drain()
  expect(await tracesOf(ctx, payment)).toEqual({
    transfers: ['capture', 'fee', 'refund_reserve', 'refund_paid'],
    events: ['1 payment.completed', '2 payment.refunded'],
  })
})

describe('a payment that its merchant captures', () => {
  let order: string
  const typesAtProvider = async () => (await recorded(order))?.transactions.map(({ type }) => type)

  beforeEach(async () => {
    payment = await makePayment(ctx, caller.owner, { capture: 'manual', method: 'visa' })
    order = await start()
    await control(`/payments/${order}`)
    await expect.poll(status).toBe('authorized')
  })

  test('is captured in part, booked and refunded with that amount', async () => {
    expect(await typesAtProvider()).toEqual(['AUTHORIZATION'])
    const { json } = await capturePayment(
      ctx,
      caller.owner,
      payment.id,
      { amount: 10 },
      { idempotencyKey: 'k' },
    )
    expect(JSON.parse(json)).toMatchObject({ status: 'completed', amount: 12.5, amount_captured: 10 })
    expect(await recorded(order)).toMatchObject({ captured: 1000 })
    expect((await refund(10.01)).statusCode).toBe(422)
    expect((await refund(10)).statusCode).toBe(200)
    expect(await status()).toBe('refunded')
    await ctx.backgroundTasks.drain()
    expect((await tracesOf(ctx, payment)).events).toEqual([
      '1 payment.authorized',
      '2 payment.completed',
      '3 payment.refunded',
    ])
  })

  test.each([
    [
      'is cancelled',
      'cancelled',
      () => cancelPayment(ctx, payment.accountId, payment.id, systemActor('test')),
    ],
    ['is not captured in time', 'expired', () => later(7 * 24 * 60 * MINUTE)],
  ])('is voided when it %s', async (_name, reason, end) => {
    await end()
    expect(await now()).toMatchObject({ status: 'failed', statusReason: reason })
    expect(await typesAtProvider()).toEqual(['AUTHORIZATION', 'VOID_AUTHORIZATION'])
    await ctx.backgroundTasks.drain()
    expect(await tracesOf(ctx, payment)).toEqual({
      transfers: [],
      events: ['1 payment.authorized', '2 payment.failed'],
    })
  })

  test('fails when the bank refuses the capture', async () => {
    await control('/next', { order, behaviour: { capture: 'declined' } })
    await capturePayment(ctx, caller.owner, payment.id, {})
    await later(MINUTE)
    expect(await now()).toMatchObject({ status: 'failed', statusReason: 'declined' })
    expect(await typesAtProvider()).toEqual(['AUTHORIZATION', 'CAPTURE', 'VOID_AUTHORIZATION'])
  })
})

async function later(ms: number): Promise<void> {
  ctx.clock.advance(ms)
  await lookUpDue(ctx)
}
