import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/one-payment.ts'
import type { WorldCtx } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { ProviderError } from '../../providers/index.ts'
import { registryOf } from '../../providers/registry.ts'
import {
  clearDueCalls,
  lookUpDue,
  makeAttempt,
  notFound,
  paid,
  pending,
  refused,
  unanswered,
} from '../factory.ts'
import { handleCallback } from './handle-callback.ts'
import { startAttempt } from './start-attempt.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const test = base
  .extend(
    'callback',
    ({ world }) =>
      () =>
        handleCallback(world.ctx, 'scripted', world.provider.charges[0]?.callbackUrl.split('/').at(-1) ?? ''),
  )
  .extend('nextCheckAt', ({ world, payment }) => async (): Promise<Date | null> => {
    const { rows } = await world.ctx.db.pool.query(
      'select next_check_at from payment_attempts where payment_id = $1',
      [uuidOf(payment.id)],
    )
    return rows[0].next_check_at
  })

test.beforeEach(({ world }) => clearDueCalls(world.ctx))

describe('a charge without a trustworthy reply', () => {
  test.for([
    ['an unknown outcome', unanswered()],
    ['an error of the connector', new TypeError('x is not a function')],
  ] as const)(
    '(%s) is pending, looked up and never sent again',
    async ([, error], { world, payment, now, attempt, later, nextCheckAt }) => {
      world.provider.charge = async () => Promise.reject(error)
      await makeAttempt(world.ctx, payment)
      expect(await now()).toMatchObject({ status: 'pending', statusReason: 'checking' })
      for (const answer of [unanswered(), new ProviderError('declined', 'a look-up says nothing')]) {
        world.provider.lookup = async () => Promise.reject(answer)
        await later(30_000)
        expect(await now()).toMatchObject({ status: 'pending', statusReason: 'checking' })
      }
      world.provider.lookup = async () => pending()
      await later(MINUTE)
      expect(await now()).toMatchObject({ status: 'pending', statusReason: 'awaiting_payer' })
      world.provider.lookup = async ({ key }) => paid((await attempt()).amount, `MP${key.length}`)
      await later(5 * MINUTE)
      expect(await now()).toMatchObject({ status: 'completed', providerReference: 'MP26' })
      expect(world.provider.charges).toHaveLength(1)
      expect(world.provider.lookups).toHaveLength(4)
      expect(await nextCheckAt()).toBeNull()
    },
  )

  test('keeps a second attempt from being sent', async ({ world, payment }) => {
    world.provider.charge = async () => Promise.reject(unanswered())
    await makeAttempt(world.ctx, payment)
    await expect(makeAttempt(world.ctx, payment)).rejects.toMatchObject({ code: 'payment_not_payable' })
    expect(world.provider.charges).toHaveLength(1)
  })
})

describe('a charge that the provider does not find', () => {
  test.beforeEach(async ({ world, payment }) => {
    world.provider.charge = async () => Promise.reject(unanswered())
    world.provider.lookup = async () => notFound
    await makeAttempt(world.ctx, payment)
  })

  test('is not failed before its lifetime is over, however often it is not found', async ({
    world,
    now,
    later,
  }) => {
    for (let round = 0; round < 8; round += 1) await later(MINUTE)
    expect(world.provider.lookups.length).toBeGreaterThan(4)
    expect(await now()).toMatchObject({ status: 'pending' })
  })

  test('is not failed by the first look-up, however late', async ({ now, attempt, later }) => {
    await later(HOUR)
    expect(await now()).toMatchObject({ status: 'pending' })
    await later(2 * HOUR)
    expect(await now()).toMatchObject({ status: 'pending', statusReason: 'expired' })
    expect((await attempt()).status).toBe('failed')
  })

  test('is completed when the provider reports it as paid later', async ({ world, now, attempt, later }) => {
    await later(HOUR)
    await later(2 * HOUR)
    expect((await attempt()).status).toBe('failed')
    world.provider.lookup = async () => paid((await attempt()).amount)
    const token = world.provider.charges[0]?.callbackUrl.split('/').at(-1) ?? ''
    expect(await handleCallback(world.ctx, 'scripted', token)).toBe('done')
    expect(await now()).toMatchObject({ status: 'completed' })
  })
})

