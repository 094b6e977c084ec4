import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApp } from '../../../test/app.ts'
import { freshShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { plusMs } from '../../platform/clock.ts'
import { cancelPayment } from '../payments/actions/cancel-payment.ts'
import { checkAttempt } from '../payments/actions/check-attempt.ts'
import {
  clearDueCalls,
  codeShown,
  latestAttempt,
  lookUpDue,
  makePaid,
  makePayment,
  paid,
  pending,
  redirected,
  refused,
  unanswered,
} from '../payments/factory.ts'
import type { Payment } from '../payments/payment/payment.ts'
import { type Checkout, createCheckout } from './checkout.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

let world: World
let shop: Shop
let checkout: Checkout
let app: FastifyInstance
let payment: Payment

beforeAll(async () => {
  world = await makeWorld()
  checkout = createCheckout(world.ctx)
  app = await makeApp(world.ctx)
})
afterAll(async () => {
  await app.close()
  await world.ctx.backgroundTasks.drain()
  await world.ctx.close()
})
beforeEach(async () => {
  shop = await freshShop(world)
  await clearDueCalls(world.ctx)
  world.provider.needs = []
  payment = await makePayment(world.ctx, shop.owner, { amount: 25 })
})

const tokenOf = ({ accountId, id }: Payment) => world.ctx.checkoutLinks.tokenOf(accountId, id)
async function view(of = payment) {
  const seen = await checkout.view(tokenOf(of), '203.0.113.7')
  if (seen === null || 'waitSeconds' in seen) throw new Error('no page')
  return seen
}
const start = () => checkout.submit(tokenOf(payment), new URLSearchParams({ method: 'ecocash' }))
const comeBack = (method: 'GET' | 'POST' = 'GET', query = '') =>
  app.inject({
    method,
    url: `/pay/${tokenOf(payment)}/return${query}`,
    headers: { origin: 'https://cards.example' },
  })

describe('a code', () => {
  test('is shown with its QR code and the remaining time, then the success', async () => {
    const end = plusMs(world.ctx.clock.now(), 10 * MINUTE)
    world.provider.charge = async () => codeShown(end)
    world.provider.lookup = async () => pending()
    expect(await start()).toBeNull()
    world.ctx.clock.advance(61_500)
    expect(await view()).toMatchObject({
      stage: 'action',
      canCancel: false,
      attempt: {
        phone: null,
        step: {
          type: 'show_code',
          code: '701234567',
          qr: { size: 21, path: expect.stringMatching(/^M0 0h7v1h-7z/) },
          links: [{ url: 'wallet://pay?code=701234567' }],
          until: end.toISOString(),
        },
      },
    })
    world.provider.lookup = async () => paid(payment.amount)
    await lookUpDue(world.ctx)
    expect(await view()).toMatchObject({ stage: 'completed', attempt: { step: null } })
  })

  test('whose end only a look-up names is looked up at once, and shown with the time of another way', async () => {
    const end = plusMs(world.ctx.clock.now(), 9 * MINUTE)
    world.provider.refundsBy = 'manual'
    world.provider.charge = async () => codeShown(null)
    world.provider.lookup = async () => codeShown(end)
    await start()
    const until = end.toISOString()
    expect(await view()).toMatchObject({ canLeave: false, otherWayAt: until, attempt: { step: { until } } })
    expect(world.provider.lookups).toHaveLength(1)
    await cancelPayment(world.ctx, shop.accountId, payment.id)
    expect((await view()).otherWayAt).toBeNull()
  })

  test('is no longer shown when the shop cancels its payment, and may still be paid', async () => {
    world.provider.charge = async () => codeShown(null)
    await start()
    expect((await view()).stage).toBe('action')
    await cancelPayment(world.ctx, shop.accountId, payment.id)
    expect(await view()).toMatchObject({ stage: 'waiting', attempt: { step: null } })
    world.provider.lookup = async () => paid(payment.amount)
    world.ctx.clock.advance(5000)
    await lookUpDue(world.ctx)
    expect((await view()).stage).toBe('completed')
  })

  test('that the provider has not issued yet is awaited', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof codeShown>>()
    world.provider.charge = () => promise
    const started = start()
    await expect.poll(async () => (await view()).attempt?.isStarting).toBe(true)
    expect((await view()).stage).toBe('waiting')
    resolve(codeShown(null))
    await started
    expect(await view()).toMatchObject({ stage: 'action', attempt: { isStarting: false } })
  })

  test('that expired is looked up, then another attempt may start', async () => {
    world.provider.charge = async () => codeShown(plusMs(world.ctx.clock.now(), 10 * MINUTE))
    await start()
    world.ctx.clock.advance(10 * MINUTE)
    expect(await view()).toMatchObject({ stage: 'waiting', attempt: { phone: null, step: null } })
    world.provider.lookup = async () => refused('expired')
    await lookUpDue(world.ctx)
    expect(await view()).toMatchObject({ stage: 'refused', attempt: { failure: 'expired', step: null } })
    await start()
    expect(await view()).toMatchObject({ stage: 'action' })
  })
})

