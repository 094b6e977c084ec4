import { ApplicationId, PaymentId, transactionOf } from '@muripo/contract/ids'
import type { Till, TillPaymentDetails } from '@muripo/contract/till'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised, openDisguised } from '../../../test/pseudo-dashboard.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { AskStep, ChargeStep } from './number-step.tsx'
import { PaymentStep } from './payment-step.tsx'
import TillPage from './till.tsx'
import TodayPage from './today.tsx'

const at = '2026-11-20T09:30:00.000Z'
const later = '2099-11-20T09:40:00.000Z'
const paymentId = PaymentId.parse(`pay_${'0'.repeat(26)}`)
const applicationId = ApplicationId.parse(`app_${'0'.repeat(26)}`)
const payment: TillPaymentDetails = {
  _id: transactionOf(paymentId),
  paymentId,
  applicationId,
  amount: 25,
  currency: 'USD',
  method: 'ecocash',
  status: 'PENDING',
  statusReason: 'awaiting_payer',
  createdAt: at,
  completedAt: null,
  lastDigits: '4567',
  paymentUrl: 'https://pay.example/pay/token',
  paymentQr: { size: 2, path: 'M0 0h1v1h-1z' },
  attempts: 1,
  isCancelled: false,
  openAttempt: {
    method: 'ecocash',
    phone: '077 *** 4567',
    startedAt: at,
    silentAt: later,
    closesAt: later,
    isLast: false,
    dialIn: '*151*2*4#',
  },
}
const till = (payments: Till['today']['payments']): Till => ({
  applications: [{ id: applicationId, name: 'Shop counter' }],
  currencies: [{ currency: 'USD', methods: ['ecocash'] }],
  today: { totals: payments.length === 0 ? [] : [{ currency: 'USD', amount: 25, count: 1 }], payments },
})

const declined = { ...payment, statusReason: 'wrong_pin', openAttempt: null } as const
const failed = { ...payment, status: 'FAILED', openAttempt: null, isCancelled: true } as const
const states: readonly [string, TillPaymentDetails][] = [
  ['waiting', payment],
  ['silent', { ...payment, openAttempt: payment.openAttempt && { ...payment.openAttempt, silentAt: at } }],
  ['cancelled while it waits', { ...payment, isCancelled: true }],
  ['shown as a QR', { ...payment, attempts: 0, openAttempt: null }],
  ['declined', declined],
  ['under review', { ...payment, statusReason: 'under_review', openAttempt: null }],
  ['paid', { ...payment, status: 'COMPLETED', statusReason: null, completedAt: at, openAttempt: null }],
  ['refunded', { ...payment, status: 'REFUNDED', statusReason: null, completedAt: at, openAttempt: null }],
  ['cancelled', { ...failed, statusReason: 'cancelled' }],
  ['expired', { ...failed, statusReason: 'expired' }],
]

/** The pad has each digit. */
const values = ['Shop counter', 'EcoCash', 'USD', ...'0123456789', '+', '.', '*', '#', ':', '–']
const nothing = () => {}
const frame = { counter: null, end: null }
const TILL = 'GET /v1/till'
const PAYMENT = `GET /v1/till/payments/${paymentId}`

/** Waits for the data, and checks the texts and that nothing scrolls. */
async function check(): Promise<void> {
  await expect.element(page.getByRole('heading').first()).toBeInTheDocument()
  await expect.element(page.getByText('Lóádíńg', { exact: false }).first()).not.toBeInTheDocument()
  await checkDisguised(values)
}

test.each(states)('every text of a payment is translated and fits: %s', async (_name, shown) => {
  stubFetch({ [PAYMENT]: { body: shown }, [`${PAYMENT}?qr=1`]: { body: shown } })
  await openDisguised(<PaymentStep {...frame} paymentId={paymentId} number="0771234567" onNext={nothing} />)
  await check()
})

test.each([
  ['without payments', []],
  [
    'with payments',
    states.map(([, shown], nth) => ({
      ...shown,
      paymentId: PaymentId.parse(`pay_${String(nth).padStart(26, '0')}`),
    })),
  ],
])('every text of the till and of the day is translated and fits: %s', async (_name, payments) => {
  stubFetch({ [TILL]: { body: till(payments) } })
  const amount = await openDisguised(<TillPage />)
  await check()
  await amount.unmount()
  await openDisguised(<TodayPage />)
  await check()
})

test('every text of a number is translated and fits', async () => {
  stubFetch({ [PAYMENT]: { body: declined } })
  const order = { applicationId, currency: 'USD', amount: 25, purpose: '' } as const
  const charge = await openDisguised(
    <ChargeStep {...frame} order={order} number="0731234567" onNumber={nothing} onPayment={nothing} />,
  )
  await check()
  await charge.unmount()
  await openDisguised(<AskStep {...frame} paymentId={paymentId} number="0771234567" onAsked={nothing} />)
  await check()
})

test('every text of a till without an application is translated and fits', async () => {
  stubFetch({ [TILL]: { body: { ...till([]), applications: [] } } })
  await openDisguised(<TillPage />)
  await check()
})
