import { RefundId } from '@muripo/contract/ids'
import { fromMajor, toDecimal } from '@muripo/contract/money'
import { storedMoney } from '../modules/operators/index.ts'
import {
  type LateRefundClosed,
  type OperatorRefund,
  operatorsReason,
  type RefundResolved,
  type RefundVerdict,
  remainingOf,
  showRefund,
  waitingRefunds,
} from '../modules/payments/index.ts'
import { AppError } from '../platform/errors.ts'
import { suffixOf } from '../platform/ids.ts'
import { reasonIn, textIn, typedAmount, typedId } from './arguments.ts'
import { type Command, type CommandArguments, type OperatorContext, Refused, UsageError } from './command.ts'
import { decideOrPropose } from './decide.ts'
import { paymentIn } from './find.ts'
import { ageText, block, firstOf, oneLine } from './print.ts'
import { reportText } from './provider-report.ts'

const SHOWN = 50

export const refundCommands: readonly Command[] = [
  {
    words: 'refunds list',
    does: 'list the refunds to send by hand or to clarify with their provider, the oldest first',
    async run({ ctx }) {
      const refunds = await waitingRefunds(ctx, SHOWN + 1)
      if (refunds.length === 0) return 'No refund waits for an operator.'
      const now = ctx.clock.now()
      return firstOf(refunds, SHOWN, (refund) => shown(refund, now))
    },
  },
  {
    words: 'refunds show',
    parameters: ['REFUND'],
    does: 'show one refund, whatever its status',
    async run(context, args) {
      const refund = await refundIn(context, args)
      return shown(refund, context.ctx.clock.now())
    },
  },
  {
    words: 'refunds open',
    parameters: ['MERCHANT', 'PAYMENT'],
    options: { reason: 'TEXT' },
    optional: { amount: 'AMOUNT' },
    flags: ['by-hand'],
    does: 'refund a payment for its merchant, the remaining amount or a part, whatever the status of the merchant; with --by-hand you send the refund, and not the API of the provider',
    run: open,
  },
  {
    words: 'refunds paid',
    parameters: ['REFUND'],
    options: { reference: 'REFERENCE' },
    optional: { amount: 'AMOUNT', because: 'TEXT', although: 'TEXT' },
    does: 'record that the refund was sent, with the reference of the provider; another amount than requested needs --because, and --although a reason when the provider has reported the charge as returned under another reference',
    run: (context, args) =>
      resolve(context, args, {
        kind: 'paid',
        reference: textIn(args.options, 'reference', 'the reference', 100),
        ...(args.options.although !== undefined && {
          although: textIn(args.options, 'although', 'the reason'),
        }),
      }),
  },
  {
    words: 'refunds failed',
    parameters: ['REFUND'],
    options: { reason: 'TEXT' },
    optional: { amount: 'AMOUNT', because: 'TEXT' },
    does: 'record that the refund cannot be sent, with a reason for the merchant: the amount is released to the balance of the merchant',
    run: (context, args) =>
      resolve(context, args, { kind: 'failed', reason: textIn(args.options, 'reason') }),
  },
  {
    words: 'refunds bounced',
    parameters: ['REFUND'],
    options: { reason: 'TEXT' },
    does: 'record that the amount of a paid refund came back to the provider account: it is owed to the payer again, and another refund is to be sent by hand',
    run: bounce,
  },
  {
    words: 'refunds unclaimed',
    parameters: ['REFUND'],
    options: { reason: 'TEXT' },
    does: 'record that the payer of a second charge cannot be reached: the amount moves to unclaimed.payable, and refunds paid still pays it',
    run: (context, args) =>
      resolve(context, args, { kind: 'unclaimed', reason: textIn(args.options, 'reason') }),
  },
  {
    words: 'refunds settled',
    parameters: ['REFUND'],
    options: { how: 'TEXT' },
    optional: { amount: 'AMOUNT' },
    does: 'record how a refund was resolved that its provider paid after its failure; --amount 0 when the provider returned the amount',
    run: settle,
  },
]

const states: Readonly<Record<OperatorRefund['status'], string>> = {
  sending: 'being sent',
  pending: 'with its provider',
  unknown: 'with its provider, outcome unknown',
  awaiting_operator: 'to be sent by hand',
  completed: 'paid',
  failed: 'failed',
}

const paidLate =
  'failed, and its provider paid it later, when its amount was already released to the merchant'

