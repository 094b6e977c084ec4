import type { DashboardStats } from '@muripo/contract/stats'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised, openDisguised } from '../../../test/pseudo-dashboard.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import Overview from './overview.tsx'

const days = Array.from({ length: 30 }, (_, index) => new Date(Date.UTC(2026, 9, 25 + index)))

const empty = {
  reportingCurrency: 'USD',
  totalRevenueToday: 0,
  revenueLast7Days: 0,
  totalCompleted: 0,
  totalApplications: 0,
  comparison: {
    revenueYesterdayByNow: 0,
    revenuePrevious7Days: 0,
    completedLast7Days: 0,
    completedPrevious7Days: 0,
    applicationsLast7Days: 0,
    applicationsPrevious7Days: 0,
  },
  revenueByDay: days.map((day) => ({ day: day.toISOString().slice(0, 10), revenue: 0 })),
  topPaymentMethods: [],
  recentPayments: [],
  byCurrency: {},
} satisfies DashboardStats

const busy = {
  ...empty,
  totalRevenueToday: 1250.5,
  revenueLast7Days: 3000,
  totalCompleted: 1081,
  totalApplications: 2,
  comparison: {
    revenueYesterdayByNow: 2500,
    revenuePrevious7Days: 2000,
    completedLast7Days: 81,
    completedPrevious7Days: 84,
    applicationsLast7Days: 1,
    applicationsPrevious7Days: 0,
  },
  revenueByDay: empty.revenueByDay.map(({ day }, index) => ({ day, revenue: index * 10 })),
  topPaymentMethods: [
    { method: 'ecocash', count: 6 },
    { method: 'CARD', count: 1 },
  ],
  recentPayments: (['COMPLETED', 'PENDING', 'FAILED', 'REFUNDED'] as const).map((status, index) => ({
    paymentId:
      `pay_${String(index).padStart(26, '0')}` as DashboardStats['recentPayments'][number]['paymentId'],
    createdAt: '2026-11-20T09:30:00.000Z',
    method: index === 0 ? 'ecocash' : null,
    applicationName: 'Chiedza Crafts',
    amount: 25,
    currency: 'USD' as const,
    status,
    amountCaptured: index === 0 ? 20 : null,
    amountRefunded: index === 0 ? 15 : 0,
  })),
  byCurrency: { ZWG: { totalRevenueToday: 700, revenueLast7Days: 700 } },
} satisfies DashboardStats

const values = [
  'Chiedza Crafts',
  'EcoCash',
  'USD25.00',
  ', ',
  ...Array.from({ length: 30 }, (_, index) => `$${index * 10}.00`),
  '$4,350.00',
  '$1,250.50',
  '$3,000.00',
  '$0.00',
  '1,081',
  '86%',
  '14%',
  '29%',
  '21%',
  '18%',
  '33%',
  '0',
  '2',
]

/** The next step of its merchant is a payment. */
const active = { _id: 'app_1', status: 'active', bankName: null }

test.each([
  ['a merchant without payments', empty],
  ['a merchant with payments', busy],
])('every text of the overview is translated and fits: %s', async (_name, data) => {
  stubFetch({
    'GET /v1/stats/dashboard': { body: { data: { ...data, totalApplications: 2 } } },
    'GET /v1/account': { body: { gatewayMode: 'test', status: 'new' } },
    'GET /v1/applications/all': { body: { applications: [active] } },
    'GET /v1/payments/options': {
      body: { applications: [], currencies: [{ currency: 'USD', methods: ['ecocash'] }] },
    },
  })
  await openDisguised(<Overview />)
  if (data === empty) {
    await expect.poll(() => document.querySelector('ol')?.textContent).toContain('USD\u00a01.00')
    return checkDisguised(values)
  }
  await expect.element(page.getByRole('slider')).toBeInTheDocument()
  await checkDisguised(values)
  const day = page.getByRole('slider').element().getAttribute('aria-valuetext')
  expect(day).toMatch(/^⟦.*⟧: \$[\d.]+$/)
})

test('the error of the overview is translated and fits', async () => {
  stubFetch({ 'GET /v1/stats/dashboard': { status: 500, body: {} } })
  await openDisguised(<Overview />)
  await expect.element(page.getByRole('alert')).toBeVisible()
  await checkDisguised()
})
