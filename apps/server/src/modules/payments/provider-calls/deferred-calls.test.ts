import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/one-payment.ts'
import { suffixOf } from '../../../platform/ids.ts'
import { ProviderError } from '../../providers/index.ts'
import { registryOf } from '../../providers/registry.ts'
import { cancelPayment } from '../actions/cancel-payment.ts'
import { handleCallback } from '../actions/handle-callback.ts'
import { refundPayment } from '../actions/request-refund.ts'
import {
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
  scriptedProvider,
} from '../factory.ts'
import { refundsOf } from '../payment/store-refunds.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const busy = (retryAfterMs = 10 * SECOND) =>
  new ProviderError('unavailable', 'too many requests', { providerCode: '429', retryAfterMs })
const open = () =>
  new ProviderError('unavailable', 'not asked', {
    providerCode: 'circuit_open',
    neverSent: true,
    retryAfterMs: 10 * SECOND,
  })

const test = base.extend('chargeWith', ({ world }) => (error: ProviderError) => {
  world.provider.charge = async () => Promise.reject(error)
})

test.afterEach(({ world }) => world.ctx.backgroundTasks.drain())

describe('a charge that its provider has not processed', () => {
  test.for([
    ['too many requests', busy],
    ['an open breaker', open],
  ] as const)(
    'waits and is sent again under its key: %s',
    async ([, error], { world, payment, chargeWith, now, attempt, later }) => {
      chargeWith(error())
      await makeAttempt(world.ctx, payment)
      expect(await attempt()).toMatchObject({ status: 'sending', isDeferred: true, failureReason: null })
      expect(await now()).toMatchObject({ status: 'pending', statusReason: 'awaiting_payer' })
      await later(5 * SECOND)
      expect(world.provider.charges).toHaveLength(1)
      world.provider.charge = async ({ amount }) => paid(amount)
      await later(6 * SECOND)
      expect(await now()).toMatchObject({ status: 'completed' })
      const keys = world.provider.charges.map(({ key }) => key)
      expect(keys).toHaveLength(2)
      expect(new Set(keys)).toHaveLength(1)
      expect(world.provider.lookups).toEqual([])
      expect(world.errors).toEqual([])
    },
  )

  test('fails after five minutes, and the payer may choose again', async ({
    world,
    payment,
    chargeWith,
    now,
    attempt,
    later,
  }) => {
    chargeWith(busy(MINUTE))
    await makeAttempt(world.ctx, payment)
    for (let minute = 0; minute < 4; minute += 1) {
      expect((await attempt()).status).toBe('sending')
      await later(MINUTE + SECOND)
    }
    expect(await attempt()).toMatchObject({ status: 'failed', failureReason: 'provider_unavailable' })
    expect(await now()).toMatchObject({ status: 'pending', statusReason: 'provider_unavailable' })
    world.provider.charge = async ({ amount }) => paid(amount)
    await makeAttempt(world.ctx, payment)
    expect(await now()).toMatchObject({ status: 'completed' })
  })

  test('is not sent for a payment that was cancelled meanwhile', async ({
    world,
    shop,
    payment,
    chargeWith,
    now,
    later,
  }) => {
    chargeWith(busy())
    await makeAttempt(world.ctx, payment)
    await cancelPayment(world.ctx, shop.accountId, payment.id)
    await later(11 * SECOND)
    expect(world.provider.charges).toHaveLength(1)
    expect(await now()).toMatchObject({ status: 'failed' })
  })

  test('is sent by one of many processes', async ({ world, payment, chargeWith, attempt }) => {
    chargeWith(busy())
    await makeAttempt(world.ctx, payment)
    world.provider.charge = async () => pending()
    world.ctx.clock.advance(11 * SECOND)
    await Promise.all(Array.from({ length: 8 }, () => lookUpDue(world.ctx)))
    expect(world.provider.charges).toHaveLength(2)
    expect(await attempt()).toMatchObject({ status: 'pending', isDeferred: false })
  })

  test('goes to the next provider of its route only when nothing was sent', async ({
    world,
    shop,
    payment,
    chargeWith,
    attempt,
  }) => {
    const second = scriptedProvider()
    second.charge = async ({ amount }) => paid(amount)
    const providers = registryOf([world.provider.connector, { ...second.connector, id: 'second' }])
    const ctx = { ...world.ctx, providers }
    chargeWith(busy())
    await makeAttempt(ctx, payment)
    expect(second.charges).toHaveLength(0)
    expect(await attempt()).toMatchObject({ provider: 'scripted', isDeferred: true })
    const other = await makePayment(ctx, shop.owner)
    chargeWith(open())
    await makeAttempt(ctx, other)
    expect(second.charges).toHaveLength(1)
    expect(await paymentNow(ctx, shop.owner, other.id)).toMatchObject({ status: 'completed' })
  })
})

