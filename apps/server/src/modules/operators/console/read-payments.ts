import type { ConsolePayment, ConsolePaymentDetails, Reviews } from '@muripo/contract/console'
import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import type { Ctx } from '../../../platform/ctx.ts'
import type { PerDatabase } from '../../../platform/db/databases.ts'
import { AppError } from '../../../platform/errors.ts'
import { merchantProfile } from '../../identity/index.ts'
import {
  type AttemptInReview,
  attemptsInReview,
  contextOf,
  type FoundPayment,
  findAnywhere,
  maskedNumber,
  type OperatorRefund,
  openAnomalies,
  readDetails,
  waitingRefunds,
} from '../../payments/index.ts'
import type { Operator } from '../people/store-operators.ts'
import type { DecisionCtx } from '../proposals/actions/decide.ts'
import { selectProposals } from '../proposals/store-proposals.ts'
import { proposalsToWire } from '../proposals/wire.ts'
import { maskedDetails } from './masked.ts'
import { revealedUntil } from './store-reveals.ts'

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

const ofShop = (item: AttemptInReview | OperatorRefund) => ({
  merchantId: item.accountId,
  paymentId: item.paymentId,
  shopName: item.shopName,
  amount: toMajor(item.amount),
  currency: item.amount.currency,
  since: item.createdAt.toISOString(),
  provider: item.provider,
  providerStatus: item.providerStatus,
  method: item.method,
  phone: maskedNumber(item),
  isTest: item.isTest,
})

/** Payments that only a person can decide. */
export async function readReviews(ctx: Ctx): Promise<Reviews> {
  const anomalies = await openAnomalies(ctx, SHOWN)
  return {
    attempts: (await attemptsInReview(ctx, SHOWN)).map((attempt) => ({
      ...ofShop(attempt),
      attemptId: attempt.id,
      heldBecause: attempt.heldBecause,
      providerReference: attempt.providerReference,
    })),
    anomalies: await Promise.all(
      anomalies.map(async (anomaly) => ({
        merchantId: anomaly.accountId,
        paymentId: anomaly.paymentId,
        currency: anomaly.currency,
        since: anomaly.openedAt.toISOString(),
        provider: (await contextOf(ctx, anomaly)).provider,
        providerStatus: anomaly.providerStatus,
        anomalyId: anomaly.id,
        kind: anomaly.kind,
        amount: anomaly.amount && toMajor(anomaly.amount),
        refundId: anomaly.refundId,
      })),
    ),
    refunds: (await waitingRefunds(ctx, SHOWN)).map((refund) => ({
      ...ofShop(refund),
      refundId: refund.id,
      status: refund.status,
      origin: refund.origin,
    })),
  }
}
