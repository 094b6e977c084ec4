import type { DashboardPayment, PaymentDetails as Details } from '@muripo/contract/dashboard-payments'
import { PaymentId, transactionOf } from '@muripo/contract/ids'
import { expect, test } from 'vitest'
import { renderComponent } from '../../../../test/render-component.tsx'
import { stubFetch } from '../../../../test/stub-fetch.ts'
import { PaymentDetails } from './payment-details.tsx'

const paymentId = PaymentId.parse(`pay_${'0'.repeat(26)}`)
const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()
const payment = {
  _id: transactionOf(paymentId),
  paymentId,
  amount: 25,
  currency: 'USD',
  status: 'PENDING',
  statusReason: 'awaiting_payer',
  method: 'ecocash',
  paymentMethodReference: null,
  customerPhoneNumber: null,
  purposeDescription: 'Basket',
  amountRefunded: 0,
  createdAt: inMinutes(-3),
  updatedAt: inMinutes(-1),
  expiresAt: inMinutes(60),
} as DashboardPayment
const openAttempt = {
  method: 'ecocash',
  phone: '077 *** 4567',
  startedAt: inMinutes(-3),
  silentAt: inMinutes(-1),
  closesAt: inMinutes(7),
  isLast: false,
} as const
const details = {
  ...payment,
  customer: { id: null, name: null, email: null },
  timeline: [],
  attempts: [],
  paymentUrl: 'https://pay.example/pay/token',
  openAttempt,
} as unknown as Details

function Shown(props: Partial<Parameters<typeof PaymentDetails>[0]>) {
  return (
    <PaymentDetails payment={payment} details={details} {...props}>
      {null}
    </PaymentDetails>
  )
}
const open = (change: Partial<NonNullable<Details['openAttempt']>> = {}) =>
  renderComponent(<Shown details={{ ...details, openAttempt: { ...openAttempt, ...change } }} />)

test('a silent provider is named with the time of the next possibility and words for the customer', async () => {
  const screen = await open()
  await expect.element(screen.getByText('No answer from EcoCash yet')).toBeVisible()
  await expect
    .element(screen.getByText(/EcoCash closes the request at .+ no second one can be sent/))
    .toBeVisible()
  await expect.element(screen.getByText(/^If you entered your PIN, do not pay again/)).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Copy these words' })).toBeVisible()
  await expect.element(screen.getByRole('button', { name: 'Copy payment link' })).toBeVisible()
  await expect.element(screen.getByText(/^Can be paid until/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Refund Payment' }).elements()).toEqual([])
})

test('the silence appears at its time, and the time of the next possibility goes at its end', async () => {
  const soon = new Date(Date.now() + 1000).toISOString()
  const screen = await open({ silentAt: soon, closesAt: soon })
  await expect.element(screen.getByText('No answer from EcoCash yet')).toBeVisible()
  await expect.element(screen.getByText(/closes the request/)).not.toBeInTheDocument()
})

test.each([
  ['a code, whose payer enters no PIN', { phone: null }, 'No answer from EcoCash yet', 'Tell the customer'],
  ['the last attempt', { isLast: true }, /can no longer be paid/, /send the request again/],
] as const)('the note about %s promises nothing else', async (_what, change, shown, hidden) => {
  const screen = await open(change)
  await expect.element(screen.getByText(shown)).toBeVisible()
  expect(screen.getByText(hidden).elements()).toEqual([])
})

test.each([
  [{ body: payment }, /^We have just asked EcoCash: there is no result yet/],
  [
    { status: 429, body: { code: 'rate_limited', message: 'Please wait 20 seconds.' } },
    'Please wait 20 seconds.',
  ],
])('a check shows its result: %#', async (reply, text) => {
  stubFetch({ 'POST /v1/payments/check': reply })
  const screen = await open()
  await screen.getByRole('button', { name: 'Check now' }).click()
  await expect.element(screen.getByText(text)).toBeVisible()
})

test('a cancellation is confirmed, and is offered once', async () => {
  stubFetch({ 'POST /v1/payments/cancel': { body: payment } })
  const screen = await open()
  const cancel = screen.getByRole('button', { name: 'Cancel payment…' })
  await cancel.click()
  await expect.element(screen.getByText(/If EcoCash still confirms the one in progress/)).toBeVisible()
  await screen.getByRole('button', { name: 'Yes, cancel payment' }).click()
  await expect.element(screen.getByText(/^The cancellation was requested/)).toBeVisible()
  await expect.element(cancel).not.toBeInTheDocument()
})

test('a failed payment names its reason before its facts', async () => {
  const screen = await renderComponent(
    <Shown payment={{ ...payment, status: 'FAILED', statusReason: 'wrong_pin' }} details={null} />,
  )
  const reason = screen.getByText('The customer entered a wrong PIN.').element()
  const fact = screen.getByText('Transaction ID').element()
  expect(reason.compareDocumentPosition(fact)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
})
