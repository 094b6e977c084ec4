import translations from 'virtual:translations/console'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { checkDisguised } from '../../../test/pseudo-dashboard.tsx'
import { PSEUDO } from '../../../test/pseudo-locale.ts'
import { renderComponent } from '../../../test/render-component.tsx'
import { stubFetch } from '../../../test/stub-fetch.ts'
import Audit from './audit/audit.tsx'
import { Enrol } from './doors/enrol.tsx'
import { SignIn } from './doors/sign-in.tsx'
import Jobs from './jobs/jobs.tsx'
import Merchant from './merchants/merchant.tsx'
import Merchants from './merchants/merchants.tsx'
import { TopBar } from './navigation.tsx'
import FindPayments from './payments/find.tsx'
import Payment from './payments/payment.tsx'
import Provider from './providers/provider.tsx'
import Providers from './providers/providers.tsx'
import Refunds from './refunds/refunds.tsx'
import Reviews from './reviews/reviews.tsx'
import Settings from './settings/settings.tsx'
import Today from './today/today.tsx'

const widths = [320, 375, 768, 1440]
const at = '2026-11-26T08:12:30.000Z'
const me = {
  id: 'opr_1',
  email: 'tafara@company.example',
  name: 'Tafara Moyo',
  role: 'admin',
  permissions: [
    'console.today',
    'console.merchants.read',
    'console.notes.write',
    'console.jobs.read',
    'console.jobs.retry',
    'console.settings.read',
    'console.incidents.write',
    'console.payments.read',
    'console.reviews.read',
    'console.refunds.read',
    'console.refunds.take',
    'console.providers.read',
    'console.proposals.read',
    'console.reveal',
    'console.audit.read',
    'console.decide',
  ],
  fourEyes: 'on',
  sessionEndsAt: '2126-11-26T08:12:30.000Z',
}
const proposal = {
  id: 'prp_1',
  kind: 'merchant.approve',
  subject: 'mer_1',
  about: 'Kumusha Dairy',
  diff: [
    { label: 'Status', from: 'new', to: 'approved' },
    { label: 'Payers see', from: null, to: 'Kumusha Dairy' },
  ],
  reason: 'Names agree',
  state: 'open',
  proposedBy: { id: 'opr_2', name: 'Nyasha Dube', email: 'nyasha@company.example' },
  proposedAt: at,
  expiresAt: at,
  decidedBy: null,
  decidedAt: null,
  decisionReason: null,
  executedAt: null,
  mayApprove: true,
  whyNot: null,
  mayWithdraw: false,
}
const merchant = {
  id: 'mer_1',
  name: 'Kumusha Dairy',
  email: 'n•••@kumusha.example',
  phone: '077 *** 4567',
  status: 'new',
  createdAt: at,
  waitsFor: 'approval',
  accountType: 'business',
  document: { id: 'fil_1', type: 'certificate_of_incorporation' },
  statusChange: { at, by: 'tafara@company.example', reason: 'Names agree' },
  applications: [
    {
      id: 'app_1',
      name: 'Dairy counter',
      category: 'Retail',
      status: 'active',
      stopReason: 'Names agree',
      shownName: 'Kumusha Dairy',
      colour: '#123456',
      logo: null,
      banking: 'waiting',
      keys: [
        { mode: 'live', name: null, ending: 'x7Qp', createdAt: at, lastUsedAt: null },
        { mode: 'test', name: 'Dairy till', ending: null, createdAt: at, lastUsedAt: at },
      ],
      waits: true,
    },
  ],
  ledger: { accounts: ['merchant.payable'], hasTests: true },
  volume: [{ currency: 'USD', payments: 12, amount: 1284.6 }],
  seen: 'x',
  reservedWords: ['EcoCash'],
  revealedUntil: null,
  proposals: [proposal],
}
const ofShop = {
  merchantId: 'mer_1',
  paymentId: 'pay_1',
  shopName: 'Kumusha Dairy',
  amount: 25,
  currency: 'USD',
  since: at,
  provider: 'ecocash',
  providerStatus: 'COMPLETED',
  method: 'ecocash',
  phone: '077 *** 4567',
  isTest: true,
}
const anomaly = { ...ofShop, kind: 'reversed', refundId: null, report: null, refusedRefunds: [] }
const refund = {
  ...ofShop,
  refundId: 'rfd_1',
  providerStatus: null,
  status: 'unknown',
  origin: 'merchant',
  reason: 'Names agree',
  chargeReference: 'MP1.B1',
  reference: 'MP1.B1',
  isWaiting: true,
  isPaidLate: false,
  isReturned: true,
  bouncedAt: null,
  changedAt: at,
}
const reviews = {
  attempts: [{ ...ofShop, attemptId: 'att_1', heldBecause: null, providerReference: 'MP1.B1' }],
  anomalies: [
    { ...anomaly, anomalyId: 'ano_1', outcomes: ['reversed', 'unchanged'], refusedRefunds: ['rfd_1'] },
    { ...anomaly, anomalyId: 'ano_2', kind: 'amount_differs', outcomes: ['differs', 'unchanged'] },
    {
      ...anomaly,
      anomalyId: 'ano_3',
      kind: 'contradicted',
      refundId: 'rfd_1',
      outcomes: ['bounced', 'unchanged'],
      report: { says: 'COMPLETED', amount: 25, at },
    },
  ],
  refunds: [
    refund,
    { ...refund, refundId: 'rfd_2', status: 'completed', isWaiting: false },
    { ...refund, refundId: 'rfd_3', status: 'failed', isPaidLate: true, origin: 'duplicate' },
    { ...refund, refundId: 'rfd_4', status: 'failed', isWaiting: false, bouncedAt: at },
  ],
}
const charge = { provider: 'ecocash', reference: 'MP1.B1' }
const payment = {
  merchantId: 'mer_1',
  merchantName: 'Kumusha Dairy',
  revealedUntil: null,
  proposals: [],
  reviews,
  reversedCharges: [
    { ...charge, review: 'ano_4', amount: 5 },
    { ...charge, review: 'ano_5', amount: 25 },
  ],
  payment: {
    paymentId: 'pay_1',
    applicationName: 'Dairy counter',
    currency: 'USD',
    amount: 25,
    status: 'PENDING',
    method: 'ECOCASH',
    paymentMethodReference: 'MP1.B1',
    purposeDescription: 'Three bags of milk',
    customerPhoneNumber: '077 *** 4567',
    customer: { name: 'R•••', email: null, phone: null },
    amountCaptured: 25,
    amountRefunded: 5,
    amountReversed: 5,
    fee: 1,
    createdAt: at,
    timeline: [{ kind: 'created', at }],
  },
}
const today = {
  waiting: ['merchants', 'attempts', 'anomalies', 'refunds', 'proposals'].map((kind) => ({
    kind,
    count: 3,
    oldestAt: at,
  })),
  unwell: [
    { id: 'ecocash', name: 'EcoCash', status: 'down' },
    { id: 'worker', name: 'Worker', status: 'degraded' },
  ],
  volume: [{ currency: 'USD', payments: 12, amount: 1284.6 }],
}
const entry = {
  id: 'aud_1',
  at,
  actor: 'tafara@company.example',
  action: 'merchant.approved',
  subject: 'mer_1',
  address: '127.0.0.1',
  requestId: null,
  details: { reason: 'Names agree' },
}
const provider = {
  // The address of the page under test has no name of an account.
  id: '',
  provider: 'ecocash',
  name: 'EcoCash',
  methods: ['ecocash'],
  currencies: ['USD'],
  environment: 'live',
  state: 'enabled',
  changedAt: at,
  check: { at, result: 'proved', isOfEarlierSettings: true },
  health: 'operational',
  calls: {
    made: 12,
    unanswered: 0,
    paid: 12,
    declined: 0,
    busy: 0,
    blocked: 0,
    halfWithinMs: 100,
    mostWithinMs: 100,
  },
  budget: { callsPerMinute: 12, left: 12, pausedUntil: at },
}
const route = { merchantId: 'mer_1', merchantName: 'Kumusha Dairy', method: 'ecocash', currency: null }
const routes = [{ ...route, accounts: ['ecocash'] }]
const manualReply = {
  refunds: [{ ...refund, takenUntil: null, proposalId: null }],
  nextCursor: 'rfd_1',
  counts: { to_send: 3, to_clarify: 3, proposed: 3 },
  providers: ['ecocash'],
}
const note = { id: 'aud_2', at, by: 'tafara@company.example', note: 'Names agree' }
const jobs = {
  isRunning: false,
  kinds: [{ kind: 'send-mail', due: 3, later: 3, givenUp: 3, oldestDueAt: at }],
  failures: [
    {
      id: '1',
      kind: 'send-mail',
      attempts: 3,
      maxAttempts: 12,
      error: 'no mail server',
      createdAt: at,
      dueAt: null,
    },
  ],
}
const runs = {
  runs: [
    { id: '1', name: 'send-mail', startedAt: at, tookMs: 12, error: 'no mail server' },
    { id: '2', name: 'prune-identity', startedAt: at, tookMs: 1200, error: null },
  ],
  names: ['send-mail'],
  nextCursor: '1',
}
const operators = [
  {
    id: 'opr_2',
    email: 'nyasha@company.example',
    name: 'Nyasha Dube',
    role: 'risk',
    hasPasskey: false,
    lastSeenAt: null,
  },
]
const incidents = [
  {
    id: 'inc_1',
    title: 'Names agree',
    resolvedAt: null,
    updates: [{ at, status: 'monitoring', message: 'Names agree' }],
  },
]
const replies = {
  'GET /console/api/me': { body: me },
  'GET /console/api/today': { body: today },
  'GET /console/api/proposals?state=open': { body: { proposals: [proposal], nextCursor: null } },
  'GET /console/api/merchants?status=waiting': { body: { merchants: [merchant], nextCursor: 'mer_1' } },
  'GET /console/api/merchants/': { body: merchant },
  'GET /console/api/payments//': { body: payment },
  'GET /console/api/reviews': { body: reviews },
  'GET /console/api/providers': {
    body: {
      providers: [
        provider,
        { ...provider, id: 'ecocash-test', state: 'disabled', budget: null, check: null },
      ],
      routable: [{ method: 'ecocash', currency: null, accounts: ['ecocash', 'paynow', 'pesepay'] }],
    },
  },
  'GET /console/api/routes?account=': { body: { routes, nextCursor: 'mer_1' } },
  'GET /console/api/routes': { body: { routes, nextCursor: 'mer_1' } },
  'GET /console/api/refunds?state=to_send': { body: manualReply },
  'GET /console/api/merchants//notes': { body: { notes: [note], nextCursor: 'aud_2' } },
  'GET /console/api/jobs': { body: jobs },
  'GET /console/api/jobs/runs': { body: runs },
  'GET /console/api/operators': { body: { operators } },
  'GET /console/api/incidents': { body: { incidents } },
  'GET /console/api/audit': { body: { entries: [entry], nextCursor: 'aud_1' } },
}

