import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startAttempt } from '../src/modules/payments/attempts/actions/start-attempt.ts'
import { type PaymentsCtx, paymentsCtx } from '../src/modules/payments/context.ts'
import {
  latestAttempt,
  lookUpDue,
  makePayment,
  paymentNow,
  tracesOf,
} from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment.ts'
import { refundPayment } from '../src/modules/payments/refunds/actions/refund-by-dashboard.ts'
import { configFor } from '../src/modules/providers/innbucks/fixtures.ts'
import { innbucksConnector } from '../src/modules/providers/innbucks/index.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../src/platform/async/background-tasks.ts'
import { byMerchant } from './audit-entries.ts'
import { type Simulator, startSimulator } from './simulator.ts'
import { terminalOf } from './terminal.ts'
import { freshShop, makeWorld, type Shop, type World } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let simulator: Simulator
let world: World
let ctx: PaymentsCtx
let shop: Shop
let payment: Payment

beforeAll(async () => {
  simulator = await startSimulator()
  world = await makeWorld()
})
afterAll(async () => {
  await world.ctx.close()
  await simulator.stop()
})
beforeEach(async () => {
  shop = await freshShop(world)
  const connector = innbucksConnector(configFor(`${simulator.url}/innbucks`), world.ctx.clock)
  ctx = paymentsCtx(world.ctx, registryOf([connector]), createBackgroundTasks(world.ctx.log))
  payment = await makePayment(ctx, shop.owner)
})

const status = async () => (await paymentNow(ctx, shop.owner, payment.id)).status
const order = (behaviour: object, code?: string) =>
  simulator.control('/control/innbucks/next', { behaviour, ...(code !== undefined && { code }) })

async function request(behaviour: object) {
  await order(behaviour)
  const { answered } = await startAttempt(ctx, payment.accountId, payment.id, {
    method: 'innbucks',
    phone: '',
  })
  await answered
  return latestAttempt(ctx, payment)
}

async function later(ms: number) {
  world.ctx.clock.advance(ms)
  await lookUpDue(ctx)
}

const codeOf = ({ nextAction }: Awaited<ReturnType<typeof request>>): string => {
  if (nextAction?.type !== 'show_code') throw new Error('the attempt shows no code')
  return nextAction.code
}
const waits = { neverResolves: true }
const claimed = { neverResolves: false, ending: { state: 'Claimed' } }
const expired = { neverResolves: false, ending: { state: 'Expired' } }

test('a payer without a phone pays the code, and look-ups complete the payment once', async () => {
  const attempt = await request(waits)
  expect(attempt).toMatchObject({ status: 'pending', msisdn: null, nextAction: { expiresAt: null } })
  await later(4000)
  expect((await latestAttempt(ctx, payment)).nextAction).toMatchObject({ expiresAt: expect.any(String) })
  await order(claimed, codeOf(attempt))
  await later(10_000)
  expect(await status()).toBe('completed')
  expect(await tracesOf(ctx, payment)).toEqual({
    transfers: ['capture', 'fee'],
    events: ['1 payment.completed'],
  })
})

test.each(['drop', 'error_after', 'html', 'drop_before', 'error_before', 'html_before'])(
  'a code whose answer is lost (%s) fails at once, and another one is paid',
  async (generateReply) => {
    expect(await request({ generateReply })).toMatchObject({ status: 'failed', nextAction: null })
    expect(await status()).toBe('pending')
    const second = await request({ ending: { state: 'Paid' } })
    expect(second.status).toBe('pending')
    await later(4000)
    expect(await status()).toBe('completed')
  },
)

describe('a code that expired', () => {
  test('lets the payer request another one', async () => {
    const first = await request(expired)
    await later(4000)
    expect(await latestAttempt(ctx, payment)).toMatchObject({ status: 'failed', failureReason: 'expired' })
    const second = await request(claimed)
    expect(codeOf(second)).not.toBe(codeOf(first))
    await later(4000)
    expect(await status()).toBe('completed')
  })

  test('and is claimed late completes the payment at the next look-up', async () => {
    const attempt = await request(expired)
    await later(4000)
    expect((await latestAttempt(ctx, payment)).status).toBe('failed')
    await order(claimed, codeOf(attempt))
    await later(2 * HOUR)
    expect(await status()).toBe('completed')
  })

  test('and is claimed after another one was paid is a duplicate', async () => {
    const first = await request(expired)
    await later(4000)
    await request(claimed)
    await later(4000)
    expect(await status()).toBe('completed')
    await order(claimed, codeOf(first))
    await later(2 * HOUR)
    expect((await tracesOf(ctx, payment)).transfers).toContain('duplicate_capture')
  })
})

test('a code that InnBucks does not locate stays open', async () => {
  await request({ ...waits, inquiryReply: 'not_found' })
  for (const wait of [MINUTE, 20 * MINUTE, HOUR]) await later(wait)
  expect(await latestAttempt(ctx, payment)).toMatchObject({ status: 'pending' })
})

test('another amount than requested holds the payment', async () => {
  await request({ ending: { state: 'Claimed' }, echoMinor: 1249 })
  await later(4000)
  expect(await paymentNow(ctx, shop.owner, payment.id)).toMatchObject({
    status: 'pending',
    statusReason: 'under_review',
  })
})

test('a refund awaits an operator, who sees how to pay it', async () => {
  await request({ ending: { state: 'Claimed' } })
  await later(4000)
  const refund = await refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
    amount: 5,
    currency: 'USD',
  })
  expect(refund).toMatchObject({ isDone: false, payment: { status: 'completed' } })
  const { output } = await terminalOf(world.ctx.databaseUrl).admin('refunds', 'list')
  expect(output).toContain('innbucks')
  expect(output).not.toMatch(/null|undefined/)
})