describe('a charge that the provider has reported', () => {
  test.for([
    ['that it is pending', async () => pending()],
    ['that it is paid, and not how much', async () => paid(null)],
  ] as const)(
    '(%s) is never failed because it is not found later, and is listed for an operator',
    async ([, reported], { world, payment, now, attempt, later, callback, nextCheckAt }) => {
      world.provider.charge = reported
      await makeAttempt(world.ctx, payment)
      world.provider.lookup = async () => notFound
      for (let half = 0; half < 46; half += 1) await later(HOUR / 2)
      expect(world.provider.lookups.length).toBeGreaterThan(20)
      expect(await now()).toMatchObject({ status: 'pending', statusReason: 'checking' })
      await later(HOUR)
      expect(await now()).toMatchObject({ status: 'pending', statusReason: 'under_review' })
      expect(await nextCheckAt()).toBeNull()
      world.provider.lookup = async () => paid((await attempt()).amount)
      await callback()
      expect(await now()).toMatchObject({ status: 'completed' })
    },
  )

  test('during a look-up is not failed by that look-up', async ({
    world,
    payment,
    now,
    attempt,
    later,
    callback,
  }) => {
    world.provider.charge = async () => Promise.reject(unanswered())
    world.provider.lookup = async () => notFound
    await makeAttempt(world.ctx, payment)
    await later(HOUR)
    const { promise, resolve } = Promise.withResolvers<typeof notFound>()
    world.provider.lookup = () => promise
    const late = callback()
    await expect.poll(() => world.provider.lookups.length).toBe(2)
    world.provider.lookup = async () => pending()
    await callback()
    resolve(notFound)
    await late
    expect((await attempt()).status).toBe('pending')
    expect(await now()).toMatchObject({ status: 'pending' })
  })
})

test('concurrent look-ups that do not find it count as one', async ({
  world,
  payment,
  attempt,
  callback,
}) => {
  world.provider.charge = async () => Promise.reject(unanswered())
  world.provider.lookup = async () => notFound
  await makeAttempt(world.ctx, payment)
  world.ctx.clock.advance(HOUR)
  const { promise, resolve } = Promise.withResolvers<typeof notFound>()
  world.provider.lookup = () => promise
  const looks = [callback(), callback(), callback()]
  await expect.poll(() => world.provider.lookups.length).toBe(3)
  resolve(notFound)
  await Promise.all(looks)
  expect((await attempt()).status).toBe('unknown')
  await callback()
  expect((await attempt()).status).toBe('failed')
})

test('an attempt that is refused or provably not sent ends at once, and the payer may start another one', async ({
  world,
  payment,
  now,
}) => {
  for (const [error, reason] of [
    [new ProviderError('declined', 'no', { reason: 'insufficient_funds' }), 'insufficient_funds'],
    [new ProviderError('unavailable', 'away'), 'provider_unavailable'],
    [new ProviderError('invalid', 'wrong'), 'provider_unavailable'],
  ] as const) {
    world.provider.charge = async () => Promise.reject(error)
    await makeAttempt(world.ctx, payment)
    expect(await now()).toMatchObject({ status: 'pending', statusReason: reason })
  }
  expect(new Set(world.provider.charges.map(({ key }) => key)).size).toBe(3)
})