const values = [
  ...['mk_live_•••• x7Qp', 'Dairy till', 'ecocash-test', 'ecocash', 'rfd_1', 'rfd_2', 'rfd_3', 'rfd_4'],
  ...['12 (100%)', '100%', '0.1 s', '12', '–', 'USD\u00a05.00', '0'],
  ...['Kumusha Dairy', 'Tafara Moyo', 'Nyasha Dube', 'Dairy counter', 'Names agree', 'Three bags of milk'],
  ...['tafara@company.example', 'n•••@kumusha.example', '077 *** 4567', 'R•••', 'EcoCash', 'Worker'],
  ...['Retail, app_1', 'pay_1, Kumusha Dairy', 'mer_1', 'pay_1', 'merchant.approved', 'reason: Names agree'],
  ...['MP1.B1', 'USD\u00a01,284.60', 'USD\u00a025.00', 'USD\u00a05.00', 'USD\u00a01.00'],
  ...['send-mail', 'prune-identity', 'no mail server', '3/12', 'nyasha@company.example'],
  ...['USD', '1,284.60', 'Console', '#123456', '“', '”', ':', ',', '3', 'English', 'chiShona', 'isiNdebele'],
]

const language = { locale: PSEUDO, translation: translations[PSEUDO].texts, isLoading: false } as const
const open = (part: ReactNode) => {
  stubFetch(replies)
  return renderComponent(part, language)
}

