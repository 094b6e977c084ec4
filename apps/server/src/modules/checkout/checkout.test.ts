import type { CheckoutPort } from '@muripo/contract/checkout'
import { money } from '@muripo/contract/money'
import { problemOf } from '@muripo/locales/form-problems'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byMerchant } from '../../../test/audit-entries.ts'
import { makeShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { setApplicationStatus } from '../applications/actions/set-application-status.ts'
import { cancelPayment } from '../payments/actions/cancel-payment.ts'
import {
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  pending,
  refused,
  unanswered,
} from '../payments/factory.ts'
import { expireDue } from '../payments/jobs.ts'
import type { Payment } from '../payments/payment.ts'
import { refundPayment } from '../payments/refunds/actions/refund-by-dashboard.ts'
import { createCheckout } from './checkout.ts'

const HOUR = 3_600_000

let world: World
let shop: Shop
let checkout: CheckoutPort

beforeAll(async () => {
  world = await makeWorld()
  checkout = createCheckout(world.ctx)
})
afterAll(async () => {
  await world.ctx.backgroundTasks.drain()
  await world.ctx.close()
})
beforeEach(async () => {
  shop = await makeShop(world.ctx)
  world.provider.charges.length = 0
  world.provider.charge = async () => pending()
  world.provider.lookup = async () => pending()
})

const tokenOf = (payment: Payment) => world.ctx.checkoutLinks.tokenOf(payment.accountId, payment.id)
async function view(payment: Payment) {
  const seen = await checkout.view(tokenOf(payment), '203.0.113.7')
  if (seen && 'waitSeconds' in seen) throw new Error('asked too often')
  return seen
}
const start = (payment: Payment, phone = '0771234567', method = 'ecocash') =>
  checkout.submit(tokenOf(payment), new URLSearchParams({ method, phone }))
const make = (input = {}) => makePayment(world.ctx, shop.owner, input)

test.each([undefined, 'sn', 'nd'] as const)('the language that the shop named: %s', async (locale) => {
  const payment = await make({ locale })
  expect(payment.locale).toBe(locale ?? null)
  expect((await view(payment))?.locale).toBe(locale ?? null)
})

describe('a token that was never issued', () => {
  test('shows nothing and starts nothing', async () => {
    const payment = await make()
    const token = tokenOf(payment)
    const flipped = [...token].map(
      (_, at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1),
    )
    const refund = world.ctx.refundLinks.tokenOf(payment.accountId, payment.id as never)
    const none = world.ctx.checkoutLinks.tokenOf(payment.accountId, `${payment.id.slice(0, -4)}0000` as never)
    const bad = ['', 'x', '../..', '\0', `${token}A`, token.slice(1), 'x'.repeat(5000), refund, none]
    for (const wrong of [...bad, ...flipped.slice(0, -1)]) {
      expect(await checkout.view(wrong, '203.0.113.7'), wrong).toBeNull()
    }
    for (const wrong of bad) {
      const form = new URLSearchParams({ method: 'ecocash', phone: '0771234567' })
      expect((await checkout.submit(wrong, form))?.problem.message).toBe('This payment does not exist')
    }
    expect(world.provider.charges).toEqual([])
  })
})

describe('no prompt is sent for', () => {
  test.each([
    ['method', 'bitcoin', '0771234567'],
    ['method', 'visa', '0771234567'],
    ['phone', 'ecocash', ''],
    ['phone', 'ecocash', '12345'],
    ['phone', 'ecocash', '0771234567 ext 4'],
    ['phone', 'ecocash', '+27821234567'],
  ] as const)('a wrong %s: %s %s', async (field, method, phone) => {
    const payment = await make()
    expect(await start(payment, phone, method)).toMatchObject({ field })
    expect(world.provider.charges).toEqual([])
    expect(await view(payment)).toMatchObject({ stage: 'choose', attempt: null })
  })

  test('a currency of no provider', async () => {
    const payment = await make({ currency: 'GBP' })
    expect(await start(payment)).toMatchObject({ field: 'method' })
    expect((await view(payment))?.methods).toEqual([])
  })

  test('a payment that has expired, or is paid', async () => {
    const late = await make({ expires_in: 1800 })
    world.ctx.clock.advance(HOUR)
    expect(await start(late)).toBeNull()
    expect((await view(late))?.stage).toBe('expired')
    const done = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.charges.length = 0
    expect(await start(done)).toBeNull()
    expect(world.provider.charges).toEqual([])
  })
})

test('payments of a stopped application: an issued link can be paid, and a paid one refunded', async () => {
  const begun = await make()
  const untouched = await make()
  await start(begun)
  await setApplicationStatus(
    world.ctx,
    byMerchant(shop.merchantId),
    shop.accountId,
    shop.applicationId,
    'inactive',
  )
  await expect(make()).rejects.toMatchObject({ code: 'application_inactive' })

  world.provider.lookup = async () => paid(begun.amount)
  world.ctx.clock.advance(5000)
  await lookUpDue(world.ctx)
  expect((await view(begun))?.stage).toBe('completed')
  expect(await start(untouched)).toBeNull()
  expect((await view(untouched))?.stage).toBe('waiting')
  const { payment: refunded } = await refundPayment(
    world.ctx,
    byMerchant(shop.merchantId),
    shop.accountId,
    begun.id,
    {
      amount: 12.5,
      currency: 'USD',
    },
  )
  expect(refunded.status).toBe('refunded')
})

test('a button pressed twice, or ten times at once, sends one prompt', async () => {
  const payment = await make()
  const presses = await Promise.all(Array.from({ length: 10 }, () => start(payment)))
  expect(presses).toEqual(Array.from({ length: 10 }, () => null))
  expect(await start(payment)).toBeNull()
  expect(world.provider.charges).toHaveLength(1)
})

test.each([
  '0771234567',
  '+263 77 1234567',
  '263771234567',
  '771234567',
  '077-123-4567',
  '00263 77 123 4567',
])('the number may be written as %s', async (phone) => {
  const payment = await make()
  await start(payment, phone)
  expect(world.provider.charges[0]?.msisdn).toBe('263771234567')
  expect((await view(payment))?.attempt).toMatchObject({ phone: '077 *** 4567' })
})

describe('the page shows', () => {
  test('the choice, then the wait, then the refusal, then another choice and the success', async () => {
    const payment = await make({ amount: 25 })
    expect(await view(payment)).toMatchObject({
      stage: 'choose',
      shopName: 'Shop',
      amount: '25.00',
      currency: 'USD',
      methods: [{ method: 'ecocash', needsPhone: true, isDown: false, limit: null }],
      attempt: null,
      continueUrl: null,
    })
    world.provider.charge = async () => Promise.reject(unanswered())
    await start(payment)
    world.ctx.clock.advance(2999)
    expect(await view(payment)).toMatchObject({ stage: 'waiting', attempt: { ageSeconds: 2, failure: null } })
    world.provider.lookup = async () => refused('insufficient_funds')
    world.ctx.clock.advance(10_000)
    await lookUpDue(world.ctx)
    expect(await view(payment)).toMatchObject({
      stage: 'refused',
      attempt: { failure: 'insufficient_funds' },
    })
    world.provider.charge = async ({ amount }) => paid(amount)
    await start(payment)
    expect(await view(payment)).toMatchObject({ stage: 'completed', attempt: { failure: null } })
  })

  test('a payment with a refused attempt as expired after its time', async () => {
    const payment = await make({ expires_in: 1800 })
    world.provider.charge = async () => refused()
    await start(payment)
    world.ctx.clock.advance(HOUR)
    expect((await view(payment))?.stage).toBe('expired')
    await expireDue(world.ctx)
    expect(await view(payment)).toMatchObject({ stage: 'expired', canCancel: false })
  })

  test('a cancelled payment as such, with the return link; a payer may cancel where the shop accepts it', async () => {
    const payment = await make({ cancel_url: 'https://shop.test/no' })
    expect(await view(payment)).toMatchObject({ stage: 'choose', canCancel: true })
    expect((await view(await make()))?.canCancel).toBe(false)
    world.provider.charge = async () => refused()
    await start(payment)
    expect(await view(payment)).toMatchObject({ stage: 'refused', canCancel: true })
    await checkout.submit(tokenOf(payment), new URLSearchParams({ intent: 'cancel' }))
    await checkout.submit(tokenOf(payment), new URLSearchParams({ intent: 'cancel' }))
    expect(await view(payment)).toMatchObject({
      stage: 'cancelled',
      canCancel: false,
      continueUrl: `https://shop.test/no?payment_id=${payment.id}&status=failed`,
    })
    world.provider.charges.length = 0
    expect(await start(payment)).toBeNull()
    expect(world.provider.charges).toEqual([])
  })

  test('an attempt in progress as waiting when the shop cancels its payment', async () => {
    const payment = await make({ cancel_url: 'https://shop.test/no' })
    await start(payment)
    expect((await view(payment))?.canCancel).toBe(false)
    await cancelPayment(world.ctx, shop.accountId, payment.id)
    expect((await view(payment))?.stage).toBe('waiting')
    world.provider.lookup = async () => refused()
    world.ctx.clock.advance(5000)
    await lookUpDue(world.ctx)
    expect((await view(payment))?.stage).toBe('cancelled')
  })

  test('no cancellation where the page does not offer it: without cancel_url, or during an attempt', async () => {
    const cancel = (payment: Payment) =>
      checkout.submit(tokenOf(payment), new URLSearchParams({ intent: 'cancel' }))
    const withoutReturn = await make()
    await cancel(withoutReturn)
    expect((await view(withoutReturn))?.stage).toBe('choose')

    const underWay = await make({ cancel_url: 'https://shop.test/no' })
    await start(underWay)
    await cancel(underWay)
    world.provider.lookup = async () => refused()
    world.ctx.clock.advance(5000)
    await lookUpDue(world.ctx)
    expect((await view(underWay))?.stage).toBe('refused')
  })

  test('nothing of a payment that ended more than 30 days ago', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.ctx.clock.advance(30 * 24 * HOUR)
    expect((await view(payment))?.stage).toBe('completed')
    world.ctx.clock.advance(HOUR)
    expect(await view(payment)).toBeNull()
  })

  test('a payment with an open attempt as waiting when its time ends', async () => {
    const payment = await make({ expires_in: 1800 })
    await start(payment)
    world.ctx.clock.advance(HOUR)
    expect((await view(payment))?.stage).toBe('waiting')
  })

  test('a payment as under review when an operator has to decide: another amount, or no reply for a day', async () => {
    const held = await make()
    world.provider.charge = async () => paid(money(1n, 'USD'))
    await start(held)
    expect((await view(held))?.stage).toBe('under_review')
    world.provider.charge = async () => pending()
    const open = await make()
    await makeAttempt(world.ctx, open)
    for (const wait of [24 * HOUR, HOUR]) {
      world.ctx.clock.advance(wait)
      await lookUpDue(world.ctx)
    }
    expect((await latestAttempt(world.ctx, open)).status).toBe('pending')
    expect((await view(open))?.stage).toBe('under_review')
  })

  test('a refunded payment as such', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      amount: 12.5,
      currency: 'USD',
    })
    expect((await view(payment))?.stage).toBe('refunded')
  })
})

