import { PaymentId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop } from '../../../../test/world.ts'
import { createSingleflight } from '../../../platform/async/singleflight.ts'
import { idFrom } from '../../../platform/ids.ts'
import { ProviderError } from '../../providers/index.ts'
import {
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  notFound,
  paid,
  paymentNow,
  pending,
  refused,
  standingOf,
  tracesOf,
  unanswered,
} from '../factory.ts'
import type { Payment } from '../payment/payment.ts'
import { refundsOf } from '../payment/store-refunds.ts'
import { handleCallback } from './handle-callback.ts'
import { refundPayment } from './request-refund.ts'
import { waitingRefunds } from './resolve-refund.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const test = base.extend('scene', ({ world, shop }) => {
  world.provider.lookupRefund = async () => notFound
  const whole = { amount: 12.5, currency: 'USD' as const }
  const refund = async (
    payment: Payment,
    input: Parameters<typeof refundPayment>[4] = whole,
    of = shop.accountId,
  ) => (await refundPayment(world.ctx, byMerchant(of), of, payment.id, input)).payment
  const makeCompleted = () => makePaid(world.ctx, shop.owner, world.provider)
  const now = (payment: Payment) => paymentNow(world.ctx, shop.owner, payment.id)
  const callback = () =>
    handleCallback(world.ctx, 'scripted', world.provider.refunds[0]?.callbackUrl.split('/').at(-1) ?? '')
  async function refundOf(payment: Payment) {
    const [refund] = await refundsOf(world.ctx.db.kysely, payment.accountId, payment.id)
    if (!refund) throw new Error('there is no refund')
    return refund
  }
  const kinds = async (payment: Payment) => (await tracesOf(world.ctx, payment)).transfers
  const balances = () => standingOf(world.ctx, shop.accountId)
  return { whole, refund, makeCompleted, now, callback, refundOf, kinds, balances }
})

describe('refused, without a call to the provider:', () => {
  test('a payment that is not paid, or of which nothing remains', async ({
    world,
    shop,
    scene: { refund, makeCompleted },
  }) => {
    const open = await makePayment(world.ctx, shop.owner)
    const failed = await makePayment(world.ctx, shop.owner)
    world.provider.charge = async () => refused()
    await makeAttempt(world.ctx, failed)
    const inParts = await makeCompleted()
    await refund(inParts, { amount: 5, currency: 'USD' })
    await refund(inParts, { amount: 7.5, currency: 'USD' })
    world.provider.refunds.length = 0
    for (const payment of [open, failed, inParts]) {
      await expect(refund(payment)).rejects.toMatchObject({ code: 'payment_not_refundable' })
    }
    expect(world.provider.refunds).toEqual([])
  })

  test.for([
    ['more', { amount: 12.51, currency: 'USD' as const }],
    ['a part of a cent', { amount: 12.501, currency: 'USD' as const }],
    ['another currency', { amount: 12.5, currency: 'ZWG' as const }],
  ] as const)('%s', async ([, input], { world, scene: { refund, makeCompleted, now } }) => {
    const payment = await makeCompleted()
    await expect(refund(payment, input)).rejects.toMatchObject({ code: 'refund_mismatch' })
    expect(world.provider.refunds).toEqual([])
    expect(await now(payment)).toEqual(payment)
    expect(await auditEntriesOn(world.ctx, payment.id)).toEqual([])
  })

  test("another merchant's payment, like one that does not exist", async ({
    world,
    scene: { whole, refund, makeCompleted },
  }) => {
    const payment = await makeCompleted()
    const other = await makeShop(world.ctx)
    await expect(refund(payment, whole, other.accountId)).rejects.toMatchObject({ code: 'not_found' })
    const none = { ...payment, id: idFrom(PaymentId, '018f0000-0000-7000-8000-000000000000') }
    await expect(refund(none)).rejects.toMatchObject({ code: 'not_found' })
    expect(world.provider.refunds).toEqual([])
  })
})

test('20 refunds at once are one: one call to the provider, one booking', async ({
  world,
  shop,
  scene: { refund, makeCompleted, kinds, balances },
}) => {
  const payment = await makeCompleted()
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => refund(payment)))
  for (const result of results) {
    if (result.status === 'fulfilled') expect(result.value.status).toBe('refunded')
    else expect(result.reason.code).toBe('payment_not_refundable')
  }
  expect(results.some(({ status }) => status === 'fulfilled')).toBe(true)
  expect(world.provider.refunds).toHaveLength(1)
  expect(await kinds(payment)).toEqual(['capture', 'fee', 'refund_reserve', 'refund_paid'])
  expect(await auditEntriesOn(world.ctx, payment.id)).toMatchObject([
    {
      action: 'payment.refund_opened',
      actor: shop.accountId,
      address: '203.0.113.7',
      request_id: 'request-1',
      details: { amount: 12.5, currency: 'USD', refundId: expect.stringMatching(/^rfd_/) },
    },
  ])
  // The fee is kept, so the merchant owes it now.
  expect(await balances()).toEqual({
    'clearing.scripted': 0n,
    'fee.revenue': -84n,
    'merchant.payable': 84n,
    'refunds.payable': 0n,
  })
})

