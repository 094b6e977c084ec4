import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { plusMs } from '../../../platform/clock.ts'
import {
  clearDueCalls,
  codeShown,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePayment,
  paid,
  paymentNow,
  pending,
  redirected,
  refused,
  tracesOf,
  unanswered,
} from '../factory.ts'
import type { Payment } from '../payment/payment.ts'
import { attemptsOf } from '../payment/store-attempts.ts'
import { startAttempt } from './start-attempt.ts'

const MINUTE = 60_000

const test = base
  .extend('env', { scope: 'file' }, { RATE_LIMITS: '1' })
  .extend('payment', ({ world, shop }) => makePayment(world.ctx, shop.owner))
  .extend('scene', ({ world }) => {
    const inMinutes = (minutes: number) => plusMs(world.ctx.clock.now(), minutes * MINUTE)
    const lookUpLater = async (ms = 5000) => {
      world.ctx.clock.advance(ms)
      await lookUpDue(world.ctx)
    }
    return { inMinutes, lookUpLater }
  })

test.beforeEach(async ({ world, provider }) => {
  await clearDueCalls(world.ctx)
  provider.needs = []
})

describe('a method without a phone', () => {
  test('is charged without a number, and leaves the payment’s customer unchanged', async ({
    world,
    shop,
    payment,
  }) => {
    const attempt = await makeAttempt(world.ctx, payment, '')
    expect(attempt).toMatchObject({ msisdn: null, status: 'pending' })
    expect(world.provider.charges).toMatchObject([{ msisdn: null }])
    const after = await paymentNow(world.ctx, shop.owner, payment.id)
    expect(after.customer).toEqual({ id: null, email: null, name: null, phone: null })
  })

  test('stores no number that the payer entered for another method', async ({ world, payment }) => {
    expect(await makeAttempt(world.ctx, payment, '0771234567')).toMatchObject({ msisdn: null })
  })

  test('names a page of this payment as the return address', async ({ world, payment }) => {
    await makeAttempt(world.ctx, payment, '')
    const token = world.ctx.checkoutLinks.tokenOf(payment.accountId, payment.id)
    const [charge] = world.provider.charges
    expect(charge?.returnUrl).toBe(`${world.ctx.config.publicUrl}/pay/${token}/return`)
  })

  test('may be started ten times in ten minutes for one payment', async ({ world, shop, payment }) => {
    world.provider.charge = async () => refused('expired')
    for (let count = 0; count < 10; count += 1) await makeAttempt(world.ctx, payment, '')
    await expect(makeAttempt(world.ctx, payment, '')).rejects.toMatchObject({ code: 'rate_limited' })
    await makeAttempt(world.ctx, await makePayment(world.ctx, shop.owner), '')
    world.ctx.clock.advance(10 * MINUTE)
    await makeAttempt(world.ctx, payment, '')
  })

  test('may be started six hundred times in ten minutes from one address, and not more', async ({
    world,
    shop,
    payment,
  }) => {
    const input = { method: 'ecocash', phone: '', address: '203.0.113.9' } as const
    const { accountId } = shop
    for (let count = 0; count < 600; count += 1) {
      const intended = { accountId, msisdn: null, ringsPhone: false, address: input.address }
      const paymentId = `pay_${count}` as Payment['id']
      await world.ctx.attemptLimits.reserve(world.ctx.db.kysely, { ...intended, paymentId })
    }
    const start = startAttempt(world.ctx, shop.accountId, payment.id, input)
    await expect(start).rejects.toMatchObject({ code: 'rate_limited' })
    await makeAttempt(world.ctx, payment, '')
  })
})

