import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { byMerchant } from '../../../test/audit-entries.ts'
import { test } from '../../../test/payer-page.ts'
import { cancelPayment } from '../payments/actions/cancel-payment.ts'
import { refundPayment } from '../payments/actions/request-refund.ts'
import {
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  paid,
  pending,
  refused,
  unanswered,
} from '../payments/factory.ts'
import { expireDue } from '../payments/jobs.ts'
import type { Payment } from '../payments/payment/payment.ts'

const HOUR = 3_600_000

test.for([undefined, 'sn', 'nd'] as const)(
  'the language that the shop named: %s',
  async (locale, { view, make }) => {
    const payment = await make({ locale })
    expect(payment.locale).toBe(locale ?? null)
    expect((await view(payment))?.locale).toBe(locale ?? null)
  },
)

describe('the page shows', () => {
  test('the choice, then the wait, then the refusal, then another choice and the success', async ({
    world,
    view,
    start,
    make,
  }) => {
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

  test('a payment with a refused attempt as expired after its time', async ({ world, view, start, make }) => {
    const payment = await make({ expires_in: 1800 })
    world.provider.charge = async () => refused()
    await start(payment)
    world.ctx.clock.advance(HOUR)
    expect((await view(payment))?.stage).toBe('expired')
    await expireDue(world.ctx)
    expect(await view(payment)).toMatchObject({ stage: 'expired', canCancel: false })
  })

  test('a cancelled payment as such, with the return link; a payer may cancel where the shop accepts it', async ({
    world,
    checkout,
    tokenOf,
    view,
    start,
    make,
  }) => {
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

  test('an attempt in progress as waiting when the shop cancels its payment', async ({
    world,
    shop,
    view,
    start,
    make,
  }) => {
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

  test('no cancellation where the page does not offer it: without cancel_url, or during an attempt', async ({
    world,
    checkout,
    tokenOf,
    view,
    start,
    make,
  }) => {
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

  test('nothing of a payment that ended more than 30 days ago', async ({ world, shop, view }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.ctx.clock.advance(30 * 24 * HOUR)
    expect((await view(payment))?.stage).toBe('completed')
    world.ctx.clock.advance(HOUR)
    expect(await view(payment)).toBeNull()
  })

  test('a payment with an open attempt as waiting when its time ends', async ({
    world,
    view,
    start,
    make,
  }) => {
    const payment = await make({ expires_in: 1800 })
    await start(payment)
    world.ctx.clock.advance(HOUR)
    expect((await view(payment))?.stage).toBe('waiting')
  })

  test('a payment as under review when an operator has to decide: another amount, or no reply for a day', async ({
    world,
    view,
    start,
    make,
  }) => {
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

  test('a refunded payment as such', async ({ world, shop, view }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      amount: 12.5,
      currency: 'USD',
    })
    expect((await view(payment))?.stage).toBe('refunded')
  })
})

test('the return link keeps its own query, and adds the payment and its status', async ({
  world,
  shop,
  view,
  make,
}) => {
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
