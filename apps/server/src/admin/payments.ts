import { type AccountId, AnomalyId, AttemptId, PaymentId } from '@muripo/contract/ids'
import { type Currency, toDecimal } from '@muripo/contract/money'
import { storedMoney, storedVerdict } from '../modules/operators/index.ts'
import {
  type Anomaly,
  type AnomalyResolved,
  type AnomalyVerdict,
  type AttemptInReview,
  attemptsInReview,
  type ChargeContext,
  contextOf,
  openAnomalies,
  outcomesOf,
  type Resolved,
  type ReturnRecorded,
  type ReversalReported,
  reviewedPayment,
} from '../modules/payments/index.ts'
import { suffixOf } from '../platform/ids.ts'
import { optionalId, reasonIn, typedAmount, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { decideOrPropose } from './decide.ts'
import { paymentIn } from './find.ts'
import { ageText, block, oneLine } from './print.ts'
import { reportText } from './provider-report.ts'

const SHOWN = 50

export const paymentCommands: readonly Command[] = [
  {
    words: 'payments review',
    does: 'list the attempts and payments that need a decision, the oldest first: their provider has the answer',
    async run({ ctx }) {
      const attempts = await attemptsInReview(ctx, SHOWN + 1)
      const anomalies = await openAnomalies(ctx, SHOWN + 1)
      if (attempts.length + anomalies.length === 0) return 'No payment waits for a decision.'
      const now = ctx.clock.now()
      const blocks = [
        ...attempts.slice(0, SHOWN).map((attempt) => shown(attempt, now)),
        ...(await Promise.all(
          anomalies.slice(0, SHOWN).map(async (each) => shownAnomaly(each, await contextOf(ctx, each), now)),
        )),
      ]
      const hasMore = attempts.length > SHOWN || anomalies.length > SHOWN
      return [...blocks, ...(hasMore ? [`These are the first ${SHOWN}; there are more.`] : [])].join('\n\n')
    },
  },
  {
    words: 'payments resolve',
    parameters: ['PAYMENT', 'completed|failed|reversed|returned|bounced|differs|unchanged'],
    optional: {
      reference: 'REFERENCE',
      attempt: 'ATTEMPT',
      amount: 'AMOUNT',
      reason: 'TEXT',
      review: 'REVIEW',
      to: 'merchant',
    },
    does: 'record the outcome that the provider has confirmed: of an attempt completed with --reference or failed, another amount than requested with --amount and --reason; of a review one of the commands that payments review prints; returned, with --amount, when the provider returned a reversed amount, such as a won dispute',
    run: resolve,
  },
  {
    words: 'payments reversed',
    parameters: ['MERCHANT', 'PAYMENT'],
    options: { amount: 'AMOUNT', reason: 'TEXT' },
    does: 'report the total that the provider has reversed, by its statement: the merchant is notified, and payments resolve books the amount',
    run: report,
  },
]

const shown = (attempt: AttemptInReview, now: Date): string =>
  block(`${attempt.paymentId}  since ${ageText(attempt.createdAt, now)}`, [
    ['Test', attempt.isTest ? 'a test key created the payment: no money has moved' : ''],
    ['Shop', attempt.shopName],
    ['Description', attempt.description],
    ['Payment status', attempt.paymentStatus],
    ['Reason', reasonFor(attempt)],
    ['Amount', `${attempt.amount.currency} ${toDecimal(attempt.amount)}`],
    ['Instruction', instructionText(attempt)],
    ['Provider', `${attempt.provider}, ${attempt.method}`],
    ['Number', attempt.msisdn === null ? '' : `+${attempt.msisdn}`],
    ['Our key', suffixOf(attempt.id)],
    ['Provider status', attempt.providerStatus ?? ''],
    ['Provider reference', attempt.providerReference ?? ''],
    ['Attempt', attempt.id],
    ['To resolve', `npm run admin -- payments resolve ${attempt.paymentId} completed --reference REFERENCE`],
    ['', `npm run admin -- payments resolve ${attempt.paymentId} failed`],
    ['If the amount differs', 'add --amount AMOUNT --reason "TEXT"'],
  ])

const instructionText = ({ instruction }: AttemptInReview): string => {
  if (instruction === null) return ''
  return instruction === 'void'
    ? 'void the authorisation'
    : `capture ${instruction.currency} ${toDecimal(instruction)}`
}

const reasonFor = ({ heldBecause, outcomeFailures }: AttemptInReview): string =>
  heldBecause ??
  (outcomeFailures > 0
    ? `the gateway could not record its outcome ${outcomeFailures} times: see the log`
    : 'its provider reported no final outcome within a day')

const reportedFacts: Readonly<Record<Anomaly['kind'], string>> = {
  reversed: 'its provider reversed the charge',
  contradicted: 'its provider reports a failure after a confirmation',
  amount_differs: 'its provider reports another amount than is booked',
  still_pending: 'its provider still reports it as pending, three days after its failure',
  unanswered: 'its provider did not answer for three days',
  returned: 'its provider returned a reversed amount',
  reference_repeated: 'its provider reported the reference of another payment',
}

function shownAnomaly(
  anomaly: Anomaly,
  { provider, report, refusedRefunds }: ChargeContext,
  now: Date,
): string {
  const { id, paymentId, attemptId, refundId, kind, amount, currency, providerStatus, openedAt } = anomaly
  const command = `npm run admin -- payments resolve ${paymentId}`
  const lines: Readonly<Record<AnomalyVerdict['kind'], () => [string, string][]>> = {
    reversed: () => [['If reversed', `${command} reversed --amount AMOUNT --reason "TEXT" --review ${id}`]],
    bounced: () => [['If it came back', `${command} bounced --reason "TEXT" --review ${id}`]],
    completed: () => [['If paid', `${command} completed --reference REFERENCE --review ${id}`]],
    differs: () => differsLines(`${command} differs --amount TOTAL`, anomaly),
    unchanged: () => [['If nothing moved', `${command} unchanged --reason "TEXT" --review ${id}`]],
  }
  return block(`${paymentId}  since ${ageText(openedAt, now)}`, [
    ['Reason', reportedFacts[kind]],
    ['About', refundId === null ? 'the charge' : `the refund ${refundId}`],
    ['Amount', amount === null ? `${currency}, amount not reported` : `${currency} ${toDecimal(amount)}`],
    ['Provider status', providerStatus],
    ['Last report', reportText(provider, report, now)],
    ['Explained', kind === 'reversed' && refusedRefunds.length > 0 ? explainedText(refusedRefunds) : ''],
    ['Our key', suffixOf(refundId ?? attemptId)],
    ['Review', id],
    ...outcomesOf(anomaly).flatMap((outcome) => lines[outcome]()),
  ])
}

const explainedText = (refunds: readonly string[]): string =>
  `only if refund ${refunds.join(' or ')} was paid after all: ask ${refunds.length === 1 ? 'about it' : 'about them'} too`

/** TOTAL is the whole amount at the provider; the difference from the booked amount is booked. */
const differsLines = (command: string, { id, refundId }: Anomaly): [string, string][] => [
  ['If the report is right', `${command} --reason "TEXT" --review ${id}`],
  ...(refundId === null
    ? [['If captured twice', `${command} --to merchant --reason "TEXT" --review ${id}`] as [string, string]]
    : []),
]

/** A payment that a command names; the account is null for one that no operator decides about. */
interface Named {
  readonly accountId: AccountId | null
  readonly paymentId: PaymentId
  readonly currency: Currency
}

async function resolve(context: OperatorContext, args: CommandArguments): Promise<string> {
  const { values, options } = args
  const [payment = '', outcome = ''] = values
  const paymentId = typedId(PaymentId, 'a payment', payment)
  const attemptId = optionalId(AttemptId, 'an attempt', options.attempt)
  const reviewed = await reviewedPayment(context.ctx, paymentId)
  const currency = reviewed?.currency ?? 'USD'
  const named = { accountId: reviewed?.accountId ?? null, paymentId, currency }
  if (outcome === 'returned') return recordReturned(context, args, named)
  if (options.review !== undefined || ['reversed', 'bounced', 'differs', 'unchanged'].includes(outcome))
    return resolveReported(context, args, named)
  const moved = options.amount === undefined ? null : typedAmount(options.amount, currency)
  const verdict = verdictOf(outcome, options.reference)
  if (reviewed === null) return saying({ kind: 'none' }, paymentId)
  const payload = {
    accountId: reviewed.accountId,
    paymentId,
    attemptId,
    verdict,
    ...(moved && { moved: { amount: storedMoney(moved), reason: reasonIn(options) } }),
  }
  const reason = options.reason === undefined ? providersWord(verdict) : reasonIn(options)
  return decideOrPropose(context, 'attempt.resolve', { payload, reason }, (resolved) =>
    saying(resolved, paymentId),
  )
}

const providersWord = (verdict: Reported): string =>
  verdict.outcome === 'completed'
    ? `the provider reports it as paid under ${verdict.reference}`
    : 'the provider reports it as not paid'

async function resolveReported(
  context: OperatorContext,
  { values: [, outcome = ''], options }: CommandArguments,
  { accountId, paymentId, currency }: Named,
): Promise<string> {
  const anomalyId = optionalId(AnomalyId, 'a review', options.review)
  const verdict = reportedVerdict(outcome, options, currency)
  const refusals: Readonly<Record<Exclude<AnomalyResolved, 'done'>, string>> = {
    none: `${paymentId} has no such review: payments review lists the reviews.`,
    several: `${paymentId} has several reviews: name one with --review, as payments review shows it.`,
    unfit: `"${outcome}" is no possible outcome of this review: payments review shows the possible ones. Nothing has changed.`,
    too_much:
      'Give an amount above 0 that is not more than the charge less its refunds, open ones too, and less what is booked as reversed. Nothing has changed.',
  }
  if (accountId === null) throw new Refused(refusals.none)
  const reason =
    'reason' in verdict ? verdict.reason : `the provider reports it as paid under ${verdict.reference}`
  const payload = { accountId, paymentId, anomalyId, verdict: storedVerdict(verdict) }
  return decideOrPropose(context, 'anomaly.resolve', { payload, reason }, (resolved) => {
    if (resolved !== 'done') throw new Refused(refusals[resolved])
    if (verdict.kind === 'bounced')
      return `${paymentId} is reviewed: the amount is owed to the payer again, and refunds list shows the refund to send. The merchant's server is notified unless the refund was of a second charge.`
    return verdict.kind === 'reversed'
      ? `${paymentId} is reviewed, and ${verdict.amount.currency} ${toDecimal(verdict.amount)} is booked.`
      : `${paymentId} is reviewed.`
  })
}

async function recordReturned(
  context: OperatorContext,
  { options }: CommandArguments,
  { accountId, paymentId, currency }: Named,
): Promise<string> {
  const anomalyId = optionalId(AnomalyId, 'a review', options.review)
  if (options.amount === undefined) throw new UsageError('Give the returned amount: --amount AMOUNT.')
  const amount = typedAmount(options.amount, currency)
  const reason = reasonIn(options)
  const refusals: Readonly<Record<Exclude<ReturnRecorded, 'done'>, string>> = {
    none: `No reversal of ${paymentId} is booked. Nothing has changed.`,
    several: `Reversals of several charges of ${paymentId} are booked: name the review of one with --review.`,
    too_much: 'Give an amount above 0 that is not more than is booked as reversed. Nothing has changed.',
  }
  if (accountId === null) throw new Refused(refusals.none)
  const payload = { accountId, paymentId, anomalyId, amount: storedMoney(amount), reason }
  return decideOrPropose(context, 'payment.return', { payload, reason }, (recorded) => {
    if (recorded !== 'done') throw new Refused(refusals[recorded])
    return `${currency} ${toDecimal(amount)} of ${paymentId} is returned, and can be refunded again.`
  })
}

function reportedVerdict(
  outcome: string,
  options: CommandArguments['options'],
  currency: Currency,
): AnomalyVerdict {
  if (outcome === 'unchanged' || outcome === 'bounced') return { kind: outcome, reason: reasonIn(options) }
  if (outcome === 'reversed') {
    if (options.amount === undefined) throw new UsageError('Give the reversed amount: --amount AMOUNT.')
    return { kind: outcome, amount: typedAmount(options.amount, currency), reason: reasonIn(options) }
  }
  if (outcome === 'differs') {
    if (options.amount === undefined)
      throw new UsageError('Give the whole amount that the provider has: --amount TOTAL.')
    const total = typedAmount(options.amount, currency)
    return { kind: outcome, total, to: sideIn(options), reason: reasonIn(options) }
  }
  const verdict = verdictOf(outcome, options.reference)
  if (verdict.outcome === 'failed')
    throw new UsageError('The outcome of a review is completed, reversed, bounced, differs or unchanged.')
  return { kind: 'completed', reference: verdict.reference }
}

function sideIn({ to }: CommandArguments['options']): 'suspense' | 'merchant' {
  if (to === undefined || to === 'merchant') return to ?? 'suspense'
  throw new UsageError('The difference is booked on suspense, or with --to merchant to the merchant.')
}

async function report(context: OperatorContext, args: CommandArguments): Promise<string> {
  const { payment } = await paymentIn(context, args)
  const { accountId, id: paymentId } = payment
  const reason = reasonIn(args.options)
  const amount = storedMoney(typedAmount(args.options.amount ?? '', payment.amount.currency))
  const payload = { accountId, paymentId, amount, reason }
  return decideOrPropose(context, 'payment.reverse', { payload, reason }, (reported) => {
    if (reported === 'opened')
      return `The merchant's server is notified, and payments review lists ${paymentId} with the command that books the amount.`
    const refusals: Readonly<Record<Exclude<ReversalReported, 'opened'>, string>> = {
      known: `This amount of ${paymentId} is reported already: give the total. Nothing has changed.`,
      none: `${paymentId} is not completed, so nothing of it can be reversed.`,
      too_much:
        'Give an amount above 0 that is not more than was charged and not refunded. Nothing has changed.',
    }
    throw new Refused(refusals[reported])
  })
}

type Reported = { readonly outcome: 'completed'; readonly reference: string } | { readonly outcome: 'failed' }

function verdictOf(outcome: string, args: string | undefined): Reported {
  const reference = oneLine(args ?? '')
  if (outcome === 'failed' && args === undefined) return { outcome }
  if (outcome === 'completed' && reference !== '' && reference.length <= 100) return { outcome, reference }
  throw new UsageError(
    outcome === 'completed'
      ? "Give the provider's reference: --reference …, 100 characters at most."
      : 'The outcome is completed with --reference, or failed without it.',
  )
}

function saying(resolved: Resolved, paymentId: PaymentId): string {
  if (resolved.kind === 'none')
    throw new Refused(`No attempt of ${paymentId} waits for a decision: payments review lists those that do.`)
  if (resolved.kind === 'paid_already')
    throw new Refused(
      `${paymentId} is already paid by another attempt. Resolve this one as failed with the same --amount: the amount is booked on suspense, and you refund it by hand.`,
    )
  if (resolved.kind === 'several') {
    const ids = resolved.attempts.map((id) => `  ${id}`)
    throw new Refused([`${paymentId} has several attempts: name one with --attempt:`, ...ids].join('\n'))
  }
  const besides = resolved.isDuplicate
    ? ' The payment was already paid: a refund of the second amount is open, and refunds list shows it if you have to send it.'
    : ''
  return `The attempt is resolved, and ${paymentId} is ${resolved.status}.${besides}`
}
