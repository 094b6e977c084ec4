import type { PaymentId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop, type Shop } from '../../../../test/world.ts'
import { ProviderError } from '../../providers/index.ts'
import { startAttempt } from '../actions/start-attempt.ts'
import { makePayment, paid, pending, refused } from '../factory.ts'
import { createAttemptLimits } from './attempt-limits.ts'

const MINUTE = 60_000
const SILENT = async () => refused('expired')
const CANCELS = async () => refused('user_cancelled')
const PAYS = async () => paid(money(1250n, 'USD'))

let numbers = 1000
let networks = 0

const unavailable = async () => {
  throw new ProviderError('unavailable', 'no connection')
}
const newNumber = () => `077100${++numbers}`
/** An address in a network of its own. */
const newAddress = () => `198.${18 + Math.floor(++networks / 250)}.${networks % 250}.7`

const tooMany = (text = 'Too many requests were sent to this number') => ({
  code: 'validation_failed',
  fields: [{ field: 'phone', message: expect.stringContaining(text) }],
})
const tooManyAttempts = { code: 'rate_limited', message: 'Too many attempts. Please wait ten minutes' }
const paused = {
  code: 'rate_limited',
  message: 'This shop cannot take payments at the moment. Please try again later',
}

/** The world has the limits of production, whose counts begin with each test. */
const test = base
  .extend('env', { scope: 'file' }, { RATE_LIMITS: '1' })
  .extend('scene', ({ world, shop }) => {
    const attemptLimits = createAttemptLimits(world.ctx)
    const ctx = { ...world.ctx, attemptLimits }

    interface At {
      readonly at?: Shop
      readonly address?: string
      readonly id?: PaymentId
    }
    async function attempt(phone: string, { at = shop, address = newAddress(), id }: At = {}) {
      const paymentId = id ?? (await makePayment(ctx, at.owner)).id
      const input = { method: 'ecocash' as const, phone, address }
      await (await startAttempt(ctx, at.accountId, paymentId, input)).answered
      return paymentId
    }
    const times = async (count: number, ...given: Parameters<typeof attempt>) => {
      for (let nth = 0; nth < count; nth += 1) await attempt(...given)
    }
    /** Attempts of other payers, as far as the limits see them. */
    async function fail(
      count: number,
      addressOf: (nth: number) => string,
      result: 'failed' | 'completed' = 'failed',
    ) {
      for (let nth = 0; nth < count; nth += 1) {
        const paymentId = `pay_${result}_${nth}` as PaymentId
        const intended = {
          accountId: shop.accountId,
          paymentId,
          msisdn: `number ${result} ${nth}`,
          ringsPhone: false,
        }
        await attemptLimits.reserve(ctx.db.kysely, { ...intended, address: addressOf(nth) })
        attemptLimits.noteResult(shop.accountId, intended, result)
      }
    }
    return { ctx, attempt, times, fail }
  })

test.beforeEach(({ provider }) => {
  provider.charge = SILENT
  provider.lookup = async () => pending()
})