function statusText(refund: OperatorRefund): string {
  if (refund.replacedBy !== null) return `came back after it was paid: ${refund.replacedBy} replaces it`
  if (refund.status === 'failed' && refund.isUnclaimed) return 'unclaimed: the payer can still claim it'
  return refund.isPaidLate ? paidLate : states[refund.status]
}

const shown = (refund: OperatorRefund, now: Date): string =>
  block(`${refund.id}  since ${ageText(refund.createdAt, now)}`, [
    ['Status', statusText(refund)],
    ['Test', refund.isTest ? 'a test key created the payment: there is no money to send' : ''],
    ['Amount', `${refund.amount.currency} ${toDecimal(refund.amount)}`],
    [
      'Send to',
      `${refund.msisdn === null ? 'the payer of the charge' : `+${refund.msisdn}`}, ${refund.method}`,
    ],
    ['Provider', refund.provider],
    ['Charge reference', refund.chargeReference ?? ''],
    ['Charge now', reportText(refund.provider, refund.chargeReport, now)],
    ['Reason', refund.origin === 'duplicate' ? 'a second charge of the payment' : (refund.reason ?? '')],
    ['Shop', refund.shopName],
    ['Payment', `${refund.paymentId}, ${refund.description}`],
    ['Our key', suffixOf(refund.id)],
    ['Provider status', operatorsReason(refund) === null ? (refund.providerStatus ?? '') : ''],
    [
      'Why it failed',
      refund.status === 'failed' ? (operatorsReason(refund) ?? refund.failureReason ?? '') : '',
    ],
    ['Reference', refund.reference ?? ''],
    ...(refund.isWaiting ? verdicts(refund) : []),
  ])

const verdicts = ({ id, origin, isPaidLate }: OperatorRefund): [string, string][] =>
  isPaidLate
    ? [['When resolved', `npm run admin -- refunds settled ${id} --how "TEXT"`]]
    : [
        ['When sent', `npm run admin -- refunds paid ${id} --reference REFERENCE`],
        ...(origin === 'duplicate'
          ? []
          : [
              ['If not possible', `npm run admin -- refunds failed ${id} --reason "TEXT"`] as [
                string,
                string,
              ],
            ]),
      ]

const noRefund = (id: RefundId): Refused =>
  new Refused(`There is no refund ${id}: refunds list shows those that wait for an operator.`)

/** The refund that a command names. */
async function refundIn({ ctx }: OperatorContext, args: CommandArguments): Promise<OperatorRefund> {
  const id = typedId(RefundId, 'a refund', args.values[0])
  const refund = await showRefund(ctx, id)
  if (refund === null) throw noRefund(id)
  return refund
}

async function open(context: OperatorContext, args: CommandArguments): Promise<string> {
  const reason = textIn(args.options, 'reason')
  const { payment } = await paymentIn(context, args)
  const { accountId, id: paymentId } = payment
  const major = amountIn(args)
  const { currency } = payment.amount
  const amount = major === null ? remainingOf(payment) : fromMajor(major, currency)
  const payload = {
    accountId,
    paymentId,
    amount: storedMoney(amount),
    isByHand: args.flags.has('by-hand'),
    reason,
  }
  try {
    return await decideOrPropose(context, 'refund.open', { payload, reason }, (opened) => {
      const { isDone, isRepetition, refund } = opened
      const sum = `${currency} ${toDecimal(amount)}`
      if (isRepetition)
        return `Nothing new is opened: ${refund.id} of ${sum} was opened on ${refund.createdAt.toISOString()}, and is ${states[refund.status]}.`
      return isDone
        ? `${sum} of ${paymentId} is refunded. The merchant's server is notified.`
        : `A refund of ${sum} of ${paymentId} is open. refunds list shows it if it has to be sent by hand.`
    })
  } catch (error) {
    if (error instanceof AppError) throw new Refused(`${error.message}. Nothing has changed.`)
    throw error
  }
}

function amountIn({ options: { amount } }: CommandArguments): number | null {
  if (amount === undefined) return null
  if (/^\d{1,9}(\.\d{1,2})?$/.test(amount)) return Number(amount)
  throw new UsageError(`"${oneLine(amount)}" is not an amount: write it as 12.50.`)
}

async function resolve(
  context: OperatorContext,
  args: CommandArguments,
  verdict: RefundVerdict,
): Promise<string> {
  const refund = await refundIn(context, args)
  const moved = movedIn(refund, args)
  const payload = {
    ...namedIn(refund),
    verdict,
    ...(moved && { moved: { ...moved, amount: storedMoney(moved.amount) } }),
  }
  const reason = 'reason' in verdict ? verdict.reason : `sent under ${verdict.reference}`
  return decideOrPropose(context, 'refund.resolve', { payload, reason }, (resolved) =>
    resolvedText(context, refund, verdict, resolved),
  )
}