describe('a code that the payer enters in the wallet’s app', () => {
  test('is stored with the attempt until the wallet confirms', async ({ world, shop, payment, scene }) => {
    const expiresAt = scene.inMinutes(10)
    world.provider.charge = async () => codeShown(expiresAt)
    world.provider.lookup = async () => pending()
    const attempt = await makeAttempt(world.ctx, payment, '')
    const step = { type: 'show_code', code: '701234567', expiresAt: expiresAt.toISOString() }
    expect(attempt).toMatchObject({ status: 'pending', nextAction: step })
    await scene.lookUpLater()
    expect(await latestAttempt(world.ctx, payment)).toMatchObject({ status: 'pending', nextAction: step })
    world.provider.lookup = async () => paid(payment.amount)
    await scene.lookUpLater()
    expect((await paymentNow(world.ctx, shop.owner, payment.id)).status).toBe('completed')
    expect(await tracesOf(world.ctx, payment)).toMatchObject({ transfers: ['capture', 'fee'] })
  })

  test('is replaced by the code of a later look-up, and not by the late reply to the charge', async ({
    world,
    shop,
    payment,
    scene,
  }) => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof codeShown>>()
    world.provider.charge = () => promise
    const input = { method: 'ecocash', phone: '' } as const
    const { answered } = await startAttempt(world.ctx, shop.accountId, payment.id, input)
    world.provider.lookup = async () => codeShown(null, '22')
    await scene.lookUpLater(2 * MINUTE)
    resolve(codeShown(null, '11'))
    await answered
    expect((await latestAttempt(world.ctx, payment)).nextAction).toMatchObject({ code: '22' })
    world.provider.lookup = async () => codeShown(null, '33')
    await scene.lookUpLater(MINUTE)
    expect((await latestAttempt(world.ctx, payment)).nextAction).toMatchObject({ code: '33' })
  })

  test('that expired lets the payer start another attempt, and a late success of the first is refunded', async ({
    world,
    shop,
    payment,
    scene,
  }) => {
    world.provider.charge = async () => codeShown(scene.inMinutes(10))
    await makeAttempt(world.ctx, payment, '')
    world.provider.lookup = async () => refused('expired')
    await scene.lookUpLater(11 * MINUTE)
    expect(await latestAttempt(world.ctx, payment)).toMatchObject({
      status: 'failed',
      failureReason: 'expired',
    })
    world.provider.charge = async ({ amount }) => paid(amount, 'MP2')
    await makeAttempt(world.ctx, payment, '')
    expect((await paymentNow(world.ctx, shop.owner, payment.id)).status).toBe('completed')
    world.provider.lookup = async () => paid(payment.amount, 'MP1')
    await scene.lookUpLater(2 * 60 * MINUTE)
    const attempts = await attemptsOf(world.ctx.db.kysely, shop.accountId, payment.id)
    expect(attempts).toMatchObject([{ status: 'completed' }, { status: 'duplicate' }])
    expect(world.provider.refunds).toMatchObject([{ originalReference: 'MP1', msisdn: null }])
  })

  test('keeps an expired payment open until its provider has answered', async ({ world, shop, scene }) => {
    const short = await makePayment(world.ctx, shop.owner, { expires_in: 1800 })
    world.provider.charge = async () => codeShown(scene.inMinutes(40))
    await makeAttempt(world.ctx, short, '')
    world.provider.lookup = async () => paid(short.amount)
    await scene.lookUpLater(31 * MINUTE)
    expect((await paymentNow(world.ctx, shop.owner, short.id)).status).toBe('completed')
  })
})

describe('a page of the provider', () => {
  test('is stored with the attempt, also when the provider does not answer the next look-up', async ({
    world,
    payment,
    scene,
  }) => {
    world.provider.charge = async () => redirected()
    await makeAttempt(world.ctx, payment, '')
    world.provider.lookup = async () => {
      throw unanswered()
    }
    await scene.lookUpLater()
    expect(await latestAttempt(world.ctx, payment)).toMatchObject({
      status: 'pending',
      nextAction: { type: 'redirect', url: 'https://cards.example/session/1' },
    })
  })

  test.for(['javascript:alert(1)', 'data:text/html,x', '//cards.example', 'wallet://pay', ''])(
    'is not stored when it is no web address: %s',
    async (url, { world, payment }) => {
      world.provider.charge = async () => redirected(url)
      expect(await makeAttempt(world.ctx, payment, '')).toMatchObject({ status: 'pending', nextAction: null })
      expect(world.errors).toEqual(['a provider named a page that is no web address for the payer'])
    },
  )
})

test('a link that would run code in the payer’s browser is left out, and text with NUL is stored without it', async ({
  world,
  payment,
}) => {
  world.provider.charge = async () => {
    const reply = codeShown(null)
    const links = ['wallet://pay?code=70', 'javascript:alert(1)', ' data:text/html,x', 'nowhere'].map(
      (url) => ({ url }),
    )
    return { ...reply, next: { type: 'show_code', code: '70\u0000123', qr: '70', links, expiresAt: null } }
  }
  expect((await makeAttempt(world.ctx, payment, '')).nextAction).toMatchObject({
    code: '70123',
    links: [{ url: 'wallet://pay?code=70' }],
  })
})
