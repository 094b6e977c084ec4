import type { ProposalKind } from '@muripo/contract/console-permissions'
import type { AccountId } from '@muripo/contract/ids'
import { toDecimal } from '@muripo/contract/money'
import type { Proposal } from '@muripo/contract/proposals'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import {
  applicationsOf,
  changeMerchantStatus,
  reservedWordsOf,
  reviewCode,
  type StatusChangeResult,
  unnamedWords,
  waitsForReview,
} from '../../applications/index.ts'
import {
  canMove,
  findMerchants,
  lockMerchant,
  type MerchantMove,
  merchantMoves,
} from '../../identity/index.ts'
import {
  type AttemptInReview,
  findPayment,
  type PaymentsCtx,
  resolveAttempt,
  resolveRefund,
  reviewedAttempts,
  showRefund,
} from '../../payments/index.ts'
import {
  type AttemptPayload,
  type KindTypes,
  type MerchantPayload,
  moneyOf,
  type RefundPayload,
} from './payloads.ts'

/** A decision as it is stored, with the lines that the second operator reads. */
interface Described<Payload> {
  readonly payload: Payload
  readonly subject: string
  readonly accountId: AccountId
  readonly version: string
  readonly about: string
  readonly diff: Proposal['diff']
}

/** One kind of decision. Nothing else in the server calls the actions of these kinds. */
export interface Kind<Payload, Result> {
  /** @throws AppError proposal_refused, proposal_stale when the decision is not possible in the present state */
  describe(ctx: PaymentsCtx, payload: Payload): Promise<Described<Payload>>
  /** The version of the subject in the transaction of an approval. */
  versionIn(tx: Tx, payload: Payload): Promise<string>
  execute(ctx: PaymentsCtx, actor: Actor, payload: Payload): Promise<Result>
  /** Whether a transaction of the action has executed it, by the result of that transaction. */
  isDone(result: unknown): boolean
  /** The reason why the action has executed nothing; null when it has. */
  whyNot(result: Result): string | null
  readonly accountOf: (payload: Payload) => AccountId
}

const notPossible = 'This is not possible in the present state'

const refused = (detail: string): AppError => new AppError('proposal_refused', { detail })

const merchantKind = (move: MerchantMove): Kind<MerchantPayload, StatusChangeResult> => ({
  accountOf: ({ merchantId }) => merchantId,
  async describe(ctx, payload) {
    const { merchantId, seen, reserved = '' } = payload
    const [merchant] = await findMerchants(ctx.db.kysely, merchantId)
    if (!merchant) throw new AppError('not_found', { detail: 'There is no merchant with this id' })
    const applications = await applicationsOf(ctx.db.kysely, merchantId)
    const waiting = applications.filter(waitsForReview)
    const isReview = move === 'approve' && merchant.status === 'approved' && waiting.length > 0
    if (!isReview && !canMove(merchant.status, move))
      throw refused(`The merchant is ${merchant.status}: ${move} is not possible. Nothing has changed`)
    const code = reviewCode(merchant, applications)
    if (seen !== null && seen !== code) throw new AppError('proposal_stale')
    const words =
      move === 'approve' ? unnamedWords(reservedWordsOf(ctx.config, merchant, applications), reserved) : []
    if (words.length > 0)
      throw refused(`The names contain ${words.join(', ')}: name these words to approve them`)
    const shown = [merchant.fullname, ...applications.map(({ name }) => name)].join(', ')
    return {
      payload: { ...payload, seen: code },
      subject: merchantId,
      accountId: merchantId,
      version: merchantVersion(merchant, code),
      about: merchant.fullname,
      diff: [
        {
          label: 'Status',
          from: merchant.status,
          to: isReview ? merchant.status : merchantMoves[move].to[0],
        },
        ...(move === 'approve' ? [{ label: 'Payers see', from: null, to: shown }] : []),
      ],
    }
  },
  async versionIn(tx, { merchantId }) {
    const merchant = await lockMerchant(tx, merchantId)
    if (merchant === null) return 'none'
    return merchantVersion(merchant, reviewCode(merchant, await applicationsOf(tx, merchantId)))
  },
  execute: (ctx, actor, payload) => changeMerchantStatus(ctx, actor, { ...payload, move }),
  isDone: (result) => whyNotMoved(result as StatusChangeResult) === null,
  whyNot: whyNotMoved,
})

