import { expect } from 'vitest'
import { test } from '../../../../test/fixtures.ts'
import { plusMs } from '../../../platform/clock.ts'
import { claimAttempt, type LockoutPolicy, releaseAttempt } from './store-lockouts.ts'

const policy: LockoutPolicy = { freeFailures: 3, lockedAt: 10, maxWaitMs: 60_000, resetAfterMs: 900_000 }

test('a caller with an earlier clock reading, counted later, does not wait for a free attempt', async ({
  ctx,
}) => {
  const q = ctx.db.kysely
  const key = Buffer.alloc(32, 1)
  const now = ctx.clock.now()
  const claim = (at: Date) => claimAttempt(q, [{ key, policy }], at)
  expect(await claim(now)).toBeNull()
  expect(await claim(plusMs(now, -5))).toBeNull()
  expect(await claim(plusMs(now, -5))).toBeNull()
  await releaseAttempt(q, { cleared: [], released: [key] }, now)
  expect(await claim(plusMs(now, -5))).toBeNull()
  // The fourth attempt waits for a second, by every clock.
  expect(await claim(plusMs(now, -5))).toBeNull()
  expect(await claim(now)).toEqual(plusMs(now, 995))
})

test('while one of two keys is locked an attempt counts under neither', async ({ ctx }) => {
  const q = ctx.db.kysely
  const now = ctx.clock.now()
  const [shut, open] = [2, 3].map((byte) => ({ key: Buffer.alloc(32, byte), policy }))
  if (!shut || !open) throw new Error('two keys')
  for (let n = 0; n < 4; n += 1) expect(await claimAttempt(q, [shut], now)).toBeNull()
  for (let n = 0; n < 9; n += 1) expect(await claimAttempt(q, [open, shut], now)).toEqual(plusMs(now, 1000))
  for (let n = 0; n < 4; n += 1) expect(await claimAttempt(q, [open], now)).toBeNull()
  expect(await claimAttempt(q, [open], now)).toEqual(plusMs(now, 1000))
})

test('attempts that share a key are counted and released together, and none blocks another or is lost', async ({
  ctx,
}) => {
  const q = ctx.db.kysely
  const now = ctx.clock.now()
  const lenient: LockoutPolicy = {
    freeFailures: 1000,
    lockedAt: 1007,
    maxWaitMs: 60_000,
    resetAfterMs: 900_000,
  }
  const shared = { key: Buffer.alloc(32, 128), policy: lenient }
  const attempts = Array.from({ length: 64 }, async (_, n) => {
    // Half of the keys sort before the shared one, and half after it.
    const own = { key: Buffer.alloc(32, n % 2 === 0 ? 64 + n : 192 + (n >> 1)), policy: lenient }
    expect(await claimAttempt(q, n % 3 === 0 ? [shared, own] : [own, shared], now)).toBeNull()
    const isRight = n % 4 === 0
    if (isRight) await releaseAttempt(q, { cleared: [own.key], released: [shared.key] }, now)
  })
  await Promise.all(attempts)
  const row = q.selectFrom('sign_in_failures').where('key', '=', shared.key).select('failures')
  expect(await row.executeTakeFirst()).toEqual({ failures: 48 })
})
