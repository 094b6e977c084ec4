import { DashboardPaymentQuery } from '@muripo/contract/dashboard-payments'
import { ApplicationId } from '@muripo/contract/ids'
import { expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makePayment } from '../factory.ts'
import { dashboardFilter } from './selection.ts'
import { countForDashboard } from './store-count.ts'
import { listForDashboard } from './store-list.ts'

/** `shop` and `twin` are applications of one merchant with one name; `other` has another name. */
const test = base
  .extend('shops', { scope: 'file' }, async ({ world: { ctx } }) => {
    const shop = await makeShop(ctx)
    const twin = await makeShop(ctx, shop.merchantId)
    const other = await makeShop(ctx, shop.merchantId)
    await ctx.db.pool.query("update applications set name = 'Another name' where id = $1", [
      uuidOf(other.applicationId),
    ])
    for (const { owner } of [shop, twin, twin, other]) await makePayment(ctx, owner)
    // Another merchant's application with the same name does not count.
    await makePayment(ctx, (await makeShop(ctx)).owner)
    return { shop, twin, other }
  })
  .extend('listed', ({ world, shops }) => async (applicationId: string): Promise<string[]> => {
    const { kysely } = world.ctx.db
    const query = DashboardPaymentQuery.parse({ applicationId })
    const filter = await dashboardFilter(
      kysely,
      { merchantId: shops.shop.accountId, applications: null },
      query,
    )
    const found = await listForDashboard(kysely, filter)
    expect(await countForDashboard(kysely, filter)).toEqual({
      total: 4,
      matched: found.length,
      hasMoreMatches: false,
    })
    return found.map(({ payment }) => payment.applicationId)
  })

test('[PAY-22] [R-34] a filter by an application selects all applications of the same name', async ({
  shops: { shop, twin, other },
  listed,
}) => {
  const both = [twin.applicationId, twin.applicationId, shop.applicationId]
  expect(await listed(shop.applicationId)).toEqual(both)
  expect(await listed(twin.applicationId)).toEqual(both)
  expect(await listed(other.applicationId)).toEqual([other.applicationId])
  for (const nothing of ['app_llllllllllllllllllllllllll', 'app_01h455vb4pex5vsknk084sn02q', 'x'])
    expect(await listed(nothing)).toEqual([])
})

test('[PAY-22] an application of another merchant matches nothing', async ({ world, listed }) => {
  expect(await listed(world.ctx.ids.next(ApplicationId))).toEqual([])
  const strange = await makeShop(world.ctx)
  expect(await listed(strange.applicationId)).toEqual([])
})
