import type { Chance } from './chance.ts'

/** A provider, the payments of its route, and the control of its simulator for the next charge. */
export interface Route {
  readonly provider: string
  readonly method: string
  readonly currency: 'USD' | 'ZWG'
  /** The start of the payer's number; absent where the method needs none. */
  readonly prefix?: string
  /** The payer authorises the amount, and the merchant captures or voids it. */
  readonly isManual?: true
  readonly control: string
  readonly behaviour: (chance: Chance) => object
}

const pick = <T>(chance: Chance, from: readonly T[]): T => from[Math.floor(chance.next() * from.length)] as T
const ms = (chance: Chance, most: number): number => Math.floor(chance.next() * most)

/** Two of three payers pay, and the others fail in all ways. */
function decided(chance: Chance, mostMs = 20_000): object {
  const afterMs = ms(chance, mostMs)
  if (chance.percent(66)) return { decision: { verdict: 'success', afterMs } }
  const verdict = pick(chance, [
    'cancelled',
    'wrong_pin',
    'insufficient_funds',
    'limit_exceeded',
    'barred',
    'expired',
  ])
  return { decision: { verdict, afterMs } }
}

/** The payers of lossy providers decide sooner, so that each of few customers pays often. */
const LOSSY_MS = 6000

/** Some failed charges are paid after all. */
const paidLate = (chance: Chance): object =>
  chance.percent(20) ? { lateSuccessAfterMs: 10_000 + ms(chance, 300_000) } : {}

const badReplies = ['drop', 'drop_before', 'error_after', 'error_before', 'html', 'html_before']
/** Those of a call that the provider has processed. */
const lostReplies = ['drop', 'error_after', 'html']
const badQueries = ['error', 'html', 'drop']
const misleadingQueries = ['all_null', 'not_found']

const refundProblems = (chance: Chance): object =>
  pick<object>(chance, [
    { refund: 'pending', refundAfterMs: 20_000 },
    { refund: 'declined' },
    { refund: 'conflict' },
    { refundReply: pick(chance, badReplies) },
  ])

/** Faults of a wallet after which look-ups find every outcome. */
const lossyWallet = (chance: Chance): readonly object[] => [
  { chargeReply: pick(chance, badReplies) },
  { queryReply: pick(chance, badQueries), queryTimes: 1 + ms(chance, 3) },
  { callback: 'lost' },
  { callbackTimes: 2 + ms(chance, 9) },
  { callback: 'before_reply' },
  { replyDelayMs: ms(chance, LOSSY_MS) },
  { chargeReply: pick(chance, badReplies), callback: 'lost' },
  refundProblems(chance),
]

/** The provider's part, for half of the charges. */
const walletProblems = (chance: Chance): readonly object[] => [
  ...lossyWallet(chance),
  { queryReply: pick(chance, misleadingQueries), queryTimes: 1 + ms(chance, 3) },
  { echoAmount: 0.01 },
  { neverResolves: true },
  { replyDelayMs: ms(chance, 20_000) },
]

const wallet =
  (more: readonly object[] = []) =>
  (chance: Chance): object => ({
    ...decided(chance),
    ...paidLate(chance),
    ...(chance.percent(50) && pick(chance, [...walletProblems(chance), ...more])),
  })

/** A code cannot be paid when the response with it was lost. */
const undelivered = { ending: undefined, lateClaimAfterMs: undefined, neverResolves: true }

function innbucks(chance: Chance): object {
  const isClaimed = chance.percent(66)
  const state = isClaimed ? pick(chance, ['Claimed', 'Paid']) : pick(chance, ['Expired', 'Timed Out'])
  return {
    ending: { state, afterMs: ms(chance, 20_000) },
    ...(!isClaimed && chance.percent(20) && { lateClaimAfterMs: 10_000 + ms(chance, 300_000) }),
    ...(chance.percent(40) &&
      pick<object>(chance, [
        { generateReply: pick(chance, badReplies), ...undelivered },
        { generateRefusal: pick(chance, ['13', '96']) },
        { generateForm: 'unapproved', ...undelivered },
        {
          inquiryReply: pick(chance, ['not_found', 'failed', 'error', 'html', 'drop']),
          inquiryTimes: 1 + ms(chance, 3),
        },
        { neverResolves: true },
        { echoMinor: 1 },
        { responseCodes: 'text' },
      ])),
  }
}

