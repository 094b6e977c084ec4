import { expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { capturePayment } from '../../payments/actions/instruct-payment.ts'
import { refundPayment } from '../../payments/actions/request-refund.ts'
import { authorising, makeAuthorised, makePaid, makePayment } from '../../payments/factory.ts'
import { readDashboardStats } from './read-dashboard-stats.ts'

/** The offset of a zone from UTC at the start of a day. No zone of these tests changes its clocks at midnight. */
const offset = (zone: string, day: string): number => {
  const [, sign, hours, minutes] =
    /GMT([+-])(\d+):(\d+)/.exec(
      new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).format(Date.parse(day)),
    ) ?? []
  return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

const test = base
  .extend(
    'moveTo',
    ({ world }) =>
      (at: string) =>
        world.ctx.clock.advance(Date.parse(at) - world.ctx.clock.now().getTime()),
  )
  .extend('scene', ({ world, shop }) => {
    const stats = () => readDashboardStats(world.ctx, shop.accountId)
    const live = (timeZone: string) =>
      world.ctx.db.pool.query('update merchants set time_zone = $2 where id = $1', [
        uuidOf(shop.accountId),
        timeZone,
      ])
    const pay = (amount: number, currency = 'USD') =>
      makePaid(world.ctx, shop.owner, world.provider, { amount, currency })
    return { stats, live, pay }
  })

test.beforeEach(({ moveTo }) => {
  moveTo('2026-11-01T09:30:00.000Z')
})

test('a merchant without payments has zeros', async ({ scene }) => {
  const { revenueByDay, ...figures } = await scene.stats()
  expect(revenueByDay).toHaveLength(30)
  expect(new Set(revenueByDay.map(({ revenue }) => revenue))).toEqual(new Set([0]))
  expect(figures).toEqual({
    reportingCurrency: 'USD',
    totalRevenueToday: 0,
    revenueLast7Days: 0,
    totalCompleted: 0,
    totalApplications: 1,
    comparison: {
      revenueYesterdayByNow: 0,
      revenuePrevious7Days: 0,
      completedLast7Days: 0,
      completedPrevious7Days: 0,
      applicationsLast7Days: 1,
      applicationsPrevious7Days: 0,
    },
    topPaymentMethods: [],
    recentPayments: [],
    byCurrency: {},
  })
})

test("today and the last seven days begin at the merchant's midnight", async ({ moveTo, scene }) => {
  const atMidnight = [
    ['2026-11-12T21:59:59.999Z', 1],
    ['2026-11-12T22:00:00.000Z', 10],
    ['2026-11-18T21:59:59.999Z', 100],
    ['2026-11-18T22:00:00.000Z', 1000],
  ] as const
  for (const [at, amount] of atMidnight) {
    moveTo(at)
    await scene.pay(amount)
  }
  moveTo('2026-11-19T21:59:59.999Z')
  expect(await scene.stats()).toMatchObject({ totalRevenueToday: 1000, revenueLast7Days: 1110 })
  moveTo('2026-11-19T22:00:00.000Z')
  expect(await scene.stats()).toMatchObject({ totalRevenueToday: 0, revenueLast7Days: 1100 })
  await scene.live('Pacific/Auckland')
  expect(await scene.stats()).toMatchObject({ totalRevenueToday: 0, revenueLast7Days: 1100 })
  moveTo('2026-11-18T22:00:00.000Z')
  expect(await scene.stats()).toMatchObject({ totalRevenueToday: 1100, revenueLast7Days: 1111 })
})

test('the figures compare with the day and the week before, and with nothing older', async ({
  world,
  shop,
  moveTo,
  scene,
}) => {
  const atMidnight = [
    ['2026-11-05T21:59:59.999Z', 1],
    ['2026-11-05T22:00:00.000Z', 10],
    ['2026-11-12T21:59:59.999Z', 100],
    ['2026-11-12T22:00:00.000Z', 1000],
    ['2026-11-17T22:00:00.000Z', 10_000],
    ['2026-11-18T21:59:59.999Z', 100_000],
    ['2026-11-18T22:00:00.000Z', 1_000_000],
  ] as const
  for (const [at, amount] of atMidnight) {
    moveTo(at)
    await scene.pay(amount)
    await makeShop(world.ctx, shop.merchantId)
  }
  await scene.pay(7, 'ZWG')
  const back = await scene.pay(5)
  await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, back.id, {
    amount: 5,
    currency: 'USD',
  })
  expect((await scene.stats()).comparison).toEqual({
    revenueYesterdayByNow: 0,
    revenuePrevious7Days: 110,
    completedLast7Days: 5,
    completedPrevious7Days: 2,
    applicationsLast7Days: 4,
    applicationsPrevious7Days: 2,
  })
})

test.for([
  ['Africa/Harare', '2026-11-19T22:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-19T18:15:00.000Z'],
  // Clocks went forward the day before.
  ['Pacific/Auckland', '2026-09-27T11:00:00.000Z'],
] as const)(
  'in %s today is compared with yesterday until the same quarter of an hour',
  async ([zone, midnight], { moveTo, scene }) => {
    await scene.live(zone)
    const hours = (count: number) => new Date(Date.parse(midnight) + count * 3_600_000).toISOString()
    const hoursOfYesterday = zone === 'Pacific/Auckland' ? 23 : 24
    for (const [at, amount] of [
      [hours(-hoursOfYesterday - 0.01), 1],
      [hours(-hoursOfYesterday), 10],
      [hours(-hoursOfYesterday + 12.24), 100],
      [hours(-hoursOfYesterday + 12.26), 1000],
      [hours(12.1), 10_000],
    ] as const) {
      moveTo(at)
      await scene.pay(amount)
    }
    expect(await scene.stats()).toMatchObject({
      totalRevenueToday: 10_000,
      comparison: { revenueYesterdayByNow: 110 },
    })
  },
)

