import type { PaymentId } from '@muripo/contract/ids'
import { DashboardPaymentQuery, PublicPaymentQuery } from '@muripo/contract/payments'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop } from '../../../../test/world.ts'
import { makePaid, makePayment } from '../factory.ts'
import { countForDashboard } from './store-count.ts'
import { listForApplication, listForDashboard } from './store-list.ts'

/** `shops` are two applications of one merchant; `named` are the ids of their payments. */
const test = base
  .extend('shops', { scope: 'file' }, async ({ world }) => {
    const shop = await makeShop(world.ctx)
    const sister = await makeShop(world.ctx, shop.merchantId)
    const named = new Map<string, PaymentId>()
    const moveTo = (at: string) => world.ctx.clock.advance(Date.parse(at) - world.ctx.clock.now().getTime())
    const other = await makeShop(world.ctx)
    await makePaid(world.ctx, other.owner, world.provider)
    for (const [name, at, input] of [
      ['just before the day', '2026-11-18T21:59:59.999Z', { amount: 0.28 }],
      ['the day begins', '2026-11-18T22:00:00.000Z', { amount: 0.29 }],
      ['the day ends', '2026-11-19T21:59:59.999Z', { amount: 0.3 }],
      ['just after the day', '2026-11-19T22:00:00.000Z', { amount: 12.5, method: 'visa' }],
    ] as const) {
      moveTo(at)
      const { id } = await makePayment(world.ctx, shop.owner, { ...input, reference: name })
      named.set(name, id)
    }
    named.set('paid', (await makePaid(world.ctx, sister.owner, world.provider, { amount: 99 })).id)
    return { shop, sister, named }
  })
  .extend('listed', ({ world, shops: { shop, named } }) => async (query: object): Promise<string[]> => {
    const filter = {
      accountId: shop.accountId,
      query: DashboardPaymentQuery.parse(query),
      timeZone: 'Africa/Harare',
    }
    const found = await listForDashboard(world.ctx.db.kysely, filter)
    expect(await countForDashboard(world.ctx.db.kysely, filter)).toEqual({
      total: 5,
      matched: found.length,
      hasMoreMatches: false,
    })
    const names = new Map([...named].map(([name, id]) => [id, name]))
    return found.map(({ payment }) => names.get(payment.id) ?? payment.id)
  })

describe('the filters of the dashboard match', () => {
  test.for([
    [
      'everything, newest first',
      {},
      ['paid', 'just after the day', 'the day ends', 'the day begins', 'just before the day'],
    ],
    [
      'whole days of the merchant',
      { from: '2026-11-19', to: '2026-11-19' },
      ['the day ends', 'the day begins'],
    ],
    ['what came on a day or after', { from: '2026-11-20' }, ['paid', 'just after the day']],
    ['what came on a day or before', { to: '2026-11-18' }, ['just before the day']],
    ['nothing when the days are the wrong way round', { from: '2026-11-20', to: '2026-11-18' }, []],
    ['the last day there is', { from: '9999-12-31', to: '9999-12-31' }, []],
    ['a status in any case', { status: 'ComPleted' }, ['paid']],
    ['a method in any case', { method: 'VISA' }, ['just after the day']],
    ['amounts from a limit on', { minAmount: '0.29', maxAmount: '0.3' }, ['the day ends', 'the day begins']],
    ['amounts up to a limit', { maxAmount: '0.29' }, ['the day begins', 'just before the day']],
    ['amounts of a limit finer than a cent', { minAmount: '0.2901', maxAmount: '0.3099' }, ['the day ends']],
  ] as const)('%s', async ([_what, query, names], { listed }) => {
    expect(await listed(query)).toEqual(names)
  })

  test('one application', async ({ shops, listed }) => {
    expect(await listed({ applicationId: shops.sister.applicationId })).toEqual(['paid'])
  })

  test('a part of an id in any case, and blanks around it', async ({ shops, listed }) => {
    const id = shops.named.get('paid') ?? ''
    expect(await listed({ search: ` ${id.slice(-8).toUpperCase()} ` })).toEqual(['paid'])
    expect(await listed({ search: id })).toEqual(['paid'])
    expect(await listed({ search: 'PAY_' })).toHaveLength(5)
    expect(await listed({ search: ' ' })).toHaveLength(5)
  })

  test.for(['%', '_a', 'pay%', '\\', '\\%', 'pay\\_', "'", 'pay_%_', '🌍'])(
    'nothing for %j',
    async (search, { listed }) => {
      expect(await listed({ search })).toEqual([])
    },
  )
})

test('pages continue without a gap or a duplicate, for dashboard and shop', async ({ world }) => {
  const crowded = await makeShop(world.ctx)
  const made: string[] = []
  for (let count = 0; count < 23; count += 1) made.unshift((await makePayment(world.ctx, crowded.owner)).id)
  for (const limit of [1, 7, 22, 23, 24]) {
    const pages = { dashboard: [] as string[], shop: [] as string[] }
    for (const [kind, list] of Object.entries({
      dashboard: async (cursor?: string) =>
        (
          await listForDashboard(world.ctx.db.kysely, {
            accountId: crowded.accountId,
            query: DashboardPaymentQuery.parse({ limit, cursor }),
            timeZone: 'UTC',
          })
        ).map(({ payment }) => payment.id),
      shop: async (cursor?: string) =>
        (
          await listForApplication(
            world.ctx.db.kysely,
            crowded.owner,
            PublicPaymentQuery.parse({ limit, cursor }),
          )
        ).map(({ id }) => id),
    })) {
      let cursor: string | undefined
      do {
        const found = await list(cursor)
        pages[kind as keyof typeof pages].push(...found.slice(0, limit))
        cursor = found.length > limit ? found[limit - 1] : undefined
      } while (cursor)
    }
    expect(pages).toEqual({ dashboard: made, shop: made })
  }
})

test('a shop finds its own payments by reference, status and time, and none of another application', async ({
  world,
  shops: { shop },
}) => {
  const find = async (query: object) =>
    (await listForApplication(world.ctx.db.kysely, shop.owner, PublicPaymentQuery.parse(query))).map(
      ({ reference }) => reference,
    )
  expect(await find({})).toHaveLength(4)
  expect(await find({ status: 'completed' })).toEqual([])
  expect(await find({ reference: 'the day ends' })).toEqual(['the day ends'])
  expect(
    await find({ created_after: '2026-11-19T00:00:00+02:00', created_before: '2026-11-20T00:00:00+02:00' }),
  ).toEqual(['the day ends'])
})