describe('a look-up that its provider has not processed', () => {
  test('is repeated after the pause, and changes nothing', async ({
    world,
    payment,
    now,
    attempt,
    later,
  }) => {
    const key = suffixOf((await makeAttempt(world.ctx, payment)).id)
    const lookups = () => world.provider.lookups.filter((request) => request.key === key)
    world.provider.lookup = async () => Promise.reject(busy(20 * SECOND))
    await later(4 * SECOND)
    expect(lookups()).toHaveLength(1)
    expect(await attempt()).toMatchObject({ status: 'pending' })
    expect(await now()).toMatchObject({ statusReason: 'awaiting_payer' })
    world.provider.lookup = async () => paid(payment.amount)
    await later(15 * SECOND)
    expect(lookups()).toHaveLength(1)
    await later(6 * SECOND)
    expect(await now()).toMatchObject({ status: 'completed' })
  })

  test('of a callback is repeated, too', async ({ world, payment, now, later }) => {
    const { id, accountId } = await makeAttempt(world.ctx, payment)
    const token = world.ctx.attemptLinks.tokenOf(accountId, id)
    world.provider.lookup = async () => Promise.reject(busy())
    expect(await handleCallback(world.ctx, 'scripted', token)).toBe('again')
    expect(world.provider.lookups.at(-1)).toMatchObject({ cause: 'callback' })
    world.provider.lookup = async () => paid(payment.amount)
    await later(11 * SECOND)
    expect(await now()).toMatchObject({ status: 'completed' })
  })

  test('leaves the charge to an operator after a day', async ({ world, payment, now, later }) => {
    await makeAttempt(world.ctx, payment)
    world.provider.lookup = async () => Promise.reject(open())
    for (let hour = 0; hour < 26; hour += 1) await later(60 * MINUTE)
    expect(await now()).toMatchObject({ statusReason: 'under_review' })
  })
})

test('a refund that its provider has not processed keeps its reserve, and is sent again under its key', async ({
  world,
  shop,
  later,
}) => {
  const payment = await makePaid(world.ctx, shop.owner, world.provider)
  world.provider.refund = async () => Promise.reject(busy(MINUTE))
  await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
    amount: 5,
    currency: 'USD',
  })
  const refund = async () => (await refundsOf(world.ctx.db.kysely, shop.accountId, payment.id))[0]
  expect(await refund()).toMatchObject({ status: 'sending', isDeferred: true })
  const { refundPending } = await paymentNow(world.ctx, shop.owner, payment.id)
  expect(refundPending).toEqual(money(500n, 'USD'))
  world.provider.refund = async ({ amount }) => paid(amount, 'RF1')
  await later(MINUTE + SECOND)
  expect(await refund()).toMatchObject({ status: 'completed', isDeferred: false })
  expect(new Set(world.provider.refunds.map(({ key }) => key))).toHaveLength(1)
  expect(world.provider.refunds).toHaveLength(2)
})
