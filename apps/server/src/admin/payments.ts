import { AttemptId, PaymentId } from '@muripo/contract/ids'
import { toDecimal } from '@muripo/contract/money'
import {
  type AttemptInReview,
  attemptsInReview,
  paymentsCtx,
  type Resolved,
  resolveAttempt,
  type Verdict,
} from '../modules/payments/index.ts'
import { createProviders } from '../modules/providers/index.ts'
import { parseId, suffixOf } from '../platform/ids.ts'
import { createInflight } from '../platform/inflight.ts'
import { type Command, type Desk, type Given, Refused, UsageError } from './command.ts'
import { ageText, block, oneLine } from './print.ts'

const SHOWN = 50

export const paymentCommands: readonly Command[] = [
  {
    words: 'payments review',
    does: 'the attempts to pay that only a person can decide, the oldest first: ask their provider',
    async run({ ctx }) {
      const attempts = await attemptsInReview(ctx, SHOWN + 1)
      if (attempts.length === 0) return 'No payment waits for a decision.'
      const now = ctx.clock.now()
      const blocks = attempts.slice(0, SHOWN).map((attempt) => shown(attempt, now))
      const more = attempts.length > SHOWN ? [`These are the first ${SHOWN}; there are more.`] : []
      return [...blocks, ...more].join('\n\n')
    },
  },
  {
    words: 'payments resolve',
    parameters: ['PAYMENT', 'completed|failed'],
    optional: { reference: 'REFERENCE', attempt: 'ATTEMPT' },
    does: 'decide it as its provider told you; completed needs the reference that the provider gave',
    run: resolve,
  },
]

const shown = (attempt: AttemptInReview, now: Date): string =>
  block(`${attempt.paymentId}  since ${ageText(attempt.createdAt, now)}`, [
    ['But', attempt.isTest ? 'a test key made it: no money has moved' : ''],
    ['Shop', attempt.shopName],
    ['For', attempt.description],
    ['Payment is', attempt.paymentStatus],
    ['Why', reasonFor(attempt)],
    ['Amount', `${attempt.amount.currency} ${toDecimal(attempt.amount)}`],
    ['Provider', `${attempt.provider}, ${attempt.method}`],
    ['Number', `+${attempt.msisdn}`],
    ['Our key', suffixOf(attempt.id)],
    ['Its word', attempt.providerStatus ?? ''],
    ['Its reference', attempt.providerReference ?? ''],
    ['Attempt', attempt.id],
    ['To resolve', `npm run admin -- payments resolve ${attempt.paymentId} completed --reference REFERENCE`],
    ['', `npm run admin -- payments resolve ${attempt.paymentId} failed`],
  ])

const reasonFor = ({ heldBecause, outcomeFailures }: AttemptInReview): string =>
  heldBecause ??
  (outcomeFailures > 0
    ? `the gateway could not record its outcome ${outcomeFailures} times: see the log`
    : 'its provider gave no clear answer within a day')

async function resolve({ ctx, operator }: Desk, { values, options }: Given): Promise<string> {
  const [payment = '', outcome = ''] = values
  const paymentId = parseId(PaymentId, payment)
  if (paymentId === null) throw new UsageError(`"${oneLine(payment)}" is not the id of a payment.`)
  const attemptId = options.attempt === undefined ? null : parseId(AttemptId, options.attempt)
  if (attemptId === null && options.attempt !== undefined)
    throw new UsageError(`"${oneLine(options.attempt)}" is not the id of an attempt.`)
  const payments = paymentsCtx(ctx, createProviders(ctx.config), createInflight(ctx.log))
  const verdict = verdictOf(outcome, options.reference)
  return saying(await resolveAttempt(payments, operator, paymentId, attemptId, verdict), paymentId)
}

function verdictOf(outcome: string, given: string | undefined): Verdict {
  const reference = oneLine(given ?? '')
  if (outcome === 'failed' && given === undefined) return { outcome }
  if (outcome === 'completed' && reference !== '' && reference.length <= 100) return { outcome, reference }
  throw new UsageError(
    outcome === 'completed'
      ? "Give the provider's reference of the money: --reference …, 100 characters at most."
      : 'Say completed, with --reference, or failed, without.',
  )
}

function saying(resolved: Resolved, paymentId: PaymentId): string {
  if (resolved.kind === 'none')
    throw new Refused(`No attempt of ${paymentId} waits for a decision: payments review lists what does.`)
  if (resolved.kind === 'several') {
    const ids = resolved.attempts.map((id) => `  ${id}`)
    throw new Refused([`${paymentId} has several; name one with --attempt:`, ...ids].join('\n'))
  }
  const besides = resolved.isDuplicate
    ? ' It was paid already: what came the second time goes back to the payer.'
    : ''
  return `The attempt is decided, and ${paymentId} is ${resolved.status}.${besides}`
}
