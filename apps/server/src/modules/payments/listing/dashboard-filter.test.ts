import { DashboardPaymentQuery } from '@muripo/contract/dashboard-payments'
import { ApplicationId } from '@muripo/contract/ids'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makePayment } from '../factory.ts'
import { dashboardFilter } from './dashboard-filter.ts'
import { countForDashboard } from './store-count.ts'
import { listForDashboard } from './store-list.ts'

let world: World
let shop: Shop
let twin: Shop
let other: Shop

beforeAll(async () => {
  world = await makeWorld()
  shop = await makeShop(world.ctx)
  twin = await makeShop(world.ctx, shop.merchantId)
  other = await makeShop(world.ctx, shop.merchantId)
  await rename(other, 'Another name')
  for (const { owner } of [shop, twin, twin, other]) await makePayment(world.ctx, owner)
  // Another merchant's application with the same name does not count.
  await makePayment(world.ctx, (await makeShop(world.ctx)).owner)
})
afterAll(() => world.ctx.close())

const rename = ({ applicationId }: Shop, name: string) =>
  world.ctx.db.pool.query('update applications set name = $2 where id = $1', [uuidOf(applicationId), name])

async function listed(applicationId: ApplicationId): Promise<string[]> {
  const { kysely } = world.ctx.db
  const filter = await dashboardFilter(kysely, shop.accountId, DashboardPaymentQuery.parse({ applicationId }))
  const found = await listForDashboard(kysely, filter)
  expect(await countForDashboard(kysely, filter)).toEqual({
    total: 4,
    matched: found.length,
    hasMoreMatches: false,
  })
  return found.map(({ payment }) => payment.applicationId)
}

test('[PAY-22] [R-34] an application is selected by its name, whichever one of that name was chosen', async () => {
  const both = [twin.applicationId, twin.applicationId, shop.applicationId]
  expect(await listed(shop.applicationId)).toEqual(both)
  expect(await listed(twin.applicationId)).toEqual(both)
  expect(await listed(other.applicationId)).toEqual([other.applicationId])
})

test('[PAY-22] an application of another merchant matches nothing', async () => {
  expect(await listed(world.ctx.ids.next(ApplicationId))).toEqual([])
  const strange = await makeShop(world.ctx)
  expect(await listed(strange.applicationId)).toEqual([])
})