const whyNotMoved = ({ result }: StatusChangeResult): string | null =>
  result === 'done' || result === 'names_approved' ? null : notPossible

const merchantVersion = (
  { status, statusChange }: NonNullable<Awaited<ReturnType<typeof lockMerchant>>>,
  code: string,
): string => [status, statusChange?.at.toISOString() ?? '', code].join(' ')

/** Every change of a payment, of its attempts and of its refunds counts its version up. */
async function paymentVersion(
  q: Tx,
  { accountId, paymentId }: AttemptPayload | RefundPayload,
): Promise<string> {
  return String((await findPayment(q, accountId, paymentId))?.version ?? 'none')
}

const movedOf = ({ moved }: AttemptPayload | RefundPayload) =>
  moved && { moved: { amount: moneyOf(moved.amount), reason: moved.reason } }

const movedLine = (payload: AttemptPayload | RefundPayload): Proposal['diff'] => {
  const moved = movedOf(payload)?.moved
  return moved
    ? [
        {
          label: 'Moved amount',
          from: null,
          to: `${moved.amount.currency} ${toDecimal(moved.amount)}, ${moved.reason}`,
        },
      ]
    : []
}

const amountText = ({ amount }: Pick<AttemptInReview, 'amount'>): string =>
  `${amount.currency} ${toDecimal(amount)}`

const attemptKind: Kind<AttemptPayload, KindTypes['attempt.resolve']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const { paymentId, verdict } = payload
    const found = (await reviewedAttempts(ctx, paymentId)).filter(
      ({ id }) => payload.attemptId === null || id === payload.attemptId,
    )
    const [attempt] = found
    if (!attempt || found.length > 1)
      throw refused(
        attempt ? 'The payment has several attempts: name one' : 'No such attempt waits for a decision',
      )
    const { accountId, status } = attempt
    const exact = { ...payload, accountId, attemptId: attempt.id }
    return {
      payload: exact,
      subject: attempt.id,
      accountId,
      version: await paymentVersion(ctx.db.kysely as Tx, exact),
      about: `${paymentId} of ${attempt.shopName}, ${amountText(attempt)}`,
      diff: [
        { label: 'Attempt', from: status, to: verdict.outcome },
        ...(verdict.outcome === 'completed'
          ? [{ label: 'Reference', from: null, to: verdict.reference }]
          : []),
        ...movedLine(payload),
      ],
    }
  },
  versionIn: paymentVersion,
  execute: (ctx, actor, payload) =>
    resolveAttempt(ctx, actor, payload.paymentId, payload.attemptId, {
      ...payload.verdict,
      ...movedOf(payload),
    }),
  // The transaction is rolled back unless it writes the outcome.
  isDone: () => true,
  whyNot: ({ kind }) => (kind === 'done' ? null : notPossible),
}

const refundKind: Kind<RefundPayload, KindTypes['refund.resolve']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const { refundId, verdict } = payload
    const refund = await showRefund(ctx, refundId)
    if (refund === null) throw new AppError('not_found', { detail: 'There is no refund with this id' })
    const isClaim = verdict.kind === 'paid' && refund.isUnclaimed
    if (!refund.isWaiting && !isClaim) throw refused('The refund waits for no decision')
    return {
      payload,
      subject: refundId,
      accountId: refund.accountId,
      version: await paymentVersion(ctx.db.kysely as Tx, payload),
      about: `${refundId} of ${refund.shopName}, ${amountText(refund)}`,
      diff: [
        { label: 'Refund', from: refund.status, to: verdict.kind },
        ...('reference' in verdict ? [{ label: 'Reference', from: null, to: verdict.reference }] : []),
        ...movedLine(payload),
      ],
    }
  },
  versionIn: paymentVersion,
  execute: (ctx, actor, payload) =>
    resolveRefund(ctx, actor, payload.refundId, { ...payload.verdict, ...movedOf(payload) }),
  isDone: () => true,
  whyNot: (result) => (result === 'done' ? null : notPossible),
}

type Kinds = { readonly [Name in ProposalKind]: Kind<KindTypes[Name]['payload'], KindTypes[Name]['result']> }

export const kinds: Kinds = {
  'merchant.approve': merchantKind('approve'),
  'merchant.suspend': merchantKind('suspend'),
  'merchant.resume': merchantKind('resume'),
  'merchant.close': merchantKind('close'),
  'attempt.resolve': attemptKind,
  'refund.resolve': refundKind,
}