/** @param isLossy whether look-ups find every outcome */
const cardsWith =
  (isLossy: boolean) =>
  (chance: Chance): object => {
    const failures = ['DECLINED', 'EXPIRED_CARD', 'INSUFFICIENT_FUNDS', 'UNSPECIFIED_FAILURE']
    const isPaid = chance.percent(66)
    const code = isPaid ? 'APPROVED' : pick(chance, isLossy ? failures : [...failures, 'TIMED_OUT'])
    const pay = { code, afterMs: ms(chance, isLossy ? LOSSY_MS : 20_000) }
    const paid = { pay, ...(!isPaid && !isLossy && paidLate(chance)) }
    const own: { readonly sessionReply?: string } = chance.percent(40)
      ? pick<object>(chance, [
          { sessionReply: pick(chance, [...badReplies, 'busy']) },
          { lookupReply: pick(chance, [...badQueries, 'busy']), lookupTimes: 1 + ms(chance, 3) },
          { notification: 'lost' },
          { notificationTimes: 2 + ms(chance, 9) },
          { refund: pick(chance, ['pending', 'declined']), refundAfterMs: 20_000 },
          { refundReply: pick(chance, [...badReplies, 'busy']) },
          ...(isLossy ? [] : [{ echoAmount: 0.01 }]),
        ])
      : {}
    // Nobody can pay in a session whose id did not arrive.
    return { ...(!lostReplies.includes(own.sessionReply ?? '') && paid), ...own }
  }

/**
 * The bank of the card refuses some captures, and some answers about captures and voids are lost. Each instruction gets a result: one without
 * a result is an operator's a day after it was given, and the database refuses to move that time into the past.
 */
const authorisationsWith =
  (isLossy: boolean) =>
  (chance: Chance): object => ({
    ...cardsWith(isLossy)(chance),
    ...(chance.percent(40) &&
      pick<object>(chance, [
        { capture: 'declined' },
        { captureReply: pick(chance, lostReplies) },
        { voidReply: pick(chance, lostReplies) },
        ...(isLossy ? [] : [{ void: 'declined' }]),
      ])),
  })

const pesepay = (chance: Chance): object => ({
  ending: {
    status: chance.percent(66)
      ? 'SUCCESS'
      : pick(chance, [
          'CANCELLED',
          'DECLINED',
          'FAILED',
          'INSUFFICIENT_FUNDS',
          'TIME_OUT',
          'ERROR',
          'TERMINATED',
        ]),
    afterMs: ms(chance, 20_000),
  },
  ...(chance.percent(10) && { lateSuccessAfterMs: 10_000 + ms(chance, 300_000) }),
  ...(chance.percent(40) &&
    pick<object>(chance, [
      { callback: 'lost' },
      { callback: 'unsigned' },
      { echoMinor: 1 },
      { reference: 'in_poll_url' },
    ])),
})

const paynow = wallet([{ paynow: { hash: 'wrong' } }, { paynow: { hash: 'missing' } }])

const ecocash = {
  provider: 'ecocash',
  method: 'ecocash',
  currency: 'USD',
  prefix: '077',
  control: '/next',
} as const
const visa = { provider: 'mastercard', method: 'visa', currency: 'USD', control: '/mastercard/next' } as const

/** Providers that lose requests, answers and callbacks, and after which look-ups find every outcome. */
export const lossyRoutes: readonly Route[] = [
  {
    ...ecocash,
    behaviour: (chance) => ({
      ...decided(chance),
      ...(chance.percent(50) && pick(chance, lossyWallet(chance))),
    }),
  },
  { ...visa, behaviour: cardsWith(true) },
  { ...visa, isManual: true, behaviour: authorisationsWith(true) },
]

/** All providers with all faults: a method in another currency goes to another provider. */
export const routes: readonly Route[] = [
  { ...ecocash, behaviour: wallet() },
  {
    provider: 'ecocash-open',
    method: 'ecocash',
    currency: 'ZWG',
    prefix: '078',
    control: '/next',
    behaviour: wallet([{ ecocashOpen: { paymentReply: 'empty' } }]),
  },
  {
    provider: 'paynow',
    method: 'onemoney',
    currency: 'USD',
    prefix: '071',
    control: '/next',
    behaviour: paynow,
  },
  {
    provider: 'innbucks',
    method: 'innbucks',
    currency: 'USD',
    control: '/innbucks/next',
    behaviour: innbucks,
  },
  { ...visa, behaviour: cardsWith(false) },
  { ...visa, isManual: true, behaviour: authorisationsWith(false) },
  {
    provider: 'pesepay',
    method: 'visa',
    currency: 'ZWG',
    control: '/pesepay/next',
    behaviour: pesepay,
  },
]

export const environment = {
  // An authorisation that nobody captures ends within the hours that pass after the payers.
  MASTERCARD_CAPTURE_WITHIN_HOURS: '20',
  ROUTE_ECOCASH_ZWG: 'ecocash-open',
  ROUTE_VISA_ZWG: 'pesepay',
  ROUTE_INNBUCKS_ZWG: 'none',
  ROUTE_ONEMONEY_ZWG: 'none',
}
