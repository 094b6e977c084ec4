import { PaymentId } from '@muripo/contract/ids'
import { type Currency, money } from '@muripo/contract/money'
import fc from 'fast-check'
import { expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { transactionsEnded } from '../../../test/transactions-ended.ts'
import { makeShop, type Shop } from '../../../test/world.ts'
import { createDatabase } from '../../platform/db/database.ts'
import { simulateTime } from '../../platform/db/simulated-time.ts'
import { uuidOf } from '../../platform/ids.ts'
import {
  aggregateLedgerBalances,
  balancesOf,
  clearing,
  compareLedger,
  postTransfers,
  trialBalance,
} from './index.ts'
import { addTransfers } from './store-balances.ts'
import type { AccountCode, TransferKind } from './transfer.ts'

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

const aPosting = fc.record({
  shop: fc.nat({ max: 2 }),
  way: fc.nat({ max: ways.length - 1 }),
  minor: fc.integer({ min: 1, max: 99_999_999_999 }),
  currency: fc.constantFrom<Currency>('USD', 'ZWG'),
})

const test = base
  .extend('shops', { scope: 'file' }, async ({ world }) => [
    await makeShop(world.ctx),
    await makeShop(world.ctx),
    await makeShop(world.ctx),
  ])
  .extend('scene', ({ world, shops }) => {
    const rows = async (text: string, values: unknown[] = []) =>
      (await world.ctx.db.pool.query(text, values)).rows
    /** The stored balances that are wrong, and those that a reader would get wrong. */
    const drift = async () => [
      ...(await rows('select * from ledger_balances_drift')),
      ...(await rows(`
    select account_id, code, currency, debit_minor, credit_minor from ledger_balances
    except
    select account_id, side.code, currency, sum(debit)::bigint, sum(credit)::bigint from ledger_transfers
    cross join lateral (values (debit_code, amount_minor, 0), (credit_code, 0, amount_minor)) as side (code, debit, credit)
    group by 1, 2, 3`)),
    ]
    const count = async () =>
      Number((await rows('select count(*) as transfers from ledger_new_transfers'))[0].transfers)
    const rebuild = () => rows('select rebuild_ledger_balances()')
    function transferOf({ way, minor, currency }: Posting) {
      const [kind, debit, credit] = ways[way % ways.length] ?? (ways[0] as (typeof ways)[0])
      const paymentId = world.ctx.ids.next(PaymentId)
      return {
        kind,
        debit,
        credit,
        amount: money(BigInt(minor), currency),
        paymentId,
        causeId: uuidOf(paymentId),
      }
    }
    const write = (postings: readonly Posting[], db = world.ctx.db) =>
      db.tx(async (tx) => {
        const owner = shops[postings[0]?.shop ?? 0]
        if (!owner) throw new Error('there is no such shop')
        await postTransfers(world.ctx, tx, owner, ...postings.map(transferOf))
      })
    return { rows, drift, count, rebuild, transferOf, write }
  })

test('balances equal the sums of the transfers, in any state of the aggregation', async ({
  world,
  scene: { rebuild, write, drift },
}) => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.array(aPosting, { minLength: 1, maxLength: 4 }) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 1, arbitrary: fc.constant('rebuild' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20, size: 'max' }), async (steps) => {
      for (const next of steps) {
        if (next === 'rebuild') await rebuild()
        else if (typeof next === 'number') await addTransfers(world.ctx.db.kysely, next)
        else await write(next)
        expect(await drift()).toEqual([])
      }
    }),
    { numRuns: 40 },
  )
  expect((await trialBalance([world.ctx], { merchantId: null, tests: false })).discrepancies).toEqual([])
})

