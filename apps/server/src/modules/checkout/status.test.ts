import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { checkAttempt } from '../payments/actions/check-attempt.ts'
import {
  clearDueCalls,
  lookUpDue,
  makeAttempt,
  makePayment,
  paid,
  pending,
  redirected,
  refused,
} from '../payments/factory.ts'
import type { Payment } from '../payments/payment/payment.ts'
import { createCheckout } from './checkout.ts'

const MINUTE = 60_000

const test = base
  .extend('checkout', async ({ world }) => createCheckout(world.ctx))
  .extend('payment', async ({ world, shop }) => {
    await clearDueCalls(world.ctx)
    world.provider.needs = []
    return makePayment(world.ctx, shop.owner, { amount: 25 })
  })
  .extend('payer', async ({ world, app, checkout, payment }) => {
    const tokenOf = ({ accountId, id }: Payment) => world.ctx.checkoutLinks.tokenOf(accountId, id)
    return {
      async view(of = payment, last?: string) {
        const seen = await checkout.view(tokenOf(of), '203.0.113.7', last)
        if (seen === null || 'waitSeconds' in seen) throw new Error('no page')
        return seen
      },
      async status(of = payment) {
        const response = await app.inject(`/pay/${tokenOf(of)}/status`)
        expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store'])
        expect(response.rawPayload.length).toBeLessThanOrEqual(300)
        return response.json()
      },
      submit: (form: Record<string, string>, of = payment) =>
        checkout.submit(tokenOf(of), new URLSearchParams(form)),
      start: () => checkout.submit(tokenOf(payment), new URLSearchParams({ method: 'ecocash' })),
      comeBack: () =>
        app.inject({ url: `/pay/${tokenOf(payment)}/return`, headers: { origin: 'https://cards.example' } }),
    }
  })

test('a payment that is completed while its page is read is shown as waiting or as completed', async ({
  world,
  shop,
  payer,
}) => {
  world.provider.charge = async () => pending()
  world.provider.lookup = async () => paid(money(2500n, 'USD'))
  const stages = new Set<string>()
  for (let round = 0; round < 12; round += 1) {
    const payment = await makePayment(world.ctx, shop.owner, { amount: 25 })
    const { id, accountId } = await makeAttempt(world.ctx, payment)
    const completed = checkAttempt(world.ctx, accountId, id, { cause: 'callback' })
    let isOver = false
    const read = async () => {
      while (!isOver) stages.add((await payer.view(payment)).stage)
    }
    const readers = Array.from({ length: 4 }, read)
    await completed
    isOver = true
    await Promise.all(readers)
    stages.add((await payer.view(payment)).stage)
  }
  expect(stages).toEqual(new Set(['waiting', 'completed']))
})

describe('GET /pay/{token}/status', () => {
  test('returns the stage and the time of the next request', async ({ world, payment, payer }) => {
    expect(await payer.status()).toEqual({
      status: 'pending',
      stage: 'choose',
      message: 'Choose how to pay.',
      poll_after_ms: 5000,
      revision: (await payer.view()).revision,
    })
    world.provider.charge = async () => redirected()
    await payer.start()
    expect(await payer.status()).toMatchObject({ stage: 'action', poll_after_ms: 5000 })
    world.provider.lookup = async () => refused()
    await payer.comeBack()
    expect(await payer.status()).toMatchObject({ status: 'pending', stage: 'failed' })
    world.provider.charge = async () => pending()
    await payer.start()
    expect(await payer.status()).toMatchObject({ stage: 'waiting', poll_after_ms: 2000 })
    world.ctx.clock.advance(30_000)
    expect(await payer.status()).toMatchObject({ stage: 'waiting', poll_after_ms: 5000 })
    world.ctx.clock.advance(2 * MINUTE)
    expect(await payer.status()).toMatchObject({ stage: 'unknown', poll_after_ms: 10_000 })
    world.provider.lookup = async () => paid(payment.amount)
    await lookUpDue(world.ctx)
    expect(await payer.status()).toEqual({
      status: 'completed',
      stage: 'completed',
      message: 'Payment completed.',
      poll_after_ms: null,
      revision: (await payer.view()).revision,
    })
  })

  test('has another revision for each content of the page', async ({ world, payer }) => {
    const seen = new Set<string>()
    const note = async () => seen.add((await payer.status()).revision).size
    expect(await note()).toBe(1)
    expect(await note()).toBe(1)
    world.provider.charge = async () => pending()
    await payer.start()
    expect(await note()).toBe(2)
    world.ctx.clock.advance(2 * MINUTE)
    expect(await note()).toBe(3)
    world.provider.lookup = async () => refused()
    await lookUpDue(world.ctx)
    expect(await note()).toBe(4)
    await payer.start()
    expect(await note()).toBe(5)
  })

  test('reports that nothing more will happen', async ({ world, shop, payer }) => {
    const cancelled = await makePayment(world.ctx, shop.owner, { cancel_url: 'https://shop.test/no' })
    await payer.submit({ intent: 'cancel' }, cancelled)
    expect(await payer.status(cancelled)).toMatchObject({
      status: 'failed',
      stage: 'cancelled',
      poll_after_ms: null,
    })
    world.ctx.clock.advance(25 * 60 * MINUTE)
    expect(await payer.status()).toMatchObject({ status: 'pending', stage: 'expired', poll_after_ms: null })
  })

  test('of no payment does not exist', async ({ app }) => {
    const { statusCode, payload } = await app.inject('/pay/nothing/status')
    expect([statusCode, JSON.parse(payload).code]).toEqual([404, 'not_found'])
  })
})

test('the suggested method is that of the last attempt, of the shop, or of the browser, if it is offered', async ({
  world,
  shop,
  payment,
  payer,
}) => {
  const suggested = async (of: Payment, last?: string) => (await payer.view(of, last)).suggested
  expect(await suggested(payment)).toBeNull()
  expect(await suggested(payment, 'ecocash')).toBe('ecocash')
  expect(await suggested(payment, 'visa')).toBeNull()
  expect(await suggested(payment, 'bitcoin')).toBeNull()
  const requested = await makePayment(world.ctx, shop.owner, { method: 'ecocash' })
  expect(await suggested(requested)).toBe('ecocash')
  world.provider.charge = async () => refused()
  await makeAttempt(world.ctx, payment, '')
  expect(await suggested(payment)).toBe('ecocash')
})