test('after a day an open charge waits for an operator, and never fails automatically', async ({
  world,
  payment,
  now,
  later,
  nextCheckAt,
}) => {
  await makeAttempt(world.ctx, payment)
  for (let hour = 0; hour < 26; hour += 1) await later(HOUR)
  expect(await now()).toMatchObject({ status: 'pending', statusReason: 'under_review' })
  expect(await nextCheckAt()).toBeNull()
  const looks = world.provider.lookups.length
  await later(HOUR)
  expect(world.provider.lookups).toHaveLength(looks)
  world.provider.lookup = async () => refused('expired')
  const token = world.provider.charges[0]?.callbackUrl.split('/').at(-1) ?? ''
  await handleCallback(world.ctx, 'scripted', token)
  expect(await now()).toMatchObject({ status: 'failed', statusReason: 'expired' })
})

test.for([
  ['a connector with an error', (ctx: WorldCtx) => ctx],
  ['a connector that is not built in any more', (ctx: WorldCtx) => ({ ...ctx, providers: registryOf([]) })],
] as const)(
  '%s leaves its charge to an operator after a day',
  async ([, ctxOf], { world, payment, now, nextCheckAt }) => {
    world.provider.lookup = () => {
      throw new TypeError('x is not a function')
    }
    await makeAttempt(world.ctx, payment)
    for (let hour = 0; hour < 25; hour += 1) {
      world.ctx.clock.advance(HOUR)
      await lookUpDue(ctxOf(world.ctx))
    }
    expect(await now()).toMatchObject({ status: 'pending', statusReason: 'under_review' })
    expect(await nextCheckAt()).toBeNull()
    expect(new Set(world.errors)).toEqual(
      new Set(['a look-up failed', 'an attempt is still open after a day; an operator has to decide']),
    )
  },
)

test('a machine that was suspended before its call sends nothing, and the call is looked up', async ({
  world,
  payment,
  attempt,
  later,
}) => {
  const { db } = world.ctx
  let wallMs = 0
  const suspended: WorldCtx = {
    ...world.ctx,
    wallClock: { now: () => new Date(wallMs) },
    db: {
      ...db,
      commitStatement: async (statement) => {
        const result = await db.commitStatement(statement)
        wallMs = 10 * 60_000
        return result
      },
    },
  }
  const input = { method: 'ecocash', phone: '0771234567' } as const
  const { answered } = await startAttempt(suspended, payment.accountId, payment.id, input)
  await answered
  expect(world.provider.charges).toEqual([])
  expect((await attempt()).status).toBe('sending')
  world.provider.lookup = async () => notFound
  await later(60_000)
  expect(world.provider.lookups).toHaveLength(1)
})

test.for([
  [59_999, 1],
  [60_000, 0],
] as const)(
  'a process that was suspended for %d ms before its call makes %d',
  async ([ms, calls], { world, payment, attempt, later }) => {
    const { db } = world.ctx
    const slow: typeof db = {
      ...db,
      commitStatement: async (statement) => {
        const result = await db.commitStatement(statement)
        if (world.provider.charges.length === 0) world.ctx.clock.advance(ms)
        return result
      },
    }
    const { answered } = await startAttempt({ ...world.ctx, db: slow }, payment.accountId, payment.id, {
      method: 'ecocash',
      phone: '0771234567',
    })
    await answered
    expect(world.provider.charges).toHaveLength(calls)
    expect((await attempt()).status).toBe(calls === 1 ? 'pending' : 'sending')
    world.provider.lookup = async () => notFound
    await later(1)
    expect(world.provider.lookups).toHaveLength(1 - calls)
  },
)

test('texts of a provider that a database cannot store do not prevent the record of the outcome', async ({
  world,
  payment,
  now,
  attempt,
  later,
}) => {
  const odd = 'MP1\u0000\u0000\ud83d'
  world.provider.charge = async () => Promise.reject(new ProviderError('unknown', odd, { providerCode: odd }))
  await makeAttempt(world.ctx, payment)
  world.provider.lookup = async () => ({
    ...paid((await attempt()).amount, odd),
    providerStatus: odd,
    state: { reference: odd, checks: 1 },
  })
  await later(5000)
  expect(await now()).toMatchObject({ status: 'completed', providerReference: 'MP1\ufffd' })
})
