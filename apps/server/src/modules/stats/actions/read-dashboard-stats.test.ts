import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { refundPayment } from '../../payments/actions/refund-payment.ts'
import { makePaid, makePayment } from '../../payments/factory.ts'
import { readDashboardStats } from './read-dashboard-stats.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  shop = await makeShop(world.ctx)
})

const moveTo = (at: string) => world.ctx.clock.advance(Date.parse(at) - world.ctx.clock.now().getTime())
const stats = () => readDashboardStats(world.ctx, shop.merchantId)
const pay = (amount: number, currency = 'USD') =>
  makePaid(world.ctx, shop.owner, world.provider, { amount, currency })

test('a merchant without payments has noughts', async () => {
  expect(await stats()).toEqual({
    totalRevenueToday: 0,
    revenueLast7Days: 0,
    totalCompleted: 0,
    totalApplications: 1,
    topPaymentMethods: [],
    recentPayments: [],
    byCurrency: {},
  })
})

test("today and the last seven days begin at the merchant's midnight", async () => {
  const atMidnight = [
    ['2026-11-12T21:59:59.999Z', 1],
    ['2026-11-12T22:00:00.000Z', 10],
    ['2026-11-18T21:59:59.999Z', 100],
    ['2026-11-18T22:00:00.000Z', 1000],
  ] as const
  for (const [at, amount] of atMidnight) {
    moveTo(at)
    await pay(amount)
  }
  moveTo('2026-11-19T21:59:59.999Z')
  expect(await stats()).toMatchObject({ totalRevenueToday: 1000, revenueLast7Days: 1110 })
  moveTo('2026-11-19T22:00:00.000Z')
  expect(await stats()).toMatchObject({ totalRevenueToday: 0, revenueLast7Days: 1100 })
  await world.ctx.db.pool.query("update merchants set time_zone = 'Pacific/Auckland' where id = $1", [
    uuidOf(shop.merchantId),
  ])
  expect(await stats()).toMatchObject({ totalRevenueToday: 0, revenueLast7Days: 1100 })
  moveTo('2026-11-18T22:00:00.000Z')
  expect(await stats()).toMatchObject({ totalRevenueToday: 1100, revenueLast7Days: 1111 })
})

test('what was given back counts no more, and other currencies stand apart', async () => {
  await pay(0.1)
  await pay(0.2)
  const back = await pay(5)
  await pay(7, 'ZWG')
  await makePayment(world.ctx, shop.owner, { amount: 1000, method: 'visa' })
  await refundPayment(world.ctx, shop.merchantId, back.id, { amount: 5, currency: 'USD' })
  expect(await stats()).toMatchObject({
    totalRevenueToday: 0.3,
    revenueLast7Days: 0.3,
    totalCompleted: 3,
    topPaymentMethods: [
      { method: 'ecocash', count: 4 },
      { method: 'visa', count: 1 },
    ],
    byCurrency: { ZWG: { totalRevenueToday: 7, revenueLast7Days: 7 } },
  })
  await world.ctx.db.pool.query("update merchants set reporting_currency = 'ZWG' where id = $1", [
    uuidOf(shop.merchantId),
  ])
  expect(await stats()).toMatchObject({
    totalRevenueToday: 7,
    byCurrency: { USD: { totalRevenueToday: 0.3, revenueLast7Days: 0.3 } },
  })
})

test('the four newest payments are shown, and nothing of another merchant', async () => {
  const other = await makeShop(world.ctx)
  const made: string[] = []
  for (let count = 0; count < 5; count += 1) made.unshift((await pay(1)).id)
  await makePaid(world.ctx, other.owner, world.provider)
  const { recentPayments, totalCompleted } = await stats()
  expect(recentPayments.map(({ paymentId }) => paymentId)).toEqual(made.slice(0, 4))
  expect(recentPayments[0]).toMatchObject({ status: 'COMPLETED', amount: 1, applicationName: 'Shop' })
  expect(totalCompleted).toBe(5)
})
