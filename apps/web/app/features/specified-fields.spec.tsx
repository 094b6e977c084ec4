import type { ReactNode } from 'react'
import { Route, Routes } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderComponent } from '../../test/render-component.tsx'
import { stubFetch } from '../../test/stub-fetch.ts'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { LiveProvider } from '../live/live.tsx'
import Applications from './applications/applications.tsx'
import Manage from './applications/manage.tsx'
import Overview from './overview/overview.tsx'
import Payments from './payments/payments.tsx'

// Screens of answers with the specified fields, and no more.

const payment = {
  _id: 'txn_1',
  paymentId: 'pay_1',
  applicationId: 'app_1',
  amount: 25,
  currency: 'USD',
  status: 'COMPLETED',
  method: 'ecocash',
  paymentMethodReference: 'MP1',
  purposeDescription: 'Basket',
  customerPhoneNumber: '0771234567',
  createdAt: '2026-11-20T09:30:00.000Z',
}
const application = {
  _id: 'app_1',
  applicationName: 'Till',
  description: 'The counter',
  category: 'Retail',
  status: 'active',
  applicationKey: 'mk_test_1',
  createdAt: payment.createdAt,
  updatedAt: payment.createdAt,
  bankAccountNumber: '',
  bankAccountName: '',
  bankAccountType: '',
  nameApproved: false,
}
const stats = {
  totalRevenueToday: 1234.5,
  revenueLast7Days: 2000,
  totalCompleted: 7,
  totalApplications: 1,
  topPaymentMethods: [{ method: 'ecocash', count: 7 }],
  recentPayments: [{ ...payment, applicationName: 'Till' }],
}
const bad = [null, {}, 'text', { amount: 'x' }]

const manage = <Manage {...({ params: { applicationId: 'app_1' } } as Parameters<typeof Manage>[0])} />

const open = (screen: ReactNode, replies: Readonly<Record<string, unknown>>) => {
  stubFetch(Object.fromEntries(Object.entries(replies).map(([call, body]) => [`GET /v1/${call}`, { body }])))
  return renderComponent(
    <LiveProvider merchantId={null}>
      <ErrorBoundary>
        <Routes>
          <Route path="*" element={screen} />
        </Routes>
      </ErrorBoundary>
    </LiveProvider>,
  )
}

const list = 'payments/all?limit=100'
test.each<[string, ReactNode, Record<string, unknown>, readonly string[]]>([
  [
    '[CALLS-27] the overview',
    <Overview key="a" />,
    { 'stats/dashboard': { data: stats } },
    ['$1,234.50', 'USD25.00'],
  ],
  [
    'the overview with bad items',
    <Overview key="b" />,
    {
      'stats/dashboard': {
        data: {
          ...stats,
          totalRevenueToday: null,
          recentPayments: [...bad, ...stats.recentPayments],
          topPaymentMethods: bad,
        },
      },
    },
    ['$–', 'USD25.00', 'Sample data'],
  ],
  [
    '[CALLS-42] [CALLS-43] the payments',
    <Payments key="c" />,
    { [list]: [payment] },
    ['Showing 1 of 1 payment transactions', 'USD25.00 - Basket via ecocash'],
  ],
  [
    'the payments with bad items',
    <Payments key="d" />,
    { [list]: { payments: [...bad, payment, { paymentId: 'pay_2' }] } },
    ['Showing 2 of 2 payment transactions', 'USD25.00 - Basket via ecocash'],
  ],
  [
    '[CALLS-31] the applications',
    <Applications key="e" />,
    { 'applications/all': [application] },
    ['Showing 1 of 1 applications', 'Till'],
  ],
  [
    'the applications with bad items',
    <Applications key="f" />,
    { 'applications/all': [...bad, { _id: 'app_2' }, application] },
    ['Showing 2 of 2 applications', 'Create New Application'],
  ],
  [
    '[CALLS-33] [MANAGE-04] an application',
    manage,
    { 'applications/app_1': application },
    ['Active', 'Deactivate'],
  ],
  ['an application without a status', manage, { 'applications/app_1': { _id: 'app_1' } }, ['Unknown']],
])('%s needs the specified fields only', async (_name, screen, replies, texts) => {
  await open(screen, replies)
  for (const text of texts) await expect.element(page.getByText(text).first()).toBeInTheDocument()
  const shown = document.body.innerText
  expect(shown).not.toMatch(/NaN|undefined|Infinity|Invalid Date|suspended|could not be shown|\[object/)
})