const shownPages = {
  today: [<Today key="page" />, 'Worker'],
  merchants: [<Merchants key="page" />, 'Kumusha Dairy'],
  merchant: [<Merchant key="page" />, 'Dairy counter'],
  'search for payments': [<FindPayments key="page" />, null],
  payment: [<Payment key="page" />, 'Three bags of milk'],
  reviews: [<Reviews key="page" />, 'Kumusha Dairy'],
  'refund desk': [<Refunds key="page" />, 'Kumusha Dairy'],
  providers: [<Providers key="page" />, 'Kumusha Dairy'],
  provider: [<Provider key="page" />, 'Kumusha Dairy'],
  jobs: [<Jobs key="page" />, 'prune-identity'],
  audit: [<Audit key="page" />, 'merchant.approved'],
  settings: [<Settings key="page" />, 'nyasha@company.example'],
  enrolment: [<Enrol key="page" />, null],
  'sign-in': [<SignIn key="page" />, null],
} as const

for (const [name, [part, known]] of Object.entries(shownPages))
  test.each(widths)(`every text is translated and fits: ${name} at %d px`, async (width) => {
    await page.viewport(width, 720)
    await open(part)
    if (known !== null) await expect.element(page.getByText(known).first()).toBeVisible()
    await checkDisguised(values)
  })

