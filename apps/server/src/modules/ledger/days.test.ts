import { PaymentId } from '@muripo/contract/ids'
import { type Currency, money } from '@muripo/contract/money'
import fc from 'fast-check'
import { expect } from 'vitest'
import { beginDays } from '../../../test/business-days.ts'
import { test as base } from '../../../test/fixtures.ts'
import { skipOnCitus } from '../../../test/on-citus.ts'
import { transactionsEnded } from '../../../test/transactions-ended.ts'
import { makeShop, makeWorld, type Shop } from '../../../test/world.ts'
import { uuidOf } from '../../platform/ids.ts'
import {
  aggregateLedgerBalances,
  clearing,
  closeBusinessDays,
  compareLedger,
  listBusinessDays,
  openDay,
  postTransfers,
} from './index.ts'
import { addTransfers } from './store-balances.ts'
import { closeDays } from './store-days.ts'
import type { AccountCode, Transfer, TransferKind } from './transfer.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ways: readonly (readonly [TransferKind, AccountCode, AccountCode])[] = [
  ['capture', clearing('one'), 'merchant.payable'],
  ['capture', clearing('two'), 'merchant.payable'],
  ['fee', 'merchant.payable', 'fee.revenue'],
  ['refund_reserve', 'merchant.payable', 'refunds.payable'],
  ['duplicate_capture', clearing('one'), 'refunds.payable'],
]

interface Posting {
  readonly shop: number
  readonly way: number
  readonly minor: number
  readonly currency: Currency
}

const one = (minor: number, way = 0): Posting => ({ shop: 0, way, minor, currency: 'USD' })

const test = base
  .extend('shops', { scope: 'file' }, async ({ world }) => {
    const shops = [await makeShop(world.ctx), await makeShop(world.ctx)]
    // A writer waits for another transaction that opens the same account.
    for (const { accountId } of shops)
      await world.ctx.db.pool.query(
        `insert into ledger_accounts select $1, code, currency from unnest($2::text[]) as code cross join unnest('{USD,ZWG}'::text[]) as currency`,
        [uuidOf(accountId), [...new Set(ways.flatMap(([, debit, credit]) => [debit, credit]))]],
      )
    return shops
  })
  .extend('days', async ({ world, shops }) => {
    const { ctx } = world
    const { pool } = ctx.db
    // The morning in Zimbabwe, of a day that no earlier test has reached.
    ctx.clock.advance(DAY - (ctx.clock.now().getTime() % DAY) + 9 * HOUR)
    const today = ctx.clock.now().toISOString().slice(0, 10)
    await beginDays(ctx, today)
    const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows
    const transferOf = ({ way, minor, currency }: Posting): Transfer => {
      const [kind, debit, credit] = ways[way] ?? (ways[0] as (typeof ways)[0])
      const paymentId = ctx.ids.next(PaymentId)
      const amount = money(BigInt(minor), currency)
      return { kind, debit, credit, amount, paymentId, causeId: uuidOf(paymentId) }
    }
    const write = (...postings: readonly Posting[]) =>
      ctx.db.tx((tx) =>
        postTransfers(ctx, tx, shops[postings[0]?.shop ?? 0] as Shop, ...postings.map(transferOf)),
      )
    /** A transaction that has a position and ends when it is told to. */
    async function writeSlowly(...postings: readonly Posting[]): Promise<() => Promise<void>> {
      const written = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      const done = ctx.db.tx(async (tx) => {
        await postTransfers(ctx, tx, shops[postings[0]?.shop ?? 0] as Shop, ...postings.map(transferOf))
        written.resolve()
        await end.promise
      })
      await Promise.race([written.promise, done])
      return () => {
        end.resolve()
        return done
      }
    }
    /** By date: what was moved on clearing.one. */
    const moved = async () =>
      Object.fromEntries(
        (
          await rows(
            `select d.business_date::text as date, coalesce(sum(s.debit_minor), 0)::float8 as minor from ledger_business_days d
             left join ledger_day_sums s on s.business_date = d.business_date and s.code = 'clearing.one' group by 1 order by 1`,
          )
        ).map(({ date, minor }) => [date, minor]),
      )
    const sumsOfClosed = () =>
      rows(
        `select s.* from ledger_day_sums s join ledger_business_days using (business_date) where to_position is not null
         order by account_id, business_date, code, currency, application_id, kind, other_code`,
      )
    const toNextDay = () => ctx.clock.advance(DAY)
    return { rows, write, writeSlowly, moved, sumsOfClosed, toNextDay, today }
  })

