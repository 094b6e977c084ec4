import { RefundId } from '@muripo/contract/ids'
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
import { configFor } from '../src/modules/providers/ecocash-open/fixtures.ts'
import { ecocashOpenConnector } from '../src/modules/providers/ecocash-open/index.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { createBackgroundTasks } from '../src/platform/async/background-tasks.ts'
import { idFrom, uuidOf } from '../src/platform/ids.ts'
import { byMerchant } from './audit-entries.ts'
import { type Simulator, startSimulator } from './simulator.ts'
import { terminalOf } from './terminal.ts'
import { freshShop, makeWorld, type Shop, type World } from './world.ts'

const HOUR = 3_600_000

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
  const connector = ecocashOpenConnector(configFor(`${simulator.url}/ecocash-open`))
  ctx = paymentsCtx(world.ctx, registryOf([connector]), createBackgroundTasks(world.ctx.log))
  payment = await makePayment(ctx, shop.owner)
})

const status = async () => (await paymentNow(ctx, shop.owner, payment.id)).status
const paidAtOnce = { decision: { verdict: 'success', afterMs: 0 } }

async function start(behaviour: object) {
  await simulator.order(behaviour)
  const { answered } = await startAttempt(ctx, payment.accountId, payment.id, {
    method: 'ecocash',
    phone: '0771000001',
  })
  await answered
  return latestAttempt(ctx, payment)
}

async function later(ms: number) {
  world.ctx.clock.advance(ms)
  await lookUpDue(ctx)
}

const refund = () =>
  refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
    amount: 12.5,
    currency: 'USD',
  })
const refundsSent = async () =>
  (await simulator.transactions()).filter(({ kind }) => kind === 'refund').length

test('look-ups complete a payment whose reply was empty, and a completed refund refunds it', async () => {
  expect(await start(paidAtOnce)).toMatchObject({ status: 'pending', msisdn: '263771000001' })
  await later(4000)
  expect(await status()).toBe('completed')
  expect(await refund()).toMatchObject({ isDone: true, payment: { status: 'refunded' } })
  expect(await tracesOf(ctx, payment)).toEqual({
    transfers: ['capture', 'fee', 'refund_reserve', 'refund_paid'],
    events: ['1 payment.completed', '2 payment.refunded'],
  })
})

test.each(['drop', 'error_after', 'html'])(
  'a payment whose reply is lost (%s) is found by its reference',
  async (chargeReply) => {
    await start({ ...paidAtOnce, chargeReply })
    expect(await status()).toBe('pending')
    await later(4000)
    expect(await status()).toBe('completed')
  },
)

describe('a refund', () => {
  test.each([
    ['that EcoCash accepts with an empty reply', { refund: 'pending' }],
    ['that EcoCash reports as failed', { refund: 'declined' }],
    ['whose reply is lost', { refundReply: 'drop' }],
    ['whose request is lost', { refundReply: 'drop_before' }],
  ])('%s stays open, is sent once, and reaches an operator after a day', async (_name, behaviour) => {
    await start({ ...paidAtOnce, ...behaviour })
    await later(4000)
    const before = await refundsSent()
    expect(await refund()).toMatchObject({ isDone: false, payment: { status: 'completed' } })
    const sent = await refundsSent()
    for (let hours = 0; hours < 26; hours += 2) await later(2 * HOUR)
    expect(await status()).toBe('completed')
    expect((await tracesOf(ctx, payment)).transfers).toEqual(['capture', 'fee', 'refund_reserve'])
    expect([sent - before, (await refundsSent()) - sent]).toEqual([
      'refundReply' in behaviour && behaviour.refundReply === 'drop_before' ? 0 : 1,
      0,
    ])
    const { rows } = await ctx.db.pool.query('select id from refunds where payment_id = $1', [
      uuidOf(payment.id),
    ])
    expect(rows).toHaveLength(1)
    const { output } = await terminalOf(world.ctx.databaseUrl).admin('refunds', 'list')
    expect(output).toContain('ecocash-open')
    expect(output).toContain(idFrom(RefundId, rows[0].id))
  })
})