test('the return link keeps its own query, and adds the payment and its status', async () => {
  const urls = {
    success_url: 'https://shop.test/ok?order=1&status=mine#top',
    cancel_url: 'https://shop.test/no?a=%20b',
  }
  const open = await make(urls)
  expect((await view(open))?.continueUrl).toBe(
    `https://shop.test/no?a=+b&payment_id=${open.id}&status=pending`,
  )
  const done = await makePaid(world.ctx, shop.owner, world.provider, urls)
  expect((await view(done))?.continueUrl).toBe(
    `https://shop.test/ok?order=1&status=completed&payment_id=${done.id}#top`,
  )
})

describe('another payment with the reference of one', () => {
  const order = () => make({ reference: 'ORDER-7' })

  test('that is being paid has one warning, and its payer may continue', async () => {
    const [first, second] = [await order(), await order()]
    expect(await start(first)).toBeNull()
    const warning = await start(second)
    expect(warning).toMatchObject({ field: null, confirmWith: 'same order' })
    expect(warning?.problem.message).toMatch(/^The order ORDER-7 is being paid on another page\./)
    expect(world.provider.charges).toHaveLength(1)
    const form = { method: 'ecocash', phone: '0771234567', confirmed: 'same order' }
    expect(await checkout.submit(tokenOf(second), new URLSearchParams(form))).toBeNull()
    expect(world.provider.charges).toHaveLength(2)
  })

  test('that was paid is warned of for ten minutes, and for the same phone only', async () => {
    const [first, second] = [await order(), await order()]
    world.provider.charge = async ({ amount }) => paid(amount)
    expect(await start(first)).toBeNull()
    expect((await start(second))?.problem.message).toMatch(/^The order ORDER-7 was paid a few minutes ago\./)
    expect(await start(second, '0782222222')).toBeNull()
    const third = await order()
    world.ctx.clock.advance(11 * 60_000)
    expect(await start(third, '0773333333')).toBeNull()
  })

  test('of another shop, or without a reference, is no matter', async () => {
    const other = await makeShop(world.ctx)
    expect(await start(await makePayment(world.ctx, other.owner, { reference: 'ORDER-7' }))).toBeNull()
    expect(await start(await order())).toBeNull()
    expect(await start(await make())).toBeNull()
    expect(world.provider.charges).toHaveLength(3)
  })
})

