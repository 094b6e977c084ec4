import { problemOf } from '@muripo/locales/form-problems'
import { describe, expect, vi } from 'vitest'
import { byMerchant } from '../../../test/audit-entries.ts'
import { test as base } from '../../../test/payer-page.ts'
import { makeShop } from '../../../test/world.ts'
import { setApplicationStatus } from '../applications/actions/set-application-status.ts'
import { refundPayment } from '../payments/actions/request-refund.ts'
import { lookUpDue, makePaid, makePayment, paid, refused } from '../payments/factory.ts'
import { registryOf } from '../providers/registry.ts'
import { createCheckout } from './checkout.ts'

const HOUR = 3_600_000

const test = base.extend(
  'order',
  ({ make }) =>
    () =>
      make({ reference: 'ORDER-7' }),
)

describe('a token that was never issued', () => {
  test('shows nothing and starts nothing', async ({ world, checkout, tokenOf, make }) => {
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
  test.for([
    ['method', 'bitcoin', '0771234567'],
    ['method', 'visa', '0771234567'],
    ['phone', 'ecocash', ''],
    ['phone', 'ecocash', '12345'],
    ['phone', 'ecocash', '0771234567 ext 4'],
    ['phone', 'ecocash', '+27821234567'],
  ] as const)('a wrong %s: %s %s', async ([field, method, phone], { world, view, start, make }) => {
    const payment = await make()
    expect(await start(payment, phone, method)).toMatchObject({ field })
    expect(world.provider.charges).toEqual([])
    expect(await view(payment)).toMatchObject({ stage: 'choose', attempt: null })
  })

  test('a payment whose routes were removed', async ({ world, view, start, make }) => {
    const payment = await make()
    vi.spyOn(world.ctx.providers, 'offeredIn').mockReturnValue(registryOf([]).offeredIn('test'))
    expect(await start(payment)).toMatchObject({ field: 'method' })
    expect((await view(payment))?.methods).toEqual([])
  })

  test('a payment that has expired, or is paid', async ({ world, shop, view, start, make }) => {
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

test('payments of a stopped application: an issued link can be paid, and a paid one refunded', async ({
  world,
  shop,
  view,
  start,
  make,
}) => {
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

test('a payer sees each refund, and a change long after the payment does not lead to the shop again', async ({
  world,
  shop,
  view,
  start,
  make,
}) => {
  const payment = await make({ amount: 25, success_url: 'https://shop.test/' })
  await start(payment)
  world.provider.lookup = async () => paid(payment.amount)
  world.ctx.clock.advance(5000)
  await lookUpDue(world.ctx)
  expect(await view(payment)).toMatchObject({ continues: true, receipt: { refunds: [], amountLeft: null } })
  world.ctx.clock.advance(8 * 60_000)
  const by = byMerchant(shop.merchantId)
  const refund = (amount: number) =>
    refundPayment(world.ctx, by, shop.accountId, payment.id, { amount, currency: 'USD' })
  await refund(12.5)
  expect(await view(payment)).toMatchObject({
    stage: 'completed',
    continues: false,
    receipt: {
      refunds: [{ amount: '12.50', at: expect.stringMatching(/^\d{4}-.*Z$/) }],
      amountLeft: '12.50',
    },
  })
  await refund(5)
  expect((await view(payment))?.receipt).toMatchObject({
    refunds: [{ amount: '12.50' }, { amount: '5.00' }],
    amountLeft: '7.50',
  })
  await refund(7.5)
  const whole = await view(payment)
  expect(whole).toMatchObject({ stage: 'refunded', receipt: { amountLeft: null } })
  expect(whole?.receipt?.refunds).toHaveLength(3)
})

test('a button pressed twice, or ten times at once, sends one prompt', async ({ world, start, make }) => {
  const payment = await make()
  const presses = await Promise.all(Array.from({ length: 10 }, () => start(payment)))
  expect(presses).toEqual(Array.from({ length: 10 }, () => null))
  expect(await start(payment)).toBeNull()
  expect(world.provider.charges).toHaveLength(1)
})

test.for(['0771234567', '+263 77 1234567', '263771234567', '771234567', '077-123-4567', '00263 77 123 4567'])(
  'the number may be written as %s',
  async (phone, { world, view, start, make }) => {
    const payment = await make()
    await start(payment, phone)
    expect(world.provider.charges[0]?.msisdn).toBe('263771234567')
    expect((await view(payment))?.attempt).toMatchObject({ phone: '077 *** 4567' })
  },
)

describe('the number of a customer', () => {
  test('is offered after a decline with its last digits, and used as it is offered', async ({
    world,
    view,
    start,
    make,
  }) => {
    const payment = await make({ customer: { phone: '+263781234567' } })
    expect((await view(payment))?.phone).toBe('078 *** 4567')
    await start(payment, '0771234999')
    world.provider.lookup = async () => refused('insufficient_funds')
    world.ctx.clock.advance(5000)
    await lookUpDue(world.ctx)
    const seen = await view(payment)
    expect(seen).toMatchObject({ stage: 'refused', phone: '077 *** 4999' })
    expect(await start(payment, '078 *** 4567')).toMatchObject({ field: 'phone' })
    expect(JSON.stringify(seen)).not.toContain('771234999')
    expect(await start(payment, seen?.phone ?? '')).toBeNull()
    expect(world.provider.charges.map(({ msisdn }) => msisdn)).toEqual(['263771234999', '263771234999'])
  })
})

describe('another payment with the reference of one', () => {
  test('that is being paid has one warning, and its payer may continue', async ({
    world,
    checkout,
    tokenOf,
    start,
    order,
  }) => {
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

  test('that was paid is warned of for ten minutes, and for the same phone only', async ({
    world,
    start,
    order,
  }) => {
    const [first, second] = [await order(), await order()]
    world.provider.charge = async ({ amount }) => paid(amount)
    expect(await start(first)).toBeNull()
    expect((await start(second))?.problem.message).toMatch(/^The order ORDER-7 was paid a few minutes ago\./)
    expect(await start(second, '0782222222')).toBeNull()
    const third = await order()
    world.ctx.clock.advance(11 * 60_000)
    expect(await start(third, '0773333333')).toBeNull()
  })

  test('of another shop, or without a reference, has no warning', async ({ world, start, make, order }) => {
    const other = await makeShop(world.ctx)
    expect(await start(await makePayment(world.ctx, other.owner, { reference: 'ORDER-7' }))).toBeNull()
    expect(await start(await order())).toBeNull()
    expect(await start(await make())).toBeNull()
    expect(world.provider.charges).toHaveLength(3)
  })
})

test('a payment may be attempted twenty times a minute; another payment is not affected', async ({
  world,
  start,
  make,
}) => {
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

test('one address may read three thousand pages in ten seconds, and no other address is affected', async ({
  world,
  tokenOf,
  make,
}) => {
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
