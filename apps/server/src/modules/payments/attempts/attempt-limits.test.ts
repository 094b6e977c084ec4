import { PaymentId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop, type Shop } from '../../../../test/world.ts'
import { ProviderError } from '../../providers/index.ts'
import { lookUpDue, makePayment, paid, pending, refused } from '../factory.ts'
import { startAttempt } from './actions/start-attempt.ts'

const MINUTE = 60_000

const paymentId = PaymentId.parse('pay_01kafq6v5efdfabm5x2m4kq0ze')

let numbers = 1000

const unavailable = async () => {
  throw new ProviderError('unavailable', 'no connection')
}
const newNumber = () => `077100${++numbers}`

const tooMany = {
  code: 'validation_failed',
  fields: [
    { field: 'phone', message: expect.stringContaining('Too many requests were sent to this number') },
  ],
}

/** The world has the limits of production. */
const test = base
  .extend('env', { scope: 'file' }, { RATE_LIMITS: '1' })
  .extend('scene', ({ world, shop }) => {
    async function attempt(phone: string, at: Shop = shop): Promise<PaymentId> {
      const { id } = await makePayment(world.ctx, at.owner)
      const { answered } = await startAttempt(world.ctx, at.accountId, id, { method: 'ecocash', phone })
      await answered
      return id
    }
    const note = (msisdn: string, result: 'completed' | 'failed') =>
      world.ctx.attemptLimits.noteResult(shop.accountId, { msisdn, paymentId }, result)
    const fail = (count: number) => {
      for (let nth = 0; nth < count; nth += 1) note(`number ${nth}`, 'failed')
    }
    return { attempt, note, fail }
  })

test.beforeEach(({ provider }) => {
  provider.charge = async () => pending()
  provider.lookup = async () => pending()
})

describe('the prompts to one phone number', () => {
  test('are limited to three without a reply, over all merchants', async ({ world, scene }) => {
    const phone = newNumber()
    await scene.attempt(phone)
    await scene.attempt(phone, await makeShop(world.ctx))
    await scene.attempt(phone, await makeShop(world.ctx))
    await expect(scene.attempt(phone)).rejects.toMatchObject(tooMany)
    expect(world.provider.charges).toHaveLength(3)
    await scene.attempt(newNumber())
  })

  test('no longer count after a reply, and expired ones after ten minutes', async ({ world, scene }) => {
    const phone = newNumber()
    for (let count = 0; count < 3; count += 1) await scene.attempt(phone)
    world.provider.lookup = async () => paid(money(1250n, 'USD'))
    world.ctx.clock.advance(5000)
    await lookUpDue(world.ctx)
    world.provider.charge = async () => refused('expired')
    for (let count = 0; count < 3; count += 1) await scene.attempt(phone)
    await expect(scene.attempt(phone)).rejects.toMatchObject(tooMany)
    world.ctx.clock.advance(10 * MINUTE)
    await scene.attempt(phone)
  })

  test('[invariant] are three at most when 64 are requested at the same moment', async ({
    provider,
    scene,
  }) => {
    const phone = newNumber()
    const results = await Promise.allSettled(Array.from({ length: 64 }, () => scene.attempt(phone)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(provider.charges).toHaveLength(3)
  })
})

describe('a merchant whose attempts fail', () => {
  const paused = {
    code: 'rate_limited',
    message: 'This shop cannot take payments at the moment. Please try again later',
  }

  test('for 600 numbers in ten minutes is paused until they expire, and no other merchant is', async ({
    world,
    scene,
  }) => {
    scene.fail(599)
    await scene.attempt(newNumber())
    scene.fail(600)
    await expect(scene.attempt(newNumber())).rejects.toMatchObject(paused)
    await scene.attempt(newNumber(), await makeShop(world.ctx))
    world.ctx.clock.advance(10 * MINUTE)
    await scene.attempt(newNumber())
  })

  test('is not paused while one attempt in five succeeds, nor for one number that fails again and again', async ({
    scene,
  }) => {
    for (let count = 0; count < 1000; count += 1) scene.note('263771000001', 'failed')
    await scene.attempt(newNumber())
    scene.fail(600)
    for (let count = 0; count < 150; count += 1) scene.note('263771000002', 'completed')
    await scene.attempt(newNumber())
  })

  test('is paused by attempts that its payers refuse, and not by those that the provider could not take', async ({
    world,
    shop,
  }) => {
    const results: unknown[][] = []
    const noteResult = (...given: unknown[]) => void results.push(given.slice(1))
    const ctx = { ...world.ctx, attemptLimits: { ...world.ctx.attemptLimits, noteResult } }
    for (const charge of [async () => refused(), unavailable]) {
      world.provider.charge = charge
      const { id } = await makePayment(ctx, shop.owner)
      const input = { method: 'ecocash' as const, phone: '0771000777' }
      await (await startAttempt(ctx, shop.accountId, id, input)).answered
    }
    expect(results).toEqual([[expect.objectContaining({ msisdn: '263771000777' }), 'failed']])
  })
})