/** The date so many days after another one. */
const after = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)

test('in any order of writes, aggregations and closes, the days add up to the balances, follow each other, and stay', async ({
  world: { ctx },
  days: { rows, write, writeSlowly, sumsOfClosed },
}) => {
  const aPosting = fc.record({
    shop: fc.nat({ max: 1 }),
    way: fc.nat({ max: ways.length - 1 }),
    minor: fc.integer({ min: 1, max: 99_999_999_999 }),
    currency: fc.constantFrom<Currency>('USD', 'ZWG'),
  })
  const postings = fc.array(aPosting, { minLength: 1, maxLength: 3 })
  const step = fc.oneof(
    { weight: 4, arbitrary: postings.map((posted) => ({ does: 'write', posted }) as const) },
    { weight: 2, arbitrary: postings.map((posted) => ({ does: 'begin', posted }) as const) },
    { weight: 2, arbitrary: fc.constant({ does: 'end' } as const) },
    {
      weight: 3,
      arbitrary: fc.integer({ min: 1, max: 4 }).map((most) => ({ does: 'aggregate', most }) as const),
    },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 3 }).map((on) => ({ does: 'close', on }) as const) },
    { weight: 1, arbitrary: fc.constant({ does: 'die' } as const) },
    { weight: 1, arbitrary: fc.constant({ does: 'rebuild' } as const) },
  )
  async function prove(closedBefore: readonly unknown[]): Promise<void> {
    expect(await rows('select * from ledger_day_sums_drift')).toEqual([])
    expect(
      await rows(
        `select account_id, code, currency from (
           select account_id, code, currency, debit_minor, credit_minor from ledger_day_sums
           union all
           select account_id, code, currency, -debit_minor, -credit_minor from ledger_account_balances
           where code = 'merchant.payable' or code like 'clearing.%'
         ) as both_sides group by 1, 2, 3 having sum(debit_minor) <> 0 or sum(credit_minor) <> 0`,
      ),
    ).toEqual([])
    expect(
      await rows(
        `select business_date from (select *, lag(to_position) over w as ended, lag(business_date) over w as before from ledger_business_days
           window w as (order by business_date)) as d
         where before is not null and (ended is distinct from from_position or business_date <> before + 1)`,
      ),
    ).toEqual([])
    expect(await sumsOfClosed()).toEqual(expect.arrayContaining([...closedBefore]))
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20, size: 'max' }), async (steps) => {
      const open: (() => Promise<void>)[] = []
      try {
        for (const next of steps) {
          const closedBefore = await sumsOfClosed()
          if (next.does === 'write') await write(...next.posted)
          else if (next.does === 'begin' && open.length < 2) open.push(await writeSlowly(...next.posted))
          else if (next.does === 'end') await open.shift()?.()
          else if (next.does === 'aggregate') await addTransfers(ctx.db.kysely, next.most)
          else if (next.does === 'rebuild') await rows('select rebuild_ledger_balances()')
          else if (next.does === 'close') {
            ctx.clock.advance(next.on * DAY)
            // Two workers at once.
            await Promise.all([closeBusinessDays(ctx), closeBusinessDays(ctx)])
          } else if (next.does === 'die') {
            ctx.clock.advance(DAY)
            const died = ctx.db.tx(async (tx) => {
              expect(await closeDays(tx, '20:00')).toBeGreaterThan(0)
              throw new Error('died')
            })
            await expect(died).rejects.toThrow('died')
          }
          await prove(closedBefore)
        }
      } finally {
        for (const end of open) await end()
      }
    }),
    { numRuns: 25 },
  )
})

