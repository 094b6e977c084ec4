import type { CheckoutView, FormProblem, RefusedForm } from '@muripo/contract/checkout'
import { methodNames, statusReasons } from '@muripo/contract/enums'
import { languageNames } from '@muripo/locales/languages'
import { type ComponentType, createElement } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clipped, PSEUDO, photograph, untranslated } from '../../../test/pseudo-locale.ts'
import { renderComponent } from '../../../test/render-component.tsx'
import { CardPage } from './card.tsx'
import styles from './checkout.css?inline'
import { PaymentPage } from './payment.tsx'
import { ReceiptPage } from './receipt.tsx'
import { ResumePage } from './resume.tsx'

const sheet = document.createElement('style')
sheet.textContent = styles
beforeEach(() => document.head.append(sheet))
afterEach(() => sheet.remove())

const attempt: NonNullable<CheckoutView['attempt']> = {
  method: 'ecocash',
  phone: '077 *** 4567',
  isStarting: false,
  ageSeconds: 5,
  isSilent: false,
  failure: null,
  step: null,
  prompt: null,
}
const view: CheckoutView = {
  stage: 'choose',
  revision: 'r1',
  isTest: true,
  shopName: 'SHOP',
  locale: null,
  brand: { colour: null, logoPath: null },
  mailsReceipt: true,
  amount: '1025.50',
  currency: 'USD',
  description: 'DESCRIPTION',
  methods: [
    { method: 'ecocash', needsPhone: true, isDown: false, limit: null },
    { method: 'onemoney', needsPhone: true, isDown: false, limit: null },
    { method: 'innbucks', needsPhone: false, isDown: true, limit: null },
    { method: 'visa', needsPhone: false, isDown: false, limit: { kind: 'most', amount: '500.00' } },
  ],
  suggested: 'ecocash',
  phone: '077 *** 4567',
  canCancel: true,
  canLeave: true,
  otherWayAt: '2026-11-23T08:10:00Z',
  attempt: null,
  resumeCode: null,
  receipt: null,
  continueUrl: 'https://shop.example/',
  continues: true,
}

const receipt = {
  paymentId: 'pay_1',
  reference: 'REFERENCE',
  providerReference: 'MP1',
  paidAt: '2026-11-23T08:00:00Z',
  method: 'ecocash',
  phone: '077 *** 4567',
  refunds: [],
  amountLeft: null,
  contact: '+263 77 300 4410',
} as const
const partlyRefunded = {
  ...receipt,
  refunds: [{ amount: '12.50', at: '2026-11-24T08:00:00Z' }],
  amountLeft: '12.50',
} as const
const prompt = { dialIn: '*151*2*4#', closesAt: '2026-11-23T08:10:00Z', isLast: false, canCancel: true }
const code = {
  type: 'show_code',
  code: '701234567',
  qr: { size: 2, path: 'M0 0h1v1z' },
  links: [{ url: 'app://new' }, { url: 'app://old' }],
  until: '2026-11-23T08:10:00Z',
} as const
const problem: FormProblem = {
  code: 'otherWalletConfirm',
  values: { prefix: '071', wallet: 'OneMoney', method: 'EcoCash' },
  message: '',
}

/** Everything that the texts do not contain: values, names, and marks for the eye. */
const values = [
  ...Object.values(methodNames),
  'USD 12.50',
  ...Object.values(languageNames),
  ...['SHOP', 'DESCRIPTION', 'PROMPT', 'REFERENCE', 'MP1', 'pay_1', '077 *** 4567', 'USD 1,025.50'],
  ...['701', '234', '567', 'ABCDEF', '*151*2*4#', '10:10', 'gateway.test/resume', '077 123 4567'],
  '+263 77 123 4567',
  '+263 77 300 4410',
]

async function check(page: ComponentType<never>, props: object): Promise<void> {
  const screen = await renderComponent(createElement(page as ComponentType<object>, props))
  expect(document.body.textContent).toContain('⟦')
  await photograph()
  expect(untranslated('main, footer', values)).toEqual([])
  expect(clipped('main, footer')).toEqual([])
  await screen.unmount()
}

interface Shown {
  readonly intent?: string
  readonly isStill?: boolean
  readonly refusal?: RefusedForm
}

