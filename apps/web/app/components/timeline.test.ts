import english from 'virtual:texts/payments/en'
import { TimelineEntry } from '@muripo/contract/dashboard-payments'
import { statusReasons } from '@muripo/contract/enums'
import type { payments } from '@muripo/locales/payments'
import { translatorOf } from '@muripo/locales/translator'
import { describe, expect, test } from 'vitest'
import { methodLabel } from '../lib/format.ts'
import { timelineText } from './timeline.tsx'

const t = translatorOf<typeof payments>(english)

const textOf = (entry: object) => {
  const { title, text, tone } = timelineText(TimelineEntry.parse(entry), 'USD', t, methodLabel)
  return { title: t(title), text, tone }
}

/** A sentence or two for a shop owner, without a technical term. */
const readable = /^[A-Z][^_{}]{15,110}\.$/

describe.each([
  ['a payment', 'paymentReason'],
  ['a refund', 'refundReason'],
] as const)('each reason of %s', (_what, texts) => {
  test.each(statusReasons)('%s has its sentence', (reason) => {
    expect(t(texts, { reason })).toMatch(readable)
  })
})

test('each reason of a payment has its own text', () => {
  const sentences = statusReasons.map((reason) => t('paymentReason', { reason }))
  expect(new Set(sentences).size).toBe(statusReasons.length)
})

const at = '2026-11-20T09:30:00.000Z'
const facts = {
  at,
  method: 'ecocash',
  phone: '077 *** 4567',
  amount: 12.5,
  reference: 'MP1',
  reason: 'wrong_pin',
  explanation: null,
}

test.each(TimelineEntry.options.map((option) => option.shape.kind.value))('%s has its own text', (kind) => {
  const { title, text } = textOf({ ...facts, kind })
  expect(title).toMatch(/^[A-Z][a-z’ ]+$/)
  expect(text ?? 'None').not.toMatch(/_|undefined|null/)
})

test('each kind of entry has its own title', () => {
  const titles = TimelineEntry.options.map(
    (option) => textOf({ ...facts, kind: option.shape.kind.value }).title,
  )
  expect(new Set(titles).size).toBe(titles.length)
})

test.each([
  [{ kind: 'prompt_sent' }, 'EcoCash, 077 *** 4567'],
  [{ kind: 'attempt_failed' }, 'The customer entered a wrong PIN. Reference MP1.'],
  [{ kind: 'attempt_failed', reference: null }, 'The customer entered a wrong PIN.'],
  [{ kind: 'completed' }, 'EcoCash, reference MP1'],
  [
    { kind: 'paid_twice' },
    'EcoCash, 077 *** 4567, reference MP1. The second amount is not yours. It is refunded to the customer, and there is nothing for you to do.',
  ],
  [{ kind: 'refund_requested' }, 'USD12.50'],
  [
    { kind: 'refund_failed', reason: 'barred' },
    'USD12.50. The customer’s account cannot receive money right now. The money is still yours.',
  ],
  [
    { kind: 'refund_failed', reason: 'declined', explanation: 'The number is closed.' },
    'USD12.50. It could not be sent by hand: “The number is closed”. The money is still yours.',
  ],
  [{ kind: 'refund_bounced' }, 'USD12.50. The customer did not get it, and we send it again.'],
  [{ kind: 'reversed' }, 'The provider reports that it took USD12.50 back. We ask the provider.'],
  [
    { kind: 'reversed', amount: null },
    'The provider reports that it took the payment back. We ask the provider.',
  ],
  [{ kind: 'reversal_booked' }, 'USD12.50'],
  [{ kind: 'reversal_dismissed' }, 'The payment stays yours.'],
  [{ kind: 'reversal_undone' }, 'USD12.50'],
  [{ kind: 'refunded' }, 'USD12.50, reference MP1'],
  [{ kind: 'refunded', reference: null }, 'USD12.50'],
])('%j reads %s', (change, text) => {
  expect(textOf({ ...facts, ...change }).text).toBe(text)
})

test('a status has the same colour as in its badge', () => {
  const tones = (['completed', 'attempt_failed', 'waiting', 'refunded', 'created'] as const).map(
    (kind) => textOf({ ...facts, kind }).tone,
  )
  expect(tones).toEqual(['green', 'red', 'yellow', 'purple', 'grey'])
})