test('a transaction that is open over the cut-off falls into the next day, and what was committed before falls into this one', async ({
  world: { ctx },
  days: { write, writeSlowly, moved, toNextDay, today },
}) => {
  await transactionsEnded(ctx)
  const before = (await moved())[today]
  await write(one(100))
  await transactionsEnded(ctx)
  const end = await writeSlowly(one(7))
  // It has a later position than the open transaction.
  await write(one(3))
  toNextDay()
  expect(await closeBusinessDays(ctx)).toBe(1)
  await end()
  await transactionsEnded(ctx)
  await aggregateLedgerBalances(ctx)
  expect(await moved()).toEqual({ [today]: before + 100, [after(today, 1)]: 10 })
})

test('a day ends at its cut-off in Zimbabwe, and not before', async ({
  world: { ctx },
  days: { rows, today },
}) => {
  const isOf = async (moment: string, cutOff = '20:00') =>
    (await rows('select business_date_at($1, $2::time)::text as date', [moment, cutOff]))[0].date
  expect(await isOf('2026-11-20T17:59:59.999Z')).toBe('2026-11-20')
  expect(await isOf('2026-11-20T18:00:00.000Z')).toBe('2026-11-21')
  expect(await isOf('2026-11-20T21:59:59.999Z', '24:00')).toBe('2026-11-20')
  expect(await isOf('2026-11-20T22:00:00.000Z', '24:00')).toBe('2026-11-21')
  const { date, overdueMs } = await openDay(ctx.db.kysely, '20:00')
  expect(date).toBe(today)
  expect(await closeBusinessDays(ctx)).toBe(0)
  ctx.clock.advance(-overdueMs - 1)
  expect(await closeBusinessDays(ctx)).toBe(0)
  ctx.clock.advance(1)
  expect(await closeBusinessDays(ctx)).toBe(1)
  expect((await openDay(ctx.db.kysely, '20:00')).date).toBe(after(today, 1))
})

test('days that nobody closed are closed together, empty, and reported; of eight workers one closes', async ({
  world,
  days: { rows, write, moved, toNextDay, today },
}) => {
  const { ctx } = world
  await write(one(40))
  for (let n = 0; n < 3; n += 1) toNextDay()
  world.errors.length = 0
  const closed = await Promise.all(Array.from({ length: 8 }, () => closeBusinessDays(ctx)))
  expect(closed.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 3])
  expect(world.errors).toContain('a business day was not closed at its cut-off')
  const found = await moved()
  expect(Object.keys(found)).toEqual([0, 1, 2, 3].map((n) => after(today, n)))
  expect([1, 2, 3].map((n) => found[after(today, n)])).toEqual([0, 0, 0])
  const ends = await rows(
    'select from_position = to_position as empty from ledger_business_days order by business_date',
  )
  expect(ends.map(({ empty }) => empty)).toEqual([false, true, true, null])
  await compareLedger(ctx)
  expect(world.errors).not.toContain('the ledger is out of balance; an operator has to look')
})

test('a worker that dies while it closes has closed nothing', async ({
  world: { ctx },
  days: { rows, write, toNextDay, today },
}) => {
  await write(one(5))
  toNextDay()
  const died = ctx.db.tx(async (tx) => {
    expect(await closeDays(tx, '20:00')).toBe(1)
    throw new Error('died')
  })
  await expect(died).rejects.toThrow('died')
  expect((await openDay(ctx.db.kysely, '20:00')).date).toBe(today)
  expect(await rows('select * from ledger_day_sums_drift')).toEqual([])
  expect(await closeBusinessDays(ctx)).toBe(1)
  expect(await closeBusinessDays(ctx)).toBe(0)
})

test('a changed sum of a day is a discrepancy of the ledger', async ({ world, days: { rows, write } }) => {
  await write(one(5))
  await transactionsEnded(world.ctx)
  await aggregateLedgerBalances(world.ctx)
  await rows("update ledger_day_sums set debit_minor = debit_minor + 1 where code = 'clearing.one'")
  world.ctx.clock.advance(3_600_000)
  world.errors.length = 0
  await compareLedger(world.ctx)
  expect(world.errors).toContain('the ledger is out of balance; an operator has to look')
  await rows('select rebuild_ledger_balances()')
  expect(await rows('select * from ledger_day_sums_drift')).toEqual([])
})