test('20 refunds at once through two processes are one', async ({
  world,
  shop,
  scene: { whole, makeCompleted, kinds },
}) => {
  const payment = await makeCompleted()
  const other = { ...world.ctx, refundSingleflight: createSingleflight() }
  await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      refundPayment(
        index % 2 ? other : world.ctx,
        byMerchant(shop.merchantId),
        shop.accountId,
        payment.id,
        whole,
      ),
    ),
  )
  expect(world.provider.refunds).toHaveLength(1)
  expect(await kinds(payment)).toEqual(['capture', 'fee', 'refund_reserve', 'refund_paid'])
})

test.for([
  ['says no', async () => refused('declined')],
  ['throws a refusal', async () => Promise.reject(new ProviderError('declined', 'no'))],
  ['cannot be reached', async () => Promise.reject(new ProviderError('unavailable', 'no way'))],
] as const)(
  'a provider that %s leaves the amount with the merchant, and a later refund works',
  async ([, answer], { world, scene: { refund, makeCompleted, now, balances } }) => {
    const payment = await makeCompleted()
    world.provider.refund = answer
    const attempts = await Promise.allSettled([refund(payment), refund(payment)])
    for (const result of attempts) expect(result).toMatchObject({ reason: { code: 'refund_declined' } })
    expect(await now(payment)).toMatchObject({ status: 'completed', refundPending: money(0n, 'USD') })
    expect(await balances()).toMatchObject({ 'merchant.payable': -1166n, 'refunds.payable': 0n })
    world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
    expect((await refund(payment)).status).toBe('refunded')
  },
)

