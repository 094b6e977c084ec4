import { currencies, type Money } from '@muripo/contract/money'
import { paymentMethods } from '@muripo/contract/payments'
import { problemOf } from '@muripo/locales/form-problems'
import type { Clock } from '../../../platform/clock.ts'
import type { CaptureOrder, ChargeRequest, Connector, NextAction, Reply } from '../connector.ts'
import { isAmong, refuseRealNumber } from '../msisdn.ts'
import { type Choice, isChoice, numbersOf, scheduledChoice } from './outcomes.ts'
import { openState, readState, type SimulatedCharge } from './state.ts'

const WALLETS = 'simulator'
const CARDS = 'simulator-cards'

export const SIMULATOR_LABEL = 'Simulator for test keys'

/** The connectors have these names and no account, so that no route and no operator can name them for live payments. */
export const isSimulated = (provider: string): boolean => provider === WALLETS || provider === CARDS

/** The time in which the payer chooses on the simulated page. */
const PAGE_MS = 15 * 60_000
const WEEK_MS = 7 * 24 * 60 * 60_000

/**
 * The provider of test keys in a live gateway without an account for them. It moves no money and has no state of its own: the outcome
 * follows from the state of the attempt, the time and the payer's choice, so every process answers alike, also after a restart.
 */
export function simulatedConnectors(clock: Clock): readonly Connector[] {
  const wallets = paymentMethods.filter((method) => method !== 'visa')
  return [
    {
      ...simulatedConnector(clock),
      id: WALLETS,
      methods: wallets,
      testNumbers: wallets.flatMap((method) => numbersOf(method) ?? []),
    },
    {
      ...simulatedConnector(clock),
      id: CARDS,
      methods: ['visa'],
      authorise: { captureWithinMs: WEEK_MS },
    },
  ]
}

function simulatedConnector(clock: Clock): Omit<Connector, 'id' | 'methods'> {
  const now = () => clock.now().getTime()
  return {
    name: SIMULATOR_LABEL,
    currencies,
    needs: (method) => (numbersOf(method) ? ['phone'] : []),
    refund: 'api-partial',
    reversals: 'unreported',
    returnedEcho: 'unknown',
    references: 'unique',
    // A refund is made with the reply that records it.
    refundLookup: 'proved',
    promptLifeMs: PAGE_MS,
    minPollMs: 1000,
    attemptTtlMs: 60_000,
    refuseNumber(msisdn, method) {
      const numbers = numbersOf(method)
      if (numbers && !isAmong(numbers, msisdn) && method === 'onemoney' && !/^26371/.test(msisdn))
        return problemOf('phoneNotOnemoney')
      return refuseRealNumber(numbers, msisdn)
    },
    async charge(request) {
      request.beforeSending?.()
      const charge = openState(request, now(), PAGE_MS)
      return { ...replyAbout(charge, now()), next: stepOf(request, charge) }
    },
    async lookup({ state, capture }) {
      const charge = readState(state)
      return charge ? replyAbout(charge, now(), capture) : { kind: 'not_found' }
    },
    async proceed({ state, capture, choice, isOver }) {
      const charge = readState(state)
      if (charge === null) return { kind: 'not_found' }
      const isTooLate = isOver || charge.choice !== null || now() > charge.expiresAt
      const chosen = !isTooLate && isChoice(choice) ? { ...charge, choice } : charge
      return replyAbout(chosen, now(), capture)
    },
    async refundCharge({ beforeSending, amount, key }) {
      beforeSending?.()
      return refunded(amount.currency, String(amount.minor), key)
    },
    async lookupRefund({ state, key }) {
      const { currency, minor } = state ?? {}
      const known = currencies.find((each) => each === currency)
      return known && typeof minor === 'string' ? refunded(known, minor, key) : { kind: 'not_found' }
    },
  }
}

const refunded = (currency: Money['currency'], minor: string, key: string): Reply => ({
  kind: 'reply',
  outcome: 'completed',
  providerStatus: 'REFUNDED',
  providerReference: referenceOf(key),
  state: { currency, minor },
  echo: { minor: BigInt(minor), currency },
  reason: null,
})

const referenceOf = (key: string): string => `TEST-${key.toUpperCase()}`

/** The page on which the payer chooses is below the page of the payment, whose address only the payer has. */
const pageOf = ({ returnUrl }: ChargeRequest): string => returnUrl.replace(/\/return$/, '/simulator')

function stepOf(request: ChargeRequest, { expiresAt }: SimulatedCharge): NextAction {
  if (numbersOf(request.method)) return { type: 'wait_for_push' }
  const url = pageOf(request)
  const end = { expiresAt: new Date(expiresAt).toISOString() }
  if (request.method !== 'innbucks') return { type: 'redirect', url, ...end }
  const code = String(parseInt(request.key.slice(-8), 36) % 1_000_000_000).padStart(9, '0')
  return { type: 'show_code', code, qr: url, links: [{ url }], ...end }
}

const failures = { no_funds: 'insufficient_funds', cancel: 'user_cancelled' } as const satisfies Partial<
  Record<Choice, Reply['reason']>
>

function replyAbout(charge: SimulatedCharge, now: number, capture?: CaptureOrder): Reply {
  const { amount, state, choice, method, msisdn, startedAt, expiresAt } = charge
  const chosen = choice ?? scheduledChoice(method, msisdn, now - startedAt)
  const reply = (outcome: Reply['outcome'], fields: Partial<Reply> = {}): Reply => ({
    kind: 'reply',
    outcome,
    providerStatus: (chosen ?? outcome).toUpperCase(),
    providerReference: null,
    state: { ...state, choice: chosen },
    echo: null,
    reason: null,
    ...fields,
  })
  if (chosen === null) return now > expiresAt ? reply('failed', { reason: 'expired' }) : reply('pending')
  if (chosen !== 'pay') return reply('failed', { reason: failures[chosen] })
  const providerReference = referenceOf(charge.key)
  switch (capture?.kind) {
    case 'await':
      return reply('authorized', { providerReference, echo: amount })
    case 'void':
      return reply('failed', { reason: 'declined' })
    case 'capture':
      return reply('completed', {
        providerReference,
        echo: capture.amount,
        state: { ...state, choice: chosen, captured: String(capture.amount.minor) },
      })
    default:
      return reply('completed', { providerReference, echo: charge.captured ?? amount })
  }
}
