import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestCtx, testCtx } from '../../../test/test-ctx.ts'
import { AppError } from '../errors.ts'
import { batched } from './batched.ts'
import { createDatabase, type Database, type Tx } from './database.ts'

let ctx: TestCtx
let db: Database

beforeAll(async () => {
  ctx = await testCtx()
  db = createDatabase(ctx.databaseUrl, { maxConnections: 8 })
  await sql`create table written (key text primary key, transaction xid8 default pg_current_xact_id())`.execute(
    db.kysely,
  )
})
afterAll(async () => {
  await db.close()
  await ctx.close()
})

const statements: string[][] = []
const insert = batched<Tx, string, void>(async (tx, keys) => {
  statements.push([...keys])
  await sql`insert into written (key) select unnest(${keys}::text[])`.execute(tx)
  return keys.map(() => undefined)
})
const transactionOf = async (key: string): Promise<unknown> => {
  const { rows } = await sql<{
    transaction: unknown
  }>`select transaction from written where key = ${key}`.execute(db.kysely)
  return rows[0]?.transaction
}
const names = (start: string, count: number) => Array.from({ length: count }, (_, nth) => `${start}${nth}`)

test('those who come at the same moment share a transaction and a statement', async () => {
  const keys = names('shared', 40)
  statements.length = 0
  const answers = await Promise.all(
    keys.map((key) => db.groupCommit(key, async (tx) => insert(tx, key).then(() => `done ${key}`))),
  )
  expect(answers).toEqual(keys.map((key) => `done ${key}`))
  expect(statements).toEqual([keys])
  expect(new Set(await Promise.all(keys.map(transactionOf))).size).toBe(1)
})

test('a refusal takes what it has written with it, and nothing of the others', async () => {
  const keys = names('refused', 12)
  const answers = await Promise.allSettled(
    keys.map((key, nth) =>
      db.groupCommit(key, async (tx) => {
        await insert(tx, key)
        if (nth % 4 === 1) throw new AppError('payment_not_payable')
        return key
      }),
    ),
  )
  for (const [nth, key] of keys.entries()) {
    const refused = nth % 4 === 1
    expect(answers[nth]?.status, key).toBe(refused ? 'rejected' : 'fulfilled')
    expect((await transactionOf(key)) !== undefined, key).toBe(!refused)
  }
})

test('what the database refuses of one leaves the others done', async () => {
  await db.tx((tx) => insert(tx, 'taken'))
  const keys = ['fine0', 'taken', 'fine1']
  const answers = await Promise.allSettled(keys.map((key) => db.groupCommit(key, (tx) => insert(tx, key))))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(answers[1]).toMatchObject({ reason: { code: '23505' } })
  for (const key of ['fine0', 'fine1']) expect(await transactionOf(key)).toBeDefined()
})

test('what the database undoes in favour of others is done all the same, by each alone', async () => {
  const keys = names('overtaken', 4)
  let isUndone = false
  const answers = await Promise.all(
    keys.map((key, nth) =>
      db.groupCommit(key, async (tx) => {
        await insert(tx, key)
        const isVictim = nth === 2 && !isUndone
        if (isVictim) {
          isUndone = true
          await sql`do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$`.execute(tx)
        }
        return key
      }),
    ),
  )
  expect(answers).toEqual(keys)
  expect(new Set(await Promise.all(keys.map(transactionOf))).size).toBe(keys.length)
})

test('two works on one thing never share a transaction: the second finds what the first has done', async () => {
  const found: unknown[] = []
  const work = async (tx: Tx) => {
    const { rows } = await sql`select key from written where key = 'once'`.execute(tx)
    found.push(rows.length)
    if (rows.length === 0) await insert(tx, 'once')
  }
  await Promise.all([
    db.groupCommit('once', work),
    db.groupCommit('other', async () => {}),
    db.groupCommit('once', work),
  ])
  expect(found.sort()).toEqual([0, 1])
})

test('a database that goes away in the midst is told to all, and nobody tries again by itself', async () => {
  const keys = names('away', 5)
  let runs = 0
  const answers = await Promise.allSettled(
    keys.map((key, nth) =>
      db.groupCommit(key, async (tx) => {
        runs += 1
        await insert(tx, key)
        if (nth === 0) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 'rejected'))
  expect(runs).toBe(keys.length)
  for (const key of keys) expect(await transactionOf(key)).toBeUndefined()
})

test('outside of a transaction calls are gathered too', async () => {
  const asked: number[] = []
  const double = batched<Database['kysely'], number, number>(async (_, numbers) => {
    asked.push(numbers.length)
    return numbers.map((number) => 2 * number)
  })
  expect(await Promise.all([1, 2, 3].map((number) => double(db.kysely, number)))).toEqual([2, 4, 6])
  expect(asked).toEqual([3])
})