test('the database refuses days that overlap, leave a gap, or change', async ({
  world: { ctx },
  days: { rows, toNextDay, today },
}) => {
  toNextDay()
  await closeBusinessDays(ctx)
  const day = (date: string, from: string, to: string | null) =>
    rows(
      `insert into ledger_business_days select $1, ${from}, ${to}, ${to && 'now()'} from ledger_business_days where to_position is null`,
      [date],
    )
  await expect(day(after(today, 2), 'from_position', null)).rejects.toMatchObject({ code: '23001' })
  await expect(day(after(today, 2), 'from_position', 'from_position + 1')).rejects.toMatchObject({
    code: '23001',
  })
  await expect(day(after(today, -2), '0', '0')).rejects.toMatchObject({ code: '23001' })
  for (const statement of [
    'update ledger_business_days set to_position = from_position + 1 where to_position is not null',
    'update ledger_business_days set to_position = from_position - 1, closed_at = now() where to_position is null',
    'update ledger_business_days set business_date = business_date + 1 where to_position is null',
    'delete from ledger_business_days',
    'truncate ledger_business_days',
  ])
    await expect(rows(statement), statement).rejects.toMatchObject({
      code: expect.stringMatching(/23001|23514/),
    })
})

test('a day is listed with what it moved, apart from test payments, and is closed when every database has closed it', async ({
  world: { ctx },
  days: { write, toNextDay, today },
}) => {
  const other = await makeWorld()
  try {
    await beginDays(other.ctx, today)
    const before = (await listBusinessDays([ctx], 1))[0]?.parts.get('USD')
    await write(one(1000), one(40, 2), one(300, 3), one(9, 4))
    await transactionsEnded(ctx)
    toNextDay()
    await closeBusinessDays(ctx)
    const [open, closed] = await listBusinessDays([ctx, other.ctx], 5)
    expect(open).toMatchObject({ date: after(today, 1), closedAt: null })
    expect(closed).toMatchObject({ date: today, closedAt: null })
    const parts = closed?.parts.get('USD')
    expect(parts && before && parts.captured - before.captured).toBe(1000n)
    expect(parts && before && parts.fees - before.fees).toBe(-40n)
    expect(parts && before && parts.refunds - before.refunds).toBe(-300n)
    other.ctx.clock.advance(ctx.clock.now().getTime() - other.ctx.clock.now().getTime())
    await closeBusinessDays(other.ctx)
    expect((await listBusinessDays([ctx, other.ctx], 5))[1]?.closedAt).toEqual(ctx.clock.now())
  } finally {
    await other.ctx.close()
  }
})

test(
  'a transfer that an earlier version wrote is in the sums of the application of its payment',
  skipOnCitus('it writes past the views of a group'),
  async ({ world: { ctx }, shops, days: { rows } }) => {
    const { accountId, applicationId } = shops[0] as Shop
    await rows(
      `with made as (
         insert into payments (account_id, id, application_id, amount_minor, currency, description, created_at, updated_at, expires_at)
         values ($1, $2, $3, 100, 'USD', 'Order', id_time($2), now(), now()) returning 1
       ), opened as (
         insert into ledger_accounts values ($1, 'clearing.old', 'USD'), ($1, 'merchant.payable', 'USD') on conflict do nothing)
       select from made`,
      [uuidOf(accountId), uuidOf(ctx.ids.next(PaymentId)), uuidOf(applicationId)],
    )
    await rows(
      `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
       select account_id, 'capture', 'clearing.old', 'merchant.payable', currency, 100, id, id, now() from payments
       where account_id = $1`,
      [uuidOf(accountId)],
    )
    await transactionsEnded(ctx)
    await aggregateLedgerBalances(ctx)
    const [sum] = await rows(
      "select application_id, debit_minor::int as minor from ledger_day_sums where code = 'clearing.old'",
    )
    expect(sum).toEqual({ application_id: uuidOf(applicationId), minor: 100 })
  },
)