test.for([
  ['Africa/Harare', '2026-11-20T22:00:00.000Z', '2026-11-21', '2026-10-23'],
  // Zones with an offset of half an hour and of three quarters.
  ['Asia/Kolkata', '2026-11-20T18:30:00.000Z', '2026-11-21', '2026-10-23'],
  ['Asia/Kathmandu', '2026-11-20T18:15:00.000Z', '2026-11-21', '2026-10-23'],
  // Clocks went forward on 27 September, and back on 1 November: a day of 23 hours and one of 25.
  ['Pacific/Auckland', '2026-10-04T11:00:00.000Z', '2026-10-05', '2026-09-06'],
  ['America/New_York', '2026-11-20T05:00:00.000Z', '2026-11-20', '2026-10-22'],
] as const)(
  'in %s the last thirty days are whole days of the local time',
  async ([zone, midnight, today, first], { moveTo, scene }) => {
    await scene.live(zone)
    const oldest = new Date(Date.parse(first) - offset(zone, first)).toISOString()
    const before = (at: string) => new Date(Date.parse(at) - 1).toISOString()
    for (const [at, amount] of [
      [before(oldest), 1],
      [oldest, 10],
      [before(midnight), 100],
      [midnight, 1000],
    ] as const) {
      moveTo(at)
      await scene.pay(amount)
    }
    const { revenueByDay, totalRevenueToday } = await scene.stats()
    const days = Array.from({ length: 30 }, (_, ago) =>
      new Date(Date.parse(today) - ago * 86_400_000).toISOString().slice(0, 10),
    ).reverse()
    expect(days[0]).toBe(first)
    expect(revenueByDay.map(({ day }) => day)).toEqual(days)
    expect(revenueByDay.map(({ revenue }) => revenue)).toEqual([10, ...Array(27).fill(0), 100, 1000])
    expect(totalRevenueToday).toBe(1000)
  },
)

test('a refund takes its money from the day on which the payment was completed', async ({
  world,
  shop,
  moveTo,
  scene,
}) => {
  moveTo('2026-11-10T09:00:00.000Z')
  const back = await scene.pay(5)
  await scene.pay(2)
  moveTo('2026-11-20T09:30:00.000Z')
  await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, back.id, {
    amount: 5,
    currency: 'USD',
  })
  const { revenueByDay, comparison } = await scene.stats()
  expect(revenueByDay.filter(({ revenue }) => revenue !== 0)).toEqual([{ day: '2026-11-10', revenue: 2 }])
  expect(comparison).toMatchObject({ revenuePrevious7Days: 2, completedPrevious7Days: 1 })
})

test('refunded amounts do not count, and other currencies are separate', async ({ world, shop, scene }) => {
  await scene.pay(0.1)
  await scene.pay(0.2)
  const back = await scene.pay(5)
  await scene.pay(7, 'ZWG')
  await makePayment(world.ctx, shop.owner, { amount: 1000, method: 'visa' })
  await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, back.id, {
    amount: 5,
    currency: 'USD',
  })
  expect(await scene.stats()).toMatchObject({
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
    uuidOf(shop.accountId),
  ])
  expect(await scene.stats()).toMatchObject({
    totalRevenueToday: 7,
    byCurrency: { USD: { totalRevenueToday: 0.3, revenueLast7Days: 0.3 } },
  })
})

test('the four newest payments are shown, and nothing of another merchant', async ({ world, scene }) => {
  const other = await makeShop(world.ctx)
  const made: string[] = []
  for (let count = 0; count < 5; count += 1) made.unshift((await scene.pay(1)).id)
  await makePaid(world.ctx, other.owner, world.provider)
  const { recentPayments, totalCompleted } = await scene.stats()
  expect(recentPayments.map(({ paymentId }) => paymentId)).toEqual(made.slice(0, 4))
  expect(recentPayments[0]).toMatchObject({ status: 'COMPLETED', amount: 1, applicationName: 'Shop' })
  expect(totalCompleted).toBe(5)
})

test('the newest payments contain their refunded amounts', async ({ world, shop, scene }) => {
  const part = await scene.pay(20)
  await scene.pay(3)
  await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, part.id, {
    amount: 7.5,
    currency: 'USD',
  })
  expect((await scene.stats()).recentPayments).toMatchObject([
    { status: 'COMPLETED', amount: 3, amountRefunded: 0 },
    { status: 'COMPLETED', amount: 20, amountRefunded: 7.5 },
  ])
})

test('the newest payments contain their captured amounts, which a payment has once it is completed', async ({
  world,
  shop,
  scene,
}) => {
  await scene.pay(3)
  const { charge, lookup } = world.provider
  authorising(world.provider)
  const part = await makeAuthorised(world.ctx, shop.owner, { amount: 20 })
  await makeAuthorised(world.ctx, shop.owner, { amount: 5 })
  await capturePayment(world.ctx, shop.owner, part.id, { amount: 7.5 })
  Object.assign(world.provider, { charge, lookup })
  expect((await scene.stats()).recentPayments).toMatchObject([
    { status: 'AUTHORIZED', amount: 5, amountCaptured: null },
    { status: 'COMPLETED', amount: 20, amountCaptured: 7.5 },
    { status: 'COMPLETED', amount: 3, amountCaptured: 3 },
  ])
})
