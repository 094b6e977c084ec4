import type { ConsolePayment, ConsolePaymentDetails } from '@muripo/contract/console'
import type { Reviews } from '@muripo/contract/console-reviews'
import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import type { Ctx } from '../../../platform/ctx.ts'
import type { PerDatabase } from '../../../platform/db/databases.ts'
import { AppError } from '../../../platform/errors.ts'
import { merchantProfile } from '../../identity/index.ts'
import {
  allRefundsOf,
  attemptsInReview,
  attemptsOf,
  type FoundPayment,
  findAnywhere,
  openAnomalies,
  type PaymentsCtx,
  readDetails,
  reversedCharges,
  reviewedAttempts,
  reviewsOf,
  waitingRefunds,
} from '../../payments/index.ts'
import type { Operator } from '../people/store-operators.ts'
import type { DecisionCtx } from '../proposals/actions/decide.ts'
import { selectProposals } from '../proposals/store-proposals.ts'
import { proposalsToWire } from '../proposals/wire.ts'
import { maskedDetails } from './masked.ts'
import { revealedUntil } from './store-reveals.ts'
import { anomalyToWire, attemptToWire, refundToWire } from './wire-reviews.ts'

const SHOWN = 50

/** Payments of all merchants, the newest first. */
export async function findPayments(ctxs: PerDatabase<Ctx>, search: string): Promise<ConsolePayment[]> {
  const found = await Promise.all(ctxs.each.map(({ reads }) => findAnywhere(reads.kysely, search.trim())))
  return found
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, SHOWN)
    .map(toConsole)
}

const toConsole = ({ accountId, amount, createdAt, ...payment }: FoundPayment): ConsolePayment => ({
  ...payment,
  merchantId: accountId,
  amount: toMajor(amount),
  currency: amount.currency,
  createdAt: createdAt.toISOString(),
})

/** @throws AppError not_found */
export async function readPayment(
  { ctx, paymentsOf }: DecisionCtx,
  accountId: AccountId,
  paymentId: PaymentId,
  operator: Operator,
): Promise<ConsolePaymentDetails> {
  const payments = await paymentsOf(accountId)
  const { paymentUrl: _, ...details } = await readDetails(payments, accountId, paymentId)
  const until = await revealedUntil(ctx.db.kysely, operator.id, paymentId)
  const about = await selectProposals(ctx.db.kysely, { state: 'open', accountId, paymentId, limit: SHOWN })
  return {
    merchantId: accountId,
    merchantName: (await merchantProfile(ctx.db.kysely, accountId)).fullname,
    payment: until === null ? maskedDetails(details) : details,
    reviews: await reviewsIn(payments, { accountId, paymentId }),
    reversedCharges: await reversedChargesIn(payments, { accountId, paymentId }),
    revealedUntil: until?.toISOString() ?? null,
    proposals: await proposalsToWire(ctx, about, operator),
  }
}

/** The payment that a reveal names. @throws AppError not_found */
export async function accountOfPayment(ctxs: PerDatabase<Ctx>, paymentId: PaymentId): Promise<AccountId> {
  const [found] = (
    await Promise.all(ctxs.each.map(({ reads }) => findAnywhere(reads.kysely, paymentId)))
  ).flat()
  if (!found) throw new AppError('not_found', { detail: 'There is no payment with this id' })
  return found.accountId
}

/** Payments that only a person can decide. */
export async function readReviews(ctx: Ctx): Promise<Reviews> {
  const anomalies = await openAnomalies(ctx, SHOWN)
  return {
    attempts: (await attemptsInReview(ctx, SHOWN)).map(attemptToWire),
    anomalies: await Promise.all(anomalies.map((anomaly) => anomalyToWire(ctx, anomaly))),
    refunds: (await waitingRefunds(ctx, SHOWN)).map(refundToWire),
  }
}

/** The same of one payment, with all its refunds. */
async function reviewsIn(
  ctx: PaymentsCtx,
  of: { readonly accountId: AccountId; readonly paymentId: PaymentId },
): Promise<Reviews> {
  const [attempts, anomalies, refunds] = await Promise.all([
    reviewedAttempts(ctx, of.paymentId),
    reviewsOf(ctx, of.paymentId),
    allRefundsOf(ctx, of),
  ])
  return {
    attempts: attempts.map(attemptToWire),
    anomalies: await Promise.all(anomalies.map((anomaly) => anomalyToWire(ctx, anomaly))),
    refunds: refunds.map(refundToWire),
  }
}

async function reversedChargesIn(
  ctx: PaymentsCtx,
  { accountId, paymentId }: { readonly accountId: AccountId; readonly paymentId: PaymentId },
): Promise<ConsolePaymentDetails['reversedCharges']> {
  const charges = await reversedCharges(ctx, paymentId)
  if (charges.length === 0) return []
  const attempts = await attemptsOf(ctx.db.kysely, accountId, paymentId)
  return charges.flatMap(({ attemptId, anomalyIds: [review], reversed }) => {
    const attempt = attempts.find(({ id }) => id === attemptId)
    if (!attempt || review === undefined) return []
    const { provider, providerReference: reference } = attempt
    return [{ review, provider, reference, amount: toMajor(reversed) }]
  })
}