describe('a phone number', () => {
  test.for([
    ['silent', SILENT],
    ['refused', async () => refused('wrong_pin')],
    ['open', async () => pending()],
  ] as const)(
    'is rung four times in ten minutes for one merchant and six times for all when it is %s',
    async ([, charge], { world, scene }) => {
      world.provider.charge = charge
      const phone = newNumber()
      await scene.times(4, phone)
      await expect(scene.attempt(phone)).rejects.toMatchObject(tooMany())
      const others = [await makeShop(world.ctx), await makeShop(world.ctx)] as const
      for (const at of others) await scene.attempt(phone, { at })
      for (const at of others) await expect(scene.attempt(phone, { at })).rejects.toMatchObject(tooMany())
      expect(world.provider.charges).toHaveLength(6)
      await scene.attempt(newNumber())
      world.ctx.clock.advance(10 * MINUTE)
      await scene.attempt(phone)
    },
  )

  test('is rung twenty times a day, and twelve for one merchant', async ({ world, scene }) => {
    const phone = newNumber()
    for (let round = 0; round < 3; round += 1) {
      await scene.times(4, phone)
      world.ctx.clock.advance(10 * MINUTE)
    }
    const today = tooMany('today. Please use another number')
    await expect(scene.attempt(phone)).rejects.toMatchObject(today)
    for (let round = 0; round < 2; round += 1) {
      await scene.times(4, phone, { at: await makeShop(world.ctx) })
      world.ctx.clock.advance(10 * MINUTE)
    }
    await expect(scene.attempt(phone, { at: await makeShop(world.ctx) })).rejects.toMatchObject(today)
    world.ctx.clock.advance(24 * 60 * MINUTE)
    await scene.attempt(phone)
  })

  test('is not closed to other networks by the prompts of one network, through any shops', async ({
    world,
    scene,
  }) => {
    const phone = newNumber()
    const firstShop = { at: await makeShop(world.ctx) }
    for (const host of [1, 2, 3, 4])
      await scene.attempt(phone, { ...firstShop, address: `203.0.113.${host}` })
    const again = scene.attempt(phone, { at: await makeShop(world.ctx), address: '203.0.113.5' })
    await expect(again).rejects.toMatchObject(tooMany())
    await scene.attempt(phone)
  })

  test('pauses after two cancels in a row, longer with each further one, and longest for their merchant', async ({
    world,
    scene,
  }) => {
    const phone = newNumber()
    const other = await makeShop(world.ctx)
    world.provider.charge = CANCELS
    await scene.times(2, phone)
    world.provider.charge = SILENT
    await expect(scene.attempt(phone, { at: other })).rejects.toMatchObject(tooMany('Please wait a minute'))
    world.ctx.clock.advance(30_000)
    await expect(scene.attempt(phone)).rejects.toMatchObject(tooMany('were cancelled'))
    world.ctx.clock.advance(30_000)
    world.provider.charge = CANCELS
    await scene.attempt(phone)
    await expect(scene.attempt(phone)).rejects.toMatchObject(tooMany('Please wait 2 minutes'))
    world.ctx.clock.advance(2 * MINUTE - 1)
    await expect(scene.attempt(phone)).rejects.toMatchObject(tooMany('were cancelled'))
    world.ctx.clock.advance(1)
    await scene.attempt(phone)
  })

  test('has no limit for payments that it completes, whatever came before', async ({ world, scene }) => {
    const [phone, othersPhone] = [newNumber(), newNumber()]
    const address = newAddress()
    for (let nth = 0; nth < 7; nth += 1) {
      world.provider.charge = SILENT
      const id = await scene.attempt(phone, { address })
      world.provider.charge = PAYS
      await scene.attempt(phone, { address, id })
    }
    // A payment that another number completes restores nothing.
    for (let nth = 0; nth < 4; nth += 1) {
      world.provider.charge = SILENT
      const id = await scene.attempt(othersPhone)
      world.provider.charge = PAYS
      await scene.attempt(newNumber(), { id })
    }
    await expect(scene.attempt(othersPhone)).rejects.toMatchObject(tooMany())
  })

  test('is not rung by attempts that no provider took', async ({ world, scene }) => {
    const phone = newNumber()
    world.provider.charge = unavailable
    await scene.times(7, phone, { address: newAddress() }).catch((error: unknown) => error)
    world.provider.charge = SILENT
    await scene.times(4, phone)
  })

  test('[invariant] is rung four times when 64 attempts begin at the same moment', async ({
    provider,
    scene,
  }) => {
    const phone = newNumber()
    const results = await Promise.allSettled(Array.from({ length: 64 }, () => scene.attempt(phone)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(provider.charges).toHaveLength(4)
  })
})

describe('payers who fail', () => {
  test.for([
    ['an address', 300, () => '203.0.113.7', '203.0.113.7', '203.0.113.8'],
    ['an IPv4 /24', 3000, (nth: number) => `203.0.113.${nth % 250}`, '203.0.113.251', '203.0.114.1'],
    ['an IPv6 /64', 300, (nth: number) => `2001:db8::${nth}`, '2001:db8::f:1', '2001:db8:0:1::1'],
    [
      'an IPv6 /56',
      1200,
      (nth: number) => `2001:db8:0:${(nth % 200).toString(16)}::1`,
      '2001:db8:0:ff::1',
      '2001:db8:0:100::1',
    ],
  ] as const)(
    '%s: close it to themselves, at any shop, and to no other source',
    async ([, count, addressOf, own, other], { world, scene }) => {
      await scene.fail(count - 1, addressOf)
      await scene.attempt(newNumber(), { address: own })
      const again = scene.attempt(newNumber(), { address: own, at: await makeShop(world.ctx) })
      await expect(again).rejects.toMatchObject(tooManyAttempts)
      await scene.attempt(newNumber(), { address: other })
      world.ctx.clock.advance(10 * MINUTE)
      await scene.attempt(newNumber(), { address: own })
    },
  )

  test('close no source where one attempt in five succeeds', async ({ scene }) => {
    await scene.fail(75, () => '203.0.113.7', 'completed')
    await scene.fail(300, () => '203.0.113.7')
    await scene.attempt(newNumber(), { address: '203.0.113.7' })
  })

  test('in many networks pause the shop for networks with failures, and no other network or shop', async ({
    world,
    scene,
  }) => {
    const failing = (nth: number) => `203.0.${nth % 20}.${(nth % 200) + 1}`
    await scene.fail(599, failing)
    await scene.attempt(newNumber(), { address: '203.0.19.1' })
    await expect(scene.attempt(newNumber(), { address: '203.0.19.1' })).rejects.toMatchObject(paused)
    await scene.attempt(newNumber())
    await scene.attempt(newNumber(), { address: '203.0.19.1', at: await makeShop(world.ctx) })
    world.ctx.clock.advance(10 * MINUTE)
    await scene.attempt(newNumber(), { address: '203.0.19.1' })
  })

  test('in nineteen networks pause no shop', async ({ scene }) => {
    await scene.fail(1900, (nth) => `203.0.${nth % 19}.${(nth % 200) + 1}`)
    await scene.attempt(newNumber(), { address: '203.0.18.1' })
  })

  test('are counted when the provider took the attempt', async ({ world, scene, shop }) => {
    const results: unknown[][] = []
    const noteResult = (...given: unknown[]) => void results.push(given.slice(1))
    const ctx = { ...scene.ctx, attemptLimits: { ...scene.ctx.attemptLimits, noteResult } }
    for (const charge of [async () => refused(), unavailable]) {
      world.provider.charge = charge
      const { id } = await makePayment(ctx, shop.owner)
      const input = { method: 'ecocash' as const, phone: newNumber() }
      await (await startAttempt(ctx, shop.accountId, id, input)).answered
    }
    expect(results).toEqual([[expect.objectContaining({ msisdn: expect.any(String) }), 'failed']])
  })
})

test('an address has 1,200 attempts in ten minutes that have not succeeded', async ({
  world,
  scene,
  shop,
}) => {
  const { accountId } = shop
  const address = '203.0.113.7'
  const begin = (nth: number) => {
    const intended = {
      accountId,
      paymentId: `pay_${nth}` as PaymentId,
      msisdn: `number ${nth}`,
      ringsPhone: false,
    }
    return scene.ctx.attemptLimits.reserve(world.ctx.db.kysely, { ...intended, address })
  }
  for (let nth = 0; nth < 1200; nth += 1) await begin(nth)
  await expect(begin(1200)).rejects.toMatchObject(tooManyAttempts)
  const first = { msisdn: 'number 0', paymentId: 'pay_0' as PaymentId }
  scene.ctx.attemptLimits.noteResult(accountId, first, 'completed')
  await begin(1201)
  await expect(begin(1202)).rejects.toMatchObject(tooManyAttempts)
})