describe('a return from the provider’s page', () => {
  beforeEach(async () => {
    world.provider.charge = async () => redirected()
    await start()
    expect(await view()).toMatchObject({
      stage: 'action',
      attempt: { step: { type: 'redirect', url: 'https://cards.example/session/1', until: null } },
    })
  })

  test.each([
    ['GET', '?resultIndicator=1&status=paid'],
    ['POST', ''],
  ] as const)('by %s looks the attempt up and leads to the payer’s page', async (method, query) => {
    world.provider.lookup = async () => paid(payment.amount)
    const { statusCode, headers } = await comeBack(method, query)
    expect([statusCode, headers.location]).toEqual([303, `/pay/${tokenOf(payment)}`])
    expect(headers['cache-control']).toBe('no-store')
    expect((await view()).stage).toBe('completed')
  })

  test('proves nothing', async () => {
    world.provider.lookup = async () => pending()
    await comeBack('GET', '?status=completed')
    expect((await view()).stage).toBe('action')
    expect(world.provider.lookups).toHaveLength(1)
  })

  test('by many at once makes one look-up, and ten a minute are allowed', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    world.provider.lookup = () => promise.then(pending)
    const returns = Array.from({ length: 8 }, () => comeBack())
    await expect.poll(() => world.provider.lookups.length).toBe(1)
    resolve()
    expect((await Promise.all(returns)).map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(303))
    expect(world.provider.lookups).toHaveLength(1)
    for (let count = 0; count < 5; count += 1) await comeBack()
    expect(world.provider.lookups).toHaveLength(3)
    world.ctx.clock.advance(MINUTE)
    await comeBack()
    expect(world.provider.lookups).toHaveLength(4)
  })

  test('with an unknown token, or to a payment that has ended, calls no provider', async () => {
    const done = await makePaid(world.ctx, shop.owner, world.provider)
    for (const token of ['nothing', tokenOf(done)]) {
      const { statusCode, headers } = await app.inject(`/pay/${token}/return`)
      expect([statusCode, headers.location]).toEqual([303, `/pay/${token}`])
    }
    expect(world.provider.lookups).toEqual([])
  })
})