describe('without a reply of the provider,', () => {
  let payment: Payment
  test.beforeEach(async ({ world, scene: { refund, makeCompleted } }) => {
    payment = await makeCompleted()
    world.provider.refund = async () => Promise.reject(unanswered())
    expect(await refund(payment)).toMatchObject({ status: 'completed', refundPending: money(1250n, 'USD') })
  })

  test('another request joins the refund and sends nothing', async ({ world, scene: { refund } }) => {
    expect(await refund(payment)).toMatchObject({ status: 'completed' })
    expect(world.provider.refunds).toHaveLength(1)
  })

  test('a look-up resolves it, once', async ({ world, scene: { now, kinds } }) => {
    world.provider.lookupRefund = async () => paid(money(1250n, 'USD'), 'RF1')
    world.ctx.clock.advance(5000)
    await Promise.all([lookUpDue(world.ctx), lookUpDue(world.ctx)])
    await lookUpDue(world.ctx)
    expect((await now(payment)).status).toBe('refunded')
    expect(await kinds(payment)).toEqual(['capture', 'fee', 'refund_reserve', 'refund_paid'])
    expect(world.provider.refunds).toHaveLength(1)
  })

  test('the amount stays reserved until a provider that finds every refund twice does not find it, after its lifetime', async ({
    world,
    scene: { now },
  }) => {
    world.provider.refundLookup = 'proved'
    for (const age of [5000, 3 * MINUTE, 9 * MINUTE]) {
      world.ctx.clock.advance(age)
      await lookUpDue(world.ctx)
      if (age < 9 * MINUTE) expect((await now(payment)).refundPending.minor).toBe(1250n)
    }
    expect(await now(payment)).toMatchObject({ status: 'completed', refundPending: money(0n, 'USD') })
    expect(world.provider.refunds).toHaveLength(1)
  })

  test('it never fails as not found at a provider that may not list refunds: after a day it awaits an operator, reserved', async ({
    world,
    scene: { now, callback, refundOf },
  }) => {
    for (let hours = 0; hours < 25; hours += 1) {
      world.ctx.clock.advance(HOUR)
      await lookUpDue(world.ctx)
    }
    const { id } = await refundOf(payment)
    expect(await refundOf(payment)).toMatchObject({ status: 'unknown', nextCheckAt: null, notFoundChecks: 0 })
    expect((await now(payment)).refundPending).toEqual(money(1250n, 'USD'))
    expect((await waitingRefunds(world.ctx, 100)).map((each) => each.id)).toContain(id)
    expect(world.errors).toEqual(['a refund is still open after a day; an operator has to decide'])
    // The provider reports the refund after all.
    world.provider.lookupRefund = async () => paid(money(1250n, 'USD'), 'RF1')
    await callback()
    expect((await now(payment)).status).toBe('refunded')
    expect(world.provider.refunds).toHaveLength(1)
  })

  test('another amount than requested awaits an operator, and still does when it is not found later', async ({
    world,
    scene: { now, callback, refundOf },
  }) => {
    world.provider.lookupRefund = async () => paid(money(1n, 'USD'))
    world.ctx.clock.advance(5000)
    await lookUpDue(world.ctx)
    expect(await now(payment)).toMatchObject({ status: 'completed', refundPending: money(1250n, 'USD') })
    expect(world.errors).toEqual([
      'the provider refunded another amount than requested; an operator has to decide',
    ])
    world.provider.lookupRefund = async () => notFound
    for (let round = 0; round < 3; round += 1) {
      world.ctx.clock.advance(HOUR)
      await callback()
    }
    expect(await refundOf(payment)).toMatchObject({ status: 'unknown', nextCheckAt: null })
    expect((await now(payment)).refundPending).toEqual(money(1250n, 'USD'))
  })

  test('a refund that the provider has reported keeps its reserve when it is not found, and awaits an operator', async ({
    world,
    scene: { now, callback, refundOf },
  }) => {
    world.provider.lookupRefund = async () => pending()
    await callback()
    world.provider.lookupRefund = async () => notFound
    for (let half = 0; half < 47; half += 1) {
      world.ctx.clock.advance(HOUR / 2)
      await lookUpDue(world.ctx)
    }
    expect(await refundOf(payment)).toMatchObject({ status: 'pending', nextCheckAt: expect.any(Date) })
    world.ctx.clock.advance(HOUR / 2)
    await lookUpDue(world.ctx)
    expect(await refundOf(payment)).toMatchObject({ status: 'pending', nextCheckAt: null })
    expect((await now(payment)).refundPending).toEqual(money(1250n, 'USD'))
    expect(world.errors).toEqual(['a refund is still open after a day; an operator has to decide'])
  })

  test('the reported reference is kept when a later reply has none', async ({
    world,
    scene: { callback, refundOf },
  }) => {
    world.provider.lookupRefund = async () => ({
      ...pending(),
      providerReference: 'RF5',
      state: { at: 'one' },
    })
    await callback()
    world.provider.lookupRefund = async () => ({ ...paid(money(1250n, 'USD')), providerReference: null })
    await callback()
    expect(await refundOf(payment)).toMatchObject({ status: 'completed', providerReference: 'RF5' })
  })

  test('the reported reference is kept when the provider refuses the refund', async ({
    world,
    scene: { callback, refundOf },
  }) => {
    world.provider.lookupRefund = async () => ({ ...pending(), providerReference: 'RF5' })
    await callback()
    world.provider.lookupRefund = async () => refused('declined')
    await callback()
    expect(await refundOf(payment)).toMatchObject({ status: 'failed', providerReference: 'RF5' })
  })
})

test.for([
  [59_999, 1],
  [60_000, 0],
] as const)(
  'a process that was suspended for %d ms before it sends a refund sends %d',
  async ([ms, calls], { world, shop, scene: { whole, makeCompleted, refundOf } }) => {
    const payment = await makeCompleted()
    const { db } = world.ctx
    const slow: typeof db = {
      ...db,
      commitStatement: async (statement) => {
        const result = await db.commitStatement(statement)
        if (world.provider.refunds.length === 0) world.ctx.clock.advance(ms)
        return result
      },
    }
    await refundPayment(
      { ...world.ctx, db: slow },
      byMerchant(shop.merchantId),
      shop.accountId,
      payment.id,
      whole,
    )
    expect(world.provider.refunds).toHaveLength(calls)
    expect((await refundOf(payment)).status).toBe(calls === 1 ? 'completed' : 'sending')
  },
)

test('a refund whose sender died before its call is looked up and not sent again', async ({
  world,
  scene: { refund, makeCompleted, now },
}) => {
  const payment = await makeCompleted()
  world.provider.refund = () => new Promise(() => undefined)
  void refund(payment)
  await expect.poll(() => world.provider.refunds.length).toBe(1)
  world.provider.lookupRefund = async () => paid(money(1250n, 'USD'), 'RF1')
  world.ctx.clock.advance(59_999)
  await lookUpDue(world.ctx)
  expect((await now(payment)).status).toBe('completed')
  world.ctx.clock.advance(1)
  await lookUpDue(world.ctx)
  expect((await now(payment)).status).toBe('refunded')
  expect(world.provider.refunds).toHaveLength(1)
})
