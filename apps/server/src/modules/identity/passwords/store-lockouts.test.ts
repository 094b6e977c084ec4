import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../../test/test-ctx.ts'
import { plusMs } from '../../../platform/clock.ts'
import { claimTry, type Patience, settleTry } from './store-lockouts.ts'

const patience: Patience = { freeFailures: 3, lockedAt: 10, longestMs: 60_000, memoryMs: 900_000 }

let ctx: TestCtx
beforeAll(async () => {
  ctx = await testCtx()
})
afterAll(() => ctx.close())

test('who looked at the clock first and is counted last does not wait for what is free', async () => {
  const q = ctx.db.kysely
  const key = Buffer.alloc(32, 1)
  const now = ctx.clock.now()
  const claim = (at: Date) => claimTry(q, [{ key, patience }], at)
  expect(await claim(now)).toBeNull()
  expect(await claim(plusMs(now, -5))).toBeNull()
  expect(await claim(plusMs(now, -5))).toBeNull()
  await settleTry(q, { forgotten: [], takenBack: [key] }, now)
  expect(await claim(plusMs(now, -5))).toBeNull()
  // The fourth is no longer free: a second, by anybody's clock.
  expect(await claim(plusMs(now, -5))).toBeNull()
  expect(await claim(now)).toEqual(plusMs(now, 995))
})

test('while one of two keys is shut a try counts under neither', async () => {
  const q = ctx.db.kysely
  const now = ctx.clock.now()
  const [shut, open] = [2, 3].map((byte) => ({ key: Buffer.alloc(32, byte), patience }))
  if (!shut || !open) throw new Error('two keys')
  for (let n = 0; n < 4; n += 1) expect(await claimTry(q, [shut], now)).toBeNull()
  for (let n = 0; n < 9; n += 1) expect(await claimTry(q, [open, shut], now)).toEqual(plusMs(now, 1000))
  for (let n = 0; n < 4; n += 1) expect(await claimTry(q, [open], now)).toBeNull()
  expect(await claimTry(q, [open], now)).toEqual(plusMs(now, 1000))
})

test('tries that share a key come and go together, and none waits for another or is lost', async () => {
  const q = ctx.db.kysely
  const now = ctx.clock.now()
  const lenient: Patience = { freeFailures: 1000, lockedAt: 1007, longestMs: 60_000, memoryMs: 900_000 }
  const shared = { key: Buffer.alloc(32, 128), patience: lenient }
  const tries = Array.from({ length: 64 }, async (_, n) => {
    // Half of the keys come before the shared one, and half after it.
    const own = { key: Buffer.alloc(32, n % 2 === 0 ? 64 + n : 192 + (n >> 1)), patience: lenient }
    expect(await claimTry(q, n % 3 === 0 ? [shared, own] : [own, shared], now)).toBeNull()
    const isRight = n % 4 === 0
    if (isRight) await settleTry(q, { forgotten: [own.key], takenBack: [shared.key] }, now)
  })
  await Promise.all(tries)
  const row = q.selectFrom('sign_in_failures').where('key', '=', shared.key).select('failures')
  expect(await row.executeTakeFirst()).toEqual({ failures: 48 })
})