describe('a prompt that does not arrive', () => {
  const send = (intent: string) => checkout.submit(tokenOf(payment), new URLSearchParams({ intent }))
  beforeEach(async () => {
    world.provider.needs = ['phone']
    await checkout.submit(tokenOf(payment), new URLSearchParams({ method: 'ecocash', phone: '077 123 4567' }))
    world.provider.lookup = async () => pending()
  })

  test('names the time at which the provider closes it, until which nothing else is offered', async () => {
    const closesAt = plusMs(world.ctx.clock.now(), 10 * MINUTE).toISOString()
    const { attempt, revision } = await view()
    expect(attempt?.prompt).toEqual({ dialIn: null, closesAt, isLast: false, canCancel: false })
    world.ctx.clock.advance(10 * MINUTE - 1)
    expect((await view()).attempt?.prompt?.closesAt).toBe(closesAt)
    world.ctx.clock.advance(1)
    const later = await view()
    expect(later.attempt?.prompt).toMatchObject({ closesAt: null, isLast: false })
    expect(later.revision).not.toBe(revision)
  })

  test.each([
    ['a payment that has expired', async () => world.ctx.clock.advance(DAY)],
    ['a cancelled payment', () => cancelPayment(world.ctx, shop.accountId, payment.id)],
  ] as const)('of %s is the last one', async (_what, change) => {
    await change()
    expect((await view()).attempt?.prompt?.isLast).toBe(true)
  })

  test('may be resent after a pause', async () => {
    world.provider.lookup = async () => refused('expired')
    await send('resend')
    expect(world.provider.charges).toHaveLength(1)
  })

  test.each([
    ['still open', async () => pending()],
    ['silent', async () => Promise.reject(unanswered())],
  ] as const)('is not followed by another one while it is %s at the provider', async (_what, lookup) => {
    world.ctx.clock.advance(MINUTE)
    world.provider.lookup = lookup
    for (const intent of ['resend', 'leave', 'cancel']) await send(intent)
    expect(world.provider.charges).toHaveLength(1)
    expect(await view()).toMatchObject({ stage: 'waiting', attempt: { prompt: expect.anything() } })
  })

  test('is followed by another one to the same phone when the provider has closed it', async () => {
    world.ctx.clock.advance(MINUTE)
    world.provider.lookup = async () => refused('expired')
    await Promise.all(Array.from({ length: 5 }, () => send('resend')))
    expect(world.provider.charges.map(({ msisdn }) => msisdn)).toEqual(['263771234567', '263771234567'])
    expect(await view()).toMatchObject({
      stage: 'waiting',
      attempt: { ageSeconds: 0, prompt: { closesAt: expect.any(String) } },
    })
  })

  test('that was paid completes the payment, whatever its payer chooses', async () => {
    world.ctx.clock.advance(MINUTE)
    world.provider.lookup = async () => paid(payment.amount)
    await send('resend')
    expect(world.provider.charges).toHaveLength(1)
    expect((await view()).stage).toBe('completed')
  })

  test('is looked up at once for a payer who has paid, ten times a minute', async () => {
    for (let time = 0; time < 12; time += 1) await send('check')
    expect(world.provider.lookups).toHaveLength(10)
    world.ctx.clock.advance(MINUTE)
    world.provider.lookup = async () => paid(payment.amount)
    await send('check')
    expect((await view()).stage).toBe('completed')
  })

  test('that the provider has closed leads back to the choice', async () => {
    world.provider.lookup = async () => refused('expired')
    await send('leave')
    expect((await view()).stage).toBe('refused')
    expect(world.provider.charges).toHaveLength(1)
  })
})

describe('another way to pay, chosen while a page of the provider is open', () => {
  const leave = () => checkout.submit(tokenOf(payment), new URLSearchParams({ intent: 'leave' }))
  beforeEach(async () => {
    world.provider.charge = async () => redirected()
    await start()
    expect(await view()).toMatchObject({ stage: 'action', canLeave: true })
  })

  test('ends the attempt, and a charge that is paid after all is refunded', async () => {
    world.provider.lookup = async () => pending()
    await leave()
    expect(await view()).toMatchObject({
      stage: 'refused',
      canLeave: false,
      attempt: { failure: 'user_cancelled' },
    })
    const first = await latestAttempt(world.ctx, payment)
    world.provider.charge = async () => paid(payment.amount)
    await start()
    expect((await view()).stage).toBe('completed')
    world.provider.lookup = async () => paid(payment.amount, 'MP2')
    world.provider.refund = async () => paid(payment.amount, 'RF1')
    await checkAttempt(world.ctx, first.accountId, first.id)
    expect(world.provider.refunds).toMatchObject([{ amount: payment.amount, originalReference: 'MP2' }])
    expect((await view()).stage).toBe('completed')
  })

  test('completes the payment when the provider had been paid', async () => {
    world.provider.lookup = async () => paid(payment.amount)
    await leave()
    expect((await view()).stage).toBe('completed')
  })

  test('is not possible while the provider does not answer', async () => {
    world.provider.lookup = async () => Promise.reject(unanswered())
    await leave()
    expect(await view()).toMatchObject({ stage: 'action' })
  })

  test('is not possible where a second charge could not be refunded by a call', async () => {
    world.provider.refundsBy = 'manual'
    expect(await view()).toMatchObject({ stage: 'action', canLeave: false })
    await leave()
    expect(world.provider.lookups).toEqual([])
    expect((await view()).stage).toBe('action')
  })
})

test('a token that is far too long is as unknown as any other', async () => {
  const page = `/pay/${'a'.repeat(5000)}`
  const status = await app.inject(`${page}/status`)
  expect([status.statusCode, status.json().code]).toEqual([404, 'not_found'])
  const returned = await app.inject(`${page}/return`)
  expect([returned.statusCode, returned.headers.location]).toEqual([303, page])
})