test('every text of the menu on a phone is translated', async () => {
  await page.viewport(375, 720)
  await open(<TopBar />)
  await page.getByRole('button').first().click()
  await expect.element(page.getByText('Tafara Moyo')).toBeVisible()
  await checkDisguised(values)
})

test('every text of a resolution and of its errors is translated', async () => {
  await open(<Payment />)
  await expect.element(page.getByRole('radio').first()).toBeVisible()
  for (const form of document.querySelectorAll('form')) form.requestSubmit()
  await expect.poll(() => document.querySelectorAll('[data-error]').length).toBe(10)
  await page.getByRole('radio').first().click()
  await checkDisguised(values)
})

test('of several reversed charges the one whose amount came back is named, up to its amount', async () => {
  const requests = stubFetch({
    ...replies,
    'POST /console/api/proposals': { status: 201, body: { ...proposal, kind: 'payment.return' } },
  })
  await renderComponent(<Payment />)
  await page.getByRole('button', { name: 'Record a returned amount' }).click()
  const dialog = page.getByRole('dialog')
  const propose = dialog.getByRole('button', { name: 'Propose' })
  await dialog.getByLabelText('Amount').fill('5.01')
  await dialog.getByLabelText('Reason').fill('Dispute won')
  await propose.click()
  await expect.element(dialog.getByLabelText('Charge')).toHaveAccessibleDescription('Please fill this in')
  await dialog.getByLabelText('Charge').selectOptions('ano_4')
  await propose.click()
  await expect.element(dialog.getByLabelText('Amount')).toHaveAccessibleDescription('At most USD\u00a05.00')
  await dialog.getByLabelText('Charge').selectOptions('ano_5')
  await propose.click()
  await expect.element(page.getByText('Proposed. Another operator decides.')).toBeVisible()
  expect(requests.find(({ call }) => call.startsWith('POST'))?.body).toEqual({
    kind: 'payment.return',
    subject: 'pay_1',
    review: 'ano_5',
    amount: '5.01',
    reason: 'Dispute won',
  })
})