test('a payment may be attempted twenty times a minute; another payment is not affected', async () => {
  const [payment, other] = [await make(), await make()]
  world.provider.charge = async () => refused()
  for (let time = 0; time < 20; time += 1) expect(await start(payment)).toBeNull()
  expect(await start(payment)).toEqual({
    typed: { method: 'ecocash', phone: '0771234567' },
    field: null,
    problem: problemOf('attemptsUsed'),
  })
  expect(world.provider.charges).toHaveLength(20)
  expect(await start(other)).toBeNull()
  world.ctx.clock.advance(60_000)
  expect(await start(payment)).toBeNull()
})

test('one address may read three thousand pages in ten seconds, and no other address is affected', async () => {
  const strict = createCheckout({ ...world.ctx, config: { ...world.ctx.config, rateLimitFactor: 1 } })
  const payment = await make()
  const shown = await Promise.all(Array.from({ length: 2999 }, () => strict.view('nothing', '2001:db8::1')))
  expect(new Set(shown)).toEqual(new Set([null]))
  expect(await strict.view(tokenOf(payment), '2001:db8::2')).toMatchObject({ stage: 'choose' })
  world.ctx.clock.advance(4000)
  expect(await strict.view(tokenOf(payment), '2001:db8::3')).toEqual({ waitSeconds: 6 })
  expect(await strict.view(tokenOf(payment), '2001:db8:0:1::1')).toMatchObject({ stage: 'choose' })
  world.ctx.clock.advance(6000)
  expect(await strict.view(tokenOf(payment), '2001:db8::1')).toMatchObject({ stage: 'choose' })
})
