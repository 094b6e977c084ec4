import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAttempt } from '../src/modules/payments/actions/start-attempt.ts'
import { latestAttempt, makePayment, paymentNow, tracesOf } from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { configFor } from '../src/modules/providers/pesepay/fixtures.ts'
import { pesepayConnector } from '../src/modules/providers/pesepay/index.ts'
import { registryOf } from '../src/modules/providers/registry.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeCaller } from './app.ts'
import { type ListeningWorld, listeningWorld } from './listening-world.ts'
import type { Simulator } from './simulator.ts'
import type { WorldCtx } from './world.ts'

let listening: ListeningWorld
let simulator: Simulator
let ctx: WorldCtx
let caller: Caller
let payment: Payment

beforeAll(async () => {
  listening = await listeningWorld((started) =>
    registryOf([pesepayConnector(configFor(`${started.url}/pesepay`))]),
  )
  ;({ simulator, ctx } = listening)
})
afterAll(() => listening.close())
beforeEach(async () => {
  caller = await makeCaller(ctx)
  payment = await makePayment(ctx, caller.owner)
})

const now = () => paymentNow(ctx, caller.owner, payment.id)
const status = async () => (await now()).status

/** Starts a payment at Pesepay's page. */
async function start(behaviour: object = {}) {
  await simulator.control('/control/pesepay/next', { behaviour })
  const input = { method: 'visa', phone: '' } as const
  const { answered } = await startAttempt(ctx, payment.accountId, payment.id, input)
  await answered
  return latestAttempt(ctx, payment)
}

/** Pesepay changes the payment and sends a callback. */
async function change(word: string): Promise<void> {
  const { providerReference } = await latestAttempt(ctx, payment)
  await simulator.control(`/control/pesepay/payments/${providerReference}`, { status: word })
}

test.each(['normal', 'unsigned'])('a %s callback completes the payment once', async (callback) => {
  expect(await start({ callback })).toMatchObject({ status: 'pending' })
  await change('SUCCESS')
  await expect.poll(status).toBe('completed')
  await change('SUCCESS')
  await ctx.backgroundTasks.drain()
  expect(await tracesOf(ctx, payment)).toEqual({
    transfers: ['capture', 'fee'],
    events: ['1 payment.completed'],
  })
})

test('a payment in part is held for an operator', async () => {
  await start()
  await change('PARTIALLY_PAID')
  await expect.poll(now).toMatchObject({ status: 'pending', statusReason: 'under_review' })
})

test('a reversal opens a review and keeps the payment completed', async () => {
  await start()
  await change('SUCCESS')
  await expect.poll(status).toBe('completed')
  await change('REVERSED')
  const anomalies = async () => {
    const { rows } = await ctx.db.pool.query(
      'select provider_status from payment_anomalies where payment_id = $1',
      [uuidOf(payment.id)],
    )
    return rows
  }
  await expect.poll(anomalies).toMatchObject([{ provider_status: 'REVERSED' }])
  expect(await status()).toBe('completed')
})
