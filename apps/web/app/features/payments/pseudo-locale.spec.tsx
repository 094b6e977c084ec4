import {
  type DashboardPayment,
  type PaymentDetails as Details,
  TimelineEntry,
} from '@muripo/contract/dashboard-payments'
import { statusReasons } from '@muripo/contract/enums'
import { ApplicationId, PaymentId, transactionOf } from '@muripo/contract/ids'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised, openDisguised } from '../../../test/pseudo-dashboard.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import { Failure } from '../../api/api-error.ts'
import { Timeline } from '../../components/timeline.tsx'
import { CancelDialog, CaptureDialog, VoidDialog } from './details/capture-dialogs.tsx'
import { PaymentDetails } from './details/payment-details.tsx'
import { RefundDialog } from './details/refund-dialog.tsx'
import { ExportPanel } from './export/export-panel.tsx'
import { FilterSheet } from './filter-fields.tsx'
import Payments from './payments.tsx'

const paymentId = PaymentId.parse(`pay_${'0'.repeat(26)}`)
const at = '2026-11-20T09:30:00.000Z'
const payment = {
  _id: transactionOf(paymentId),
  paymentId,
  applicationId: ApplicationId.parse(`app_${'0'.repeat(26)}`),
  applicationName: 'Chiedza Crafts',
  amount: 25,
  currency: 'USD',
  status: 'COMPLETED',
  statusReason: null,
  method: 'ecocash',
  paymentMethodReference: null,
  purposeDescription: 'Basket',
  customerPhoneNumber: null,
  amountCaptured: 25,
  amountRefunded: 15,
  amountReversed: 5,
  capture: 'automatic',
  captureBefore: null,
  fee: 1.28,
  net: 23.72,
  createdAt: at,
  updatedAt: at,
  expiresAt: at,
} satisfies DashboardPayment

const authorised = {
  ...payment,
  status: 'AUTHORIZED',
  statusReason: 'awaiting_capture',
  fee: null,
  net: null,
  amountRefunded: 0,
  amountCaptured: null,
  capture: 'manual',
  captureBefore: at,
} satisfies DashboardPayment

const facts = { at, method: 'ecocash', phone: '077 *** 4567', amount: 12.5, reference: 'MP1' }
const kinds = TimelineEntry.options.map((option) => option.shape.kind.value)
const entries = [
  ...kinds.map((kind) => ({ ...facts, kind, reason: 'declined', explanation: 'Closed.' })),
  ...statusReasons.flatMap((reason) =>
    ['attempt_failed', 'refund_failed'].map((kind) => ({ ...facts, kind, reason, explanation: null })),
  ),
].map((entry) => TimelineEntry.parse(entry))

const details = {
  ...payment,
  customer: { id: null, name: null, email: null },
  timeline: entries.slice(0, 2),
  attempts: [],
  paymentUrl: 'https://pay.example/pay/token',
} as unknown as Details

const openAttempt = {
  method: 'ecocash',
  phone: '077 *** 4567',
  startedAt: at,
  silentAt: at,
  closesAt: '2099-11-20T09:40:00.000Z',
  isLast: false,
} as const
const failed = {
  payment: { ...payment, status: 'FAILED', statusReason: 'wrong_pin', fee: null, net: null },
  details: null,
  children: null,
} as const

const values = [
  payment._id,
  paymentId,
  at,
  'Chiedza Crafts',
  'Basket',
  'EcoCash',
  'InnBucks',
  'OneMoney',
  'Visa/Mastercard',
  'USD25.00',
  ...['25.00', '−1.28', '−15.00', '−5.00', '3.72', '5.00'].map((amount) => `USD ${amount}`),
  'USD15.00',
  'USD5.00',
  'USD12.50',
  'null',
]

const LIST = 'GET /v1/payments/all?limit=100'
const reply = { payments: [], total: 0, matched: 0, hasMoreMatches: false, nextCursor: null }
const nothing = () => {}
const filters = { filters: {}, clears: 0, onChange: nothing, onClear: nothing }
const question = {
  opened: true,
  running: false,
  error: null,
  refusal: null,
  onConfirm: nothing,
  onClose: nothing,
}
const captureQuestion = { ...question, payment: authorised, fieldError: null, onRetype: nothing }