test('64 concurrent writers during the aggregation never make a read inconsistent', async ({
  world,
  shops,
  scene: { drift, transferOf, count },
}) => {
  const db = simulateTime(createDatabase(world.ctx.databaseUrl, { maxConnections: 64 }), world.ctx.clock)
  const { accountId } = shops[0] as Shop
  let isOver = false
  let reads = 0
  const until = async (work: () => Promise<unknown>) => {
    while (!isOver) await work()
  }
  /** Twenty transactions, of which each fifth is rolled back. */
  async function writeTwenty(writer: number): Promise<void> {
    for (let nth = 0; nth < 20; nth += 1) {
      const minor = 1 + ((writer * 31 + nth) % 997)
      const posted = [writer + nth, nth].map((way) => transferOf({ shop: 0, way, minor, currency: 'USD' }))
      const isUndone = nth % 5 === 4
      const written = db.tx(async (tx) => {
        await postTransfers(world.ctx, tx, shops[0] as Shop, ...posted)
        if (isUndone) throw new Error('undone')
      })
      await (isUndone ? expect(written).rejects.toThrow('undone') : written)
    }
  }
  try {
    const aggregators = [
      until(() => aggregateLedgerBalances(world.ctx)),
      until(() => addTransfers(world.ctx.db.kysely, 3)),
    ]
    const reader = until(async () => {
      // One statement reads one snapshot: the balances and the sums of the transfers.
      expect(await drift()).toEqual([])
      const sums = await balancesOf(world.ctx.db.kysely, accountId)
      expect(
        sums.reduce((sum, { currency, balanceMinor }) => (currency === 'USD' ? sum + balanceMinor : sum), 0n),
      ).toBe(0n)
      reads += 1
    })
    await Promise.all(Array.from({ length: 64 }, (_, writer) => writeTwenty(writer)))
    isOver = true
    await Promise.all([...aggregators, reader])
  } finally {
    isOver = true
    await db.close()
  }
  expect(reads).toBeGreaterThan(3)
  await transactionsEnded(world.ctx)
  await aggregateLedgerBalances(world.ctx)
  expect([await count(), await drift()]).toEqual([0, []])
})

test('an aggregator that dies has aggregated nothing', async ({ world, shops, scene: { write, count } }) => {
  await write([{ shop: 1, way: 0, minor: 7, currency: 'USD' }])
  const before = await balancesOf(world.ctx.db.kysely, shops[1]?.accountId as Shop['accountId'])
  await transactionsEnded(world.ctx)
  const died = world.ctx.db.tx(async (tx) => {
    expect(await addTransfers(tx, 5000)).toBeGreaterThan(0)
    throw new Error('died')
  })
  await expect(died).rejects.toThrow('died')
  expect(await count()).toBeGreaterThan(0)
  expect(await balancesOf(world.ctx.db.kysely, shops[1]?.accountId as Shop['accountId'])).toEqual(before)
})

test('a balance that is not the sum of its transfers is logged as an error, and never corrected automatically', async ({
  world,
  shops,
  scene: { write, rows, rebuild, drift },
}) => {
  await write([{ shop: 2, way: 0, minor: 100, currency: 'ZWG' }])
  await transactionsEnded(world.ctx)
  await aggregateLedgerBalances(world.ctx)
  world.errors.length = 0
  await compareLedger(world.ctx)
  expect(world.errors).toEqual([])
  const spoil = (by: number) =>
    rows(
      `update ledger_account_balances set debit_minor = debit_minor + $2 where account_id = $1 and code = 'clearing.one' and currency = 'ZWG'`,
      [uuidOf(shops[2]?.accountId as Shop['accountId']), by],
    )
  await spoil(1)
  await compareLedger(world.ctx)
  expect(world.errors, 'no environment is compared twice within an hour').toEqual([])
  world.ctx.clock.advance(3_600_000)
  await Promise.all([compareLedger(world.ctx), compareLedger(world.ctx), compareLedger(world.ctx)])
  expect(world.errors).toEqual(Array(2).fill('the ledger is out of balance; an operator has to look'))
  const { discrepancies } = await trialBalance([world.ctx], {
    merchantId: shops[2]?.merchantId ?? null,
    tests: false,
  })
  expect(discrepancies).toEqual([
    'Debits and credits in ZWG are not equal.',
    expect.stringContaining('clearing.one of'),
  ])
  expect(
    (await trialBalance([world.ctx], { merchantId: shops[1]?.merchantId ?? null, tests: false }))
      .discrepancies,
  ).toEqual([])
  await rebuild()
  expect(await drift()).toEqual([])
})

test('the trial balance over several databases is the sum of each', async ({ world, scene: { write } }) => {
  await write([{ shop: 0, way: 0, minor: 100, currency: 'USD' }])
  const scope = { merchantId: null, tests: false }
  const one = await trialBalance([world.ctx], scope)
  expect(one.accounts.length).toBeGreaterThan(0)
  const two = await trialBalance([world.ctx, world.ctx], scope)
  expect(two.accounts).toEqual(
    one.accounts.map((account) => ({
      ...account,
      debitMinor: account.debitMinor * 2n,
      creditMinor: account.creditMinor * 2n,
    })),
  )
  expect(two.discrepancies).toEqual(one.discrepancies)
})
