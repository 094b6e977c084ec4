import { PaymentId } from '@muripo/contract/ids'
import { DashboardPaymentQuery } from '@muripo/contract/payments'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeManyPayments } from '../../../../test/many-payments.ts'
import { makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { COUNT_LIMIT, selectionOf } from './selection.ts'
import { countForDashboard } from './store-count.ts'
import { listForDashboard } from './store-list.ts'
import { matchingIds } from './store-matching.ts'

/** A larger number shows the plans of a large merchant. */
const PAYMENTS = Number(process.env.MURIPO_PAYMENTS ?? 16_000)

/** More than a count reads. The newest payments have another purpose. */
const BASKETS = COUNT_LIMIT + 500

let world: World
let shop: Shop
let ids: PaymentId[]

beforeAll(async () => {
  world = await makeWorld()
  shop = await makeShop(world.ctx)
  await makeManyPayments(world.ctx, shop, PAYMENTS)
  await world.ctx.background.pool.query(
    `update payments set description = case when amount_minor > $2 then 'Crate' else description end,
       reference = case when amount_minor > $2 then null else 'basket/' || lpad(amount_minor::text, 6, '0') end
     where account_id = $1`,
    [uuidOf(shop.accountId), BASKETS],
  )
  const { rows } = await world.ctx.db.pool.query<{ id: string }>(
    'select id from payments where account_id = $1 order by id desc',
    [uuidOf(shop.accountId)],
  )
  ids = rows.map(({ id }) => idFrom(PaymentId, id))
}, 300_000)
afterAll(() => world.ctx.close())

const filterOf = (query: object) => ({
  accountId: shop.accountId,
  query: DashboardPaymentQuery.parse(query),
  timeZone: 'UTC',
})
const listed = async (query: object) =>
  (await listForDashboard(world.ctx.reads.kysely, filterOf(query))).map(({ payment }) => payment.id)
const counted = (query: object) => countForDashboard(world.ctx.reads.kysely, filterOf(query))

async function planOf(query: object): Promise<string> {
  const selection = selectionOf(filterOf(query))
  if (selection === null) throw new Error('the filter keeps nothing')
  const found = await matchingIds(world.ctx.reads.kysely, selection, 100)
  const { rows } = await sql<Record<'QUERY PLAN', string>>`explain ${found}`.execute(world.ctx.reads.kysely)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const oldest = (): string => ids.at(-1) ?? ''

describe('[PAY-06] an id far behind the newest is found by', () => {
  test.each([
    ['the whole', 0],
    ['the whole without its prefix', 4],
    ['its last 25 letters', 5],
    ['its last 13 letters', 17],
    ['its last 12 letters', 18],
    ['its last 8 letters', 22],
    ['its last 6 letters, which no index has', 24],
  ])('%s', async (_part, from) => {
    const search = oldest().slice(from).toUpperCase()
    const expected = ids.filter((id) => id.includes(search.toLowerCase()))
    expect(await listed({ search })).toEqual(expected)
    expect(await counted({ search })).toEqual({
      total: PAYMENTS,
      matched: expected.length,
      hasMoreMatches: false,
    })
  })

  test.each([
    ['its beginning', 0, 16],
    ['its beginning without the prefix', 4, 14],
    ['nine letters in between', 15, 24],
  ])('%s', async (_part, from, to) => {
    const search = oldest().slice(from, to)
    expect(await listed({ search })).toEqual(ids.filter((id) => id.includes(search)))
  })
})

test('a fragment that only ends like an id matches nothing', async () => {
  const ending = oldest().slice(-14)
  const search = `${ending.startsWith('7') ? '8' : '7'}${ending.slice(1)}`
  expect(await listed({ search })).toEqual([])
})

test('the last letters of an id are a range of payments_by_ending', async () => {
  expect(await planOf({ search: oldest().slice(-8) })).toContain('payments_by_ending')
})

test.each([
  ['a whole id', 0, 30],
  ['the beginning of an id', 0, 16],
])('%s is a range of the primary key', async (_part, from, to) => {
  expect(await planOf({ search: oldest().slice(from, to) })).toMatch(/payments_pkey[\s\S]*Index Cond.*id >=/)
})

describe('a purpose of more payments than a count reads is found', () => {
  const basketsUpTo = (amount: number) => ids.slice(-amount)

  test('among older payments when the newest have another', async () => {
    expect(await listed({ search: 'basket', limit: 50 })).toEqual(basketsUpTo(BASKETS).slice(0, 51))
    expect(await counted({ search: 'basket' })).toEqual({
      total: PAYMENTS,
      matched: COUNT_LIMIT,
      hasMoreMatches: true,
    })
  })

  test('by its reference, whose order is that of time', async () => {
    expect(await listed({ search: 'basket/', limit: 50 })).toEqual(basketsUpTo(BASKETS).slice(0, 51))
  })

  test('among the newest of a later page', async () => {
    const cursor = ids.at(-1 - BASKETS)
    expect(await listed({ search: 'basket', limit: 50, cursor })).toEqual(basketsUpTo(BASKETS).slice(0, 51))
  })

  test('with another filter, and counted at least', async () => {
    const filter = { search: 'basket', limit: 50, maxAmount: 90 }
    expect(await listed(filter)).toEqual(basketsUpTo(9000).slice(0, 51))
    const { matched, hasMoreMatches } = await counted(filter)
    expect(matched).toBeLessThanOrEqual(9000)
    expect(hasMoreMatches).toBe(true)
  })
})

describe('[PAY-24] the number of matches is', () => {
  test.each([{}, { status: 'pending' }, { method: 'ecocash' }, { from: '2026-11-01' }])(
    'exact where the totals contain it: %j',
    async (query) => {
      expect(await counted(query)).toEqual({ total: PAYMENTS, matched: PAYMENTS, hasMoreMatches: false })
    },
  )

  test('exact up to 10,000 where each payment is read', async () => {
    const maxAmount = COUNT_LIMIT / 100
    expect(await counted({ maxAmount })).toEqual({
      total: PAYMENTS,
      matched: COUNT_LIMIT,
      hasMoreMatches: false,
    })
  })

  test.each([
    { maxAmount: COUNT_LIMIT / 100 + 0.01 },
    { search: '0' },
    { search: 'pay_01' },
    { search: 'BASKET' },
    { status: 'pending', minAmount: 0.01 },
  ])('at least 10,000 beyond: %j', async (query) => {
    expect(await counted(query)).toEqual({ total: PAYMENTS, matched: COUNT_LIMIT, hasMoreMatches: true })
  })
})