test.each([
  ['without payments', { body: reply }],
  ['with payments', { body: { ...reply, payments: [payment], total: 1, matched: 1 } }],
  ['after an error', { status: 500, body: {} }],
])('every text of the list is translated and fits: %s', async (_name, answer) => {
  stubFetch({ [LIST]: answer })
  await openDisguised(<Payments />)
  await expect.element(page.getByText('Lóádíńg', { exact: false }).first()).not.toBeInTheDocument()
  await checkDisguised(values)
})

test.each<[string, ReactNode]>([
  ['the sheet of the filters', <FilterSheet key="part" {...filters} opened onClose={nothing} />],
  [
    'a payment',
    // The margins of its actions are as wide as those of a dialog.
    <div key="part" style={{ padding: 24 }}>
      <PaymentDetails payment={payment} details={details}>
        <Timeline entries={entries} currency="USD" error={null} onRetry={nothing} retrying={false} />
      </PaymentDetails>
    </div>,
  ],
  [
    'an authorised payment',
    <div key="part" style={{ padding: 24 }}>
      <PaymentDetails payment={authorised} details={details}>
        {null}
      </PaymentDetails>
    </div>,
  ],
  ...[false, true].map((isLast): [string, ReactNode] => [
    `a payment whose provider is silent${isLast ? ', the last one' : ''}`,
    <div key="part" style={{ padding: 24 }}>
      <PaymentDetails
        payment={{ ...payment, status: 'PENDING', fee: null, net: null }}
        details={{ ...details, openAttempt: { ...openAttempt, isLast } }}
      >
        {null}
      </PaymentDetails>
    </div>,
  ]),
  [
    'a failed payment',
    <div key="part" style={{ padding: 24 }}>
      <PaymentDetails {...failed} />
    </div>,
  ],
  ...[null, 'EcoCash'].map((openMethod): [string, ReactNode] => [
    `a cancellation ${openMethod === null ? 'at once' : 'with an attempt in progress'}`,
    <CancelDialog key="part" {...captureQuestion} openMethod={openMethod} />,
  ]),
  ['a void', <VoidDialog key="part" {...captureQuestion} />],
  [
    'a refund',
    <RefundDialog key="part" {...question} payment={payment} allowed={{ left: 0.5, underWay: [5, 12.5] }} />,
  ],
  ...(
    [
      { phase: 'running', content: 'payments', rows: 0, total: null },
      { phase: 'running', content: 'payments', rows: 1500, total: 3001 },
      { phase: 'done', content: 'payments', rows: 3001, name: 'payments.csv' },
      { phase: 'failed', error: new Failure('exportPayments') },
    ] as const
  ).map((state): [string, ReactNode] => [
    `an export, ${state.phase}`,
    <ExportPanel key="part" state={state} endButton={null} onEnd={nothing} onRetry={nothing} />,
  ]),
])('every text is translated and fits: %s', async (_name, part) => {
  stubFetch({})
  await openDisguised(part)
  await checkDisguised(values)
})

test('the errors of an amount are translated and fit', async () => {
  await openDisguised(<RefundDialog {...question} payment={payment} allowed={{ left: 10, underWay: [] }} />)
  const amount = page.getByRole('textbox')
  for (const typed of ['ten', '12.505', '0', '11']) {
    await amount.fill(typed)
    document.querySelector('form')?.requestSubmit()
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
    await checkDisguised(values)
  }
})

test('the errors and the rest of a capture are translated and fit', async () => {
  await openDisguised(<CaptureDialog {...captureQuestion} />)
  const amount = page.getByRole('textbox')
  for (const [typed, invalid] of [
    ['12.5', 'false'],
    ['26', 'true'],
  ] as const) {
    await amount.fill(typed)
    await expect.poll(() => amount.element().getAttribute('aria-invalid') ?? 'false').toBe(invalid)
    await checkDisguised(values)
  }
})
