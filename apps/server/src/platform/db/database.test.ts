import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { createPool, type Tx } from './database.ts'
import { isDatabaseAway, isDatabaseBusy, isOutcomeUnknown } from './failures.ts'

let ctx: TestCtx

beforeAll(async () => {
  ctx = await testCtx()
  await sql`create table counters (name text primary key, value int not null)`.execute(ctx.db.kysely)
})
afterAll(() => ctx.close())
beforeEach(async () => {
  await sql`delete from counters`.execute(ctx.db.kysely)
  await sql`insert into counters values ('one', 0), ('other', 0)`.execute(ctx.db.kysely)
})

const count = async (tx: Tx, name: string) => {
  await sql`update counters set value = value + 1 where name = ${name}`.execute(tx)
}
const values = async () => {
  const { rows } = await sql<{ value: number }>`select value from counters order by name`.execute(
    ctx.db.kysely,
  )
  return rows.map(({ value }) => value)
}
const refuse = (tx: Tx, code: string) =>
  sql`do ${sql.raw(`$$ begin raise exception 'refused' using errcode = '${code}'; end $$`)}`.execute(tx)

test('createPool: no session compiles statements, also where the server would', async () => {
  await sql`do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`.execute(
    ctx.db.kysely,
  )
  const pool = createPool(ctx.databaseUrl, { maxConnections: 1 })
  try {
    expect((await pool.query('show jit')).rows).toEqual([{ jit: 'off' }])
  } finally {
    await pool.end()
  }
})

describe('a transaction', () => {
  test('that a deadlock rolls back is repeated, and both succeed once', async () => {
    let runs = 0
    const { promise: bothHold, resolve } = Promise.withResolvers<void>()
    const { promise: oneIsDone, resolve: done } = Promise.withResolvers<void>()
    let holding = 0
    const cross = async (first: string, second: string) => {
      await ctx.db.tx(async (tx) => {
        runs += 1
        // At once, it could take the row before the session that has waited for it, and both would meet again.
        if (runs > 2) await oneIsDone
        await count(tx, first)
        holding += 1
        if (holding === 2) resolve()
        await bothHold
        await count(tx, second)
      })
      done()
    }
    await Promise.all([cross('one', 'other'), cross('other', 'one')])
    expect(runs).toBe(3)
    expect(await values()).toEqual([2, 2])
  })

  test.each(['40P01', '40001'])(
    'that is rolled back every time (%s) fails after five repetitions',
    async (code) => {
      let runs = 0
      const work = ctx.db.tx(async (tx) => {
        runs += 1
        await count(tx, 'one')
        await refuse(tx, code)
      })
      await expect(work).rejects.toMatchObject({ code })
      expect(runs).toBe(6)
      expect(await values()).toEqual([0, 0])
    },
  )

  test.each(['23505', '55P03', '57014', '57P01', '08006'])(
    'that fails with %s is not repeated',
    async (code) => {
      let runs = 0
      const work = ctx.db.tx(async (tx) => {
        runs += 1
        await refuse(tx, code)
      })
      await expect(work).rejects.toMatchObject({ code })
      expect(runs).toBe(1)
    },
  )
})

test.each([
  ['57P01', 'away'],
  ['53300', 'away'],
  ['08001', 'away'],
  ['08004', 'away'],
  ['08006', 'away'],
  ['ECONNREFUSED', 'away'],
  ['ETIMEDOUT', 'away'],
  ['EHOSTUNREACH', 'away'],
  ['ENETUNREACH', 'away'],
  ['ENOTFOUND', 'away'],
  ['EAI_AGAIN', 'away'],
  ['57P05', 'away'],
  ['25P03', 'away'],
  ['25006', 'away'],
  ['08P01', 'away'],
  ['40003', 'away'],
  ['08007', 'away'],
  ['53000', 'busy'],
  ['53100', 'busy'],
  ['53200', 'busy'],
  ['53400', 'busy'],
  ['58030', 'busy'],
  ['55P03', 'busy'],
  ['57014', 'busy'],
  ['40P01', 'busy'],
  ['40001', 'busy'],
  ['23505', 'neither'],
  ['ENOENT', 'neither'],
])('a database that answers %s is %s', (code, what) => {
  const error = Object.assign(new Error('refused'), { code })
  expect([isDatabaseAway(error), isDatabaseBusy(error)]).toEqual([what === 'away', what === 'busy'])
})

test.each([
  ['40003', true],
  ['08007', true],
  ['25006', false],
  ['53100', false],
  ['57P01', false],
  ['ECONNRESET', false],
])('an answer of %s leaves the outcome unknown: %s', (code, isUnknown) => {
  expect(isOutcomeUnknown(Object.assign(new Error('refused'), { code }))).toBe(isUnknown)
})
