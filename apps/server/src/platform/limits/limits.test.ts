import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import type { Ctx } from '../ctx.ts'
import { createDatabase, type Database } from '../db/database.ts'
import { deleteExpiredLimits, type Limit, restoreQuota, take, takeAll } from './limits.ts'

const MINUTE_MS = 60_000

describe('a limit', () => {
  let ctx: TestCtx
  let elsewhere: Database
  let by: string
  let count = 0

  beforeAll(async () => {
    ctx = await testCtx()
    elsewhere = createDatabase(ctx.databaseUrl, { maxConnections: 10 })
  })
  afterAll(async () => {
    await elsewhere.close()
    await ctx.close()
  })
  beforeEach(() => {
    count += 1
    by = `somebody ${count}`
  })

  const five = { name: 'five', quota: 5, windowMs: MINUTE_MS }
  const two = { name: 'two', quota: 2, windowMs: 10 * MINUTE_MS }
  const use = (where: Ctx = ctx, ...limits: (typeof five)[]) =>
    take(
      where,
      where.db.kysely,
      (limits.length > 0 ? limits : [five]).map((limit) => ({ limit, by })),
    )
  const refused = async (...limits: (typeof five)[]) =>
    (await use(ctx, ...limits)).map((standing) => standing.refused)
  const row = () =>
    ctx.db.kysely.selectFrom('rate_limits').selectAll().where('resets_at', '>', ctx.clock.now()).execute()

  test('admits its quota, and again in the next window', async () => {
    const resetsAt = new Date(ctx.clock.now().getTime() + MINUTE_MS)
    for (let remaining = 4; remaining >= 0; remaining -= 1) {
      ctx.clock.advance(1000)
      if (remaining === 4) resetsAt.setTime(ctx.clock.now().getTime() + MINUTE_MS)
      expect(await use()).toEqual([{ limit: five, remaining, resetsAt, refused: false }])
    }
    expect(await use()).toEqual([{ limit: five, remaining: 0, resetsAt, refused: true }])
    ctx.clock.advance(resetsAt.getTime() - ctx.clock.now().getTime() - 1)
    expect(await refused()).toEqual([true])
    ctx.clock.advance(1)
    expect((await use())[0]).toMatchObject({ remaining: 4, refused: false })
  })

  test('is another for somebody else, and under another name', async () => {
    for (let n = 0; n < 5; n += 1) await use()
    expect(await refused()).toEqual([true])
    expect(await refused({ ...five, name: 'other five' })).toEqual([false])
    by = 'somebody else'
    expect(await refused()).toEqual([false])
  })

  test('admits five of 64 concurrent calls to two processes', async () => {
    const other: Ctx = { ...ctx, db: elsewhere }
    const standings = await Promise.all(Array.from({ length: 64 }, (_, n) => use(n % 2 === 0 ? ctx : other)))
    const through = standings.flat().filter((standing) => !standing.refused)
    expect(through.map(({ remaining }) => remaining).sort()).toEqual([0, 1, 2, 3, 4])
  })

  test('applies beside others in one call, each with its own end, and none waits for another', async () => {
    const orders = [
      [five, two],
      [two, five],
    ]
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => refused(...(orders[n % 2] ?? []))))
    const byName = answers.map((answer, n) => (n % 2 === 0 ? answer : answer.toReversed()))
    expect(byName.filter(([ofFive]) => !ofFive)).toHaveLength(5)
    expect(byName.filter(([, ofTwo]) => !ofTwo)).toHaveLength(2)
    ctx.clock.advance(MINUTE_MS)
    expect(await refused(five, two)).toEqual([false, true])
  })

  test('that is refused restores the other limits of the same call', async () => {
    const together = (...limits: Limit[]) =>
      takeAll(
        ctx,
        ctx.db.kysely,
        limits.map((limit) => ({ limit, by })),
      )
    for (let n = 0; n < 9; n += 1) await together(five, two)
    const [left] = await together(five)
    expect([left?.refused, left?.remaining]).toEqual([false, 2])
  })

  test('is used and restored by many concurrent calls without deadlocks', async () => {
    const many = [five, two, { ...five, name: 'third' }, { ...five, name: 'fourth' }].map((limit) => ({
      limit: { ...limit, quota: 1000 },
      by,
    }))
    const orders = [many, many.toReversed()]
    const round = async (n: number) => {
      const uses = orders[n % 2] ?? many
      await take(ctx, ctx.db.kysely, uses)
      await restoreQuota(ctx, ctx.db.kysely, uses)
    }
    for (let n = 0; n < 8; n += 1) await Promise.all(Array.from({ length: 32 }, (_, each) => round(each)))
    const left = await take(ctx, ctx.db.kysely, many)
    expect(left.map(({ remaining }) => remaining)).toEqual([999, 999, 999, 999])
  })

  test('takes back uses that turned out not to count, and never more than were used', async () => {
    for (let n = 0; n < 5; n += 1) await use()
    await restoreQuota(ctx, ctx.db.kysely, [{ limit: five, by }])
    expect(await refused()).toEqual([false])
    expect(await refused()).toEqual([true])
    for (let n = 0; n < 9; n += 1) await restoreQuota(ctx, ctx.db.kysely, [{ limit: five, by }])
    expect((await use())[0]?.remaining).toBe(4)
  })

  test('applies at once when it is lowered', async () => {
    for (let n = 0; n < 4; n += 1) await use()
    expect(await refused({ ...five, quota: 3 })).toEqual([true])
    expect(await refused({ ...five, quota: 6 })).toEqual([false])
  })

  test('stores nothing that names anybody', async () => {
    await use()
    const stored = (await row()).map(({ key }) => key.toString('latin1') + key.toString('hex'))
    expect(stored.join()).not.toContain('somebody')
    expect(stored.join()).not.toContain(Buffer.from(by).toString('hex'))
  })

  test('is deleted after its window, and not before', async () => {
    await ctx.db.kysely.deleteFrom('rate_limits').execute()
    await take(
      ctx,
      ctx.db.kysely,
      Array.from({ length: 2500 }, (_, n) => ({ limit: five, by: `crowd ${n}` })),
    )
    ctx.clock.advance(MINUTE_MS - 1)
    await use()
    ctx.clock.advance(1)
    await Promise.all([deleteExpiredLimits(ctx), deleteExpiredLimits(ctx)])
    const left = await ctx.db.kysely.selectFrom('rate_limits').selectAll().execute()
    expect(left).toHaveLength(1)
  })
})
