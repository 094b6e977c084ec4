import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { plusMs } from '../../platform/clock.ts'
import { claimTry, type Patience, takeTryBack } from './failure-store.ts'

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
  const claim = (at: Date) => claimTry(q, key, patience, at)
  expect(await claim(now)).toBeNull()
  expect(await claim(plusMs(now, -5))).toBeNull()
  expect(await claim(plusMs(now, -5))).toBeNull()
  await takeTryBack(q, key, now)
  expect(await claim(plusMs(now, -5))).toBeNull()
  // The fourth is no longer free: a second, by anybody's clock.
  expect(await claim(plusMs(now, -5))).toBeNull()
  expect(await claim(now)).toEqual(plusMs(now, 995))
})