const checkStage = (part: Partial<CheckoutView>, { intent = '', isStill = false, refusal }: Shown = {}) =>
  check(PaymentPage, {
    page: { kind: 'payment', token: 'token', view: { ...view, ...part }, refused: refusal ?? null },
    origin: 'https://gateway.test',
    intent: intent || null,
    isStill,
    moves: null,
    locale: PSEUDO,
  })

const stages: Readonly<Record<string, readonly [Partial<CheckoutView>, Shown?]>> = {
  'the choice': [{}],
  'a choice without a method': [{ methods: [] }],
  'a choice while no provider can be reached': [
    { methods: view.methods.map((each) => ({ ...each, isDown: true })) },
  ],
  'a refused number': [
    {},
    { refusal: { typed: { method: 'ecocash', phone: '071' }, field: 'phone', problem } },
  ],
  'the wait': [{ stage: 'waiting', attempt: { ...attempt, prompt } }],
  'the wait with a code for another phone': [
    {
      stage: 'waiting',
      attempt: { ...attempt, prompt: { ...prompt, closesAt: null } },
      resumeCode: 'ACDEFGHJ',
    },
    { intent: 'leave', isStill: true },
  ],
  'a silent provider': [
    { stage: 'waiting', attempt: { ...attempt, isSilent: true, prompt: { ...prompt, isLast: true } } },
    { intent: 'check' },
  ],
  'a silent bank': [
    { stage: 'waiting', attempt: { ...attempt, method: 'visa', phone: null, isSilent: true } },
  ],
  'a card that is checked': [{ stage: 'waiting', attempt: { ...attempt, method: 'visa', phone: null } }],
  'a code': [{ stage: 'action', attempt: { ...attempt, method: 'innbucks', phone: null, step: code } }],
  'a page of the provider': [
    {
      stage: 'action',
      attempt: {
        ...attempt,
        method: 'visa',
        phone: null,
        step: { type: 'redirect', url: 'https://x.example/', until: null },
      },
    },
  ],
  success: [{ stage: 'completed', receipt }],
  'success without a way back': [{ stage: 'completed', receipt, continueUrl: null }],
  cancellation: [{ stage: 'cancelled' }],
  expiry: [{ stage: 'expired' }],
  'a partial refund': [{ stage: 'completed', receipt: partlyRefunded }],
  'a refund': [{ stage: 'refunded', receipt: { ...partlyRefunded, amountLeft: null } }],
  'a shop that takes no payments': [{ stage: 'unavailable' }],
  'a review': [{ stage: 'under_review' }],
}

test.each(Object.entries(stages))(
  'every text of the page is translated and fits: %s',
  async (_name, shown) => {
    await checkStage(...shown)
  },
)

test.each(statusReasons)('every text of the page is translated and fits: refused, %s', async (failure) => {
  await checkStage({ stage: 'refused', attempt: { ...attempt, failure } })
  await checkStage({ stage: 'refused', attempt: { ...attempt, method: 'visa', phone: null, failure } })
})

test('every text of the receipt, of the page for a code and of the page for a card is translated and fits', async () => {
  const page = { kind: 'receipt', token: 'token', view: { ...view, receipt } }
  await check(ReceiptPage, { page, locale: PSEUDO })
  for (const [stage, amountLeft] of [
    ['completed', '12.50'],
    ['refunded', null],
  ]) {
    const refunded = { ...view, stage, receipt: { ...partlyRefunded, amountLeft } }
    await check(ReceiptPage, { page: { ...page, view: refunded }, locale: PSEUDO })
  }
  await check(ReceiptPage, { page: { ...page, view }, locale: PSEUDO })
  for (const problemOfCode of [null, 'unknown', 'too-many'])
    await check(ResumePage, { page: { kind: 'resume', problem: problemOfCode }, locale: PSEUDO })
  const fields = { type: 'hosted_fields', script: 'data:text/javascript,', session: 's' }
  const bank = { type: 'post_form', url: 'https://bank.example/', fields: {} }
  for (const step of [fields, bank])
    await check(CardPage, { page: { kind: 'card', token: 'token', view, step }, locale: PSEUDO })
})
