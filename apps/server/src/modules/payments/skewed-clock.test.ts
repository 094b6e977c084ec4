import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { byMerchant } from '../../../test/audit-entries.ts'
import { test as base } from '../../../test/fixtures.ts'
import type { WorldCtx } from '../../../test/world.ts'
import { plusMs } from '../../platform/clock.ts'
import { coordinatorOf } from '../../platform/db/databases.ts'
import { retryCallbacks } from '../providers/index.ts'
import { insertCallback } from '../providers/store.ts'
import { refundPayment } from './actions/request-refund.ts'
import { startAttempt } from './actions/start-attempt.ts'
import {
  clearDueCalls,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  notFound,
  paid,
  paymentNow,
  pending,
} from './factory.ts'
import { expireDue } from './jobs.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const test = base.extend('scene', ({ world }) => {
  /** A process on the same database whose own clock is wrong. */
  const processOff = (ms: number): WorldCtx => ({
    ...world.ctx,
    clock: { ...world.ctx.clock, now: () => plusMs(world.ctx.clock.now(), ms) },
  })
  return { processOff }
})

test.beforeEach(({ world }) => clearDueCalls(world.ctx))

describe.each([
  ['ahead', HOUR],
  ['behind', -HOUR],
])('[INV-31] a process whose clock is an hour %s', (_how, ms) => {
  test('ends no payment early and none late', async ({ world, shop, scene: { processOff } }) => {
    const payment = await makePayment(world.ctx, shop.owner, { expires_in: 1800 })
    const off = processOff(ms)
    world.ctx.clock.advance(30 * MINUTE - 1)
    await expireDue(off)
    expect(await paymentNow(off, shop.owner, payment.id)).toMatchObject({
      status: 'pending',
      termination: null,
    })
    world.ctx.clock.advance(1)
    await expireDue(off)
    expect(await paymentNow(off, shop.owner, payment.id)).toMatchObject({
      status: 'failed',
      statusReason: 'expired',
    })
  })

  test('begins an attempt exactly while the payment can be paid, and sends it', async ({
    world,
    shop,
    scene: { processOff },
  }) => {
    const payment = await makePayment(world.ctx, shop.owner, { expires_in: 1800 })
    const input = { method: 'ecocash', phone: '0771234567' } as const
    const off = processOff(ms)
    const { answered } = await startAttempt(off, shop.accountId, payment.id, input)
    await answered
    expect(world.provider.charges).toHaveLength(1)
    expect((await latestAttempt(off, payment)).createdAt).toEqual(world.ctx.clock.now())
    const late = await makePayment(world.ctx, shop.owner, { expires_in: 1800 })
    world.ctx.clock.advance(30 * MINUTE)
    await expect(startAttempt(off, shop.accountId, late.id, input)).rejects.toMatchObject({
      code: 'payment_not_payable',
    })
  })

  test('takes no attempt, refund or callback whose lease another process has, and takes each when its lease ends', async ({
    world,
    shop,
    scene: { processOff },
  }) => {
    const refunded = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.refund = () => new Promise(() => undefined)
    world.provider.charge = () => new Promise(() => undefined)
    void refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, refunded.id, {
      amount: 5,
      currency: 'USD',
    })
    const payment = await makePayment(world.ctx, shop.owner)
    const phone = '0771234567'
    await startAttempt(world.ctx, shop.accountId, payment.id, { method: 'ecocash', phone })
    await expect.poll(() => world.provider.refunds.length).toBe(1)
    const { ids } = world.ctx
    const callback = { id: ids.next({ prefix: 'cbk' }), provider: 'scripted', token: 'kept', headers: {} }
    await insertCallback(coordinatorOf(world.ctx).db, { ...callback, body: Buffer.alloc(0) } as never, MINUTE)

    const off = processOff(ms)
    const callbacks: string[] = []
    const round = async () => {
      await lookUpDue(off)
      const { gone } = await retryCallbacks(coordinatorOf(off), off.backgroundTasks, {
        async onCallback(_provider, token) {
          callbacks.push(token)
          return 'done'
        },
        async onUnanswered() {},
      })
      await gone
    }
    world.ctx.clock.advance(MINUTE - 1)
    await round()
    expect([world.provider.lookups.length, world.provider.refundLookups.length, callbacks]).toEqual([
      0,
      0,
      [],
    ])
    world.ctx.clock.advance(1)
    await round()
    expect([world.provider.lookups.length, world.provider.refundLookups.length, callbacks]).toEqual([
      1,
      1,
      ['kept'],
    ])
  })

  test('fails no charge as not found before its lifetime is over', async ({
    world,
    shop,
    scene: { processOff },
  }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    world.provider.charge = () => new Promise(() => undefined)
    const phone = '0771234567'
    await startAttempt(world.ctx, shop.accountId, payment.id, { method: 'ecocash', phone })
    world.provider.lookup = async () => notFound
    const off = processOff(ms)
    for (const minutes of [1, 4, 4.9]) {
      world.ctx.clock.advance(minutes * MINUTE)
      await lookUpDue(off)
    }
    expect(await latestAttempt(off, payment)).toMatchObject({ status: 'unknown' })
    world.ctx.clock.advance(6 * MINUTE)
    await lookUpDue(off)
    expect(await latestAttempt(off, payment)).toMatchObject({ status: 'failed' })
  })

  test('schedules the next look-up, and completes, at the time of the database', async ({
    world,
    shop,
    scene: { processOff },
  }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    world.provider.charge = async () => pending()
    const off = processOff(ms)
    await makeAttempt(off, payment)
    world.provider.lookup = async () => paid(money(1250n, 'USD'))
    world.ctx.clock.advance(5000)
    await lookUpDue(world.ctx)
    expect(await paymentNow(off, shop.owner, payment.id)).toMatchObject({
      status: 'completed',
      completedAt: world.ctx.clock.now(),
    })
  })
})