function resolvedText(
  { ctx }: OperatorContext,
  refund: OperatorRefund,
  verdict: RefundVerdict,
  resolved: RefundResolved,
): string {
  const { id } = refund
  if (resolved === 'done') {
    if (verdict.kind === 'unclaimed')
      return `${id} is unclaimed: its amount is on unclaimed.payable. When the payer claims it, send it and use refunds paid.`
    // No event reports the refund of a second charge, which was never the merchant's.
    const notified = refund.origin === 'duplicate' ? '' : " The merchant's server is notified."
    return verdict.kind === 'paid'
      ? `${id} is paid, under the reference ${verdict.reference}.${notified}`
      : `${id} has failed, and its amount is released to the merchant's balance. The merchant's server is notified.`
  }
  const refusals: Readonly<Record<Exclude<RefundResolved, 'done'>, Refused>> = {
    none: noRefund(id),
    over: new Refused(`${id} is already resolved: refunds show prints the result. Nothing has changed.`),
    withProvider: new Refused(
      `${id} is still open at its provider, and is looked up automatically. Nothing has changed.`,
    ),
    returned: new Refused(
      `${reportText(refund.provider, refund.chargeReport, ctx.clock.now())}. ${sameRefundText(refund)}If the refund was sent besides, or you know that the report is about another one, add --although "TEXT". Nothing has changed.`,
    ),
    payers: new Refused(
      `${id} refunds a second charge: its amount is owed to the payer until the refund is sent. When the payer cannot be reached, use refunds unclaimed.`,
    ),
    merchants: new Refused(
      `${id} refunds no second charge: when it cannot be sent, refunds failed returns its amount to the merchant. Nothing has changed.`,
    ),
  }
  throw refusals[resolved]
}

/** The provider's own reference proves that the operator means the refund that the provider reports. */
function sameRefundText({ chargeReport }: OperatorRefund): string {
  const reference = chargeReport?.eventReference ?? chargeReport?.providerReference
  return reference ? `If that is this refund, give its reference there: --reference ${reference}. ` : ''
}

const namedIn = ({ accountId, paymentId, id: refundId }: OperatorRefund) => ({
  accountId,
  paymentId,
  refundId,
})

async function bounce(context: OperatorContext, args: CommandArguments): Promise<string> {
  const refund = await refundIn(context, args)
  const reason = textIn(args.options, 'reason')
  const payload = { ...namedIn(refund), reason }
  return decideOrPropose(context, 'refund.bounce', { payload, reason }, (bounced) => {
    if (bounced.kind === 'done')
      return `${refund.id} came back, and its amount is owed to the payer again: ${bounced.replacement} replaces it, and refunds list shows it.`
    throw bounced.kind === 'none'
      ? noRefund(refund.id)
      : new Refused(`${refund.id} is not paid, so it cannot come back. Nothing has changed.`)
  })
}

/** The amount that the provider paid, when it differs from the requested one. */
function movedIn({ amount }: OperatorRefund, { options }: CommandArguments) {
  if (options.amount === undefined) return null
  return {
    amount: typedAmount(options.amount, amount.currency),
    reason: reasonIn(options, 'because'),
  }
}

async function settle(context: OperatorContext, args: CommandArguments): Promise<string> {
  const refund = await refundIn(context, args)
  const { id } = refund
  const { amount: text } = args.options
  const amount = text === undefined ? null : typedAmount(text, refund.amount.currency)
  const how = textIn(args.options, 'how')
  const payload = { ...namedIn(refund), how, amount: amount && storedMoney(amount) }
  return decideOrPropose(context, 'refund.settle', { payload, reason: how }, (settled) => {
    if (settled === 'done')
      return amount?.minor === 0n
        ? `${id} is resolved: the provider has its amount again, and nothing is booked.`
        : `${id} is resolved. The amount that its provider paid is on suspense: ledger adjust moves it.`
    const refusals: Readonly<Record<Exclude<LateRefundClosed, 'done'>, Refused>> = {
      none: noRefund(id),
      over: new Refused(`${id} is already resolved. Nothing has changed.`),
      unpaid: new Refused(`${id} was not paid after a failure. Nothing has changed.`),
    }
    throw refusals[settled]
  })
}
