import { AccountId, ApplicationId, AttemptId, PaymentId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import { feeForPayment } from '@muripo/contract/pricing'
import type { PaymentCtx } from '../src/modules/payments/payment/context.ts'
import type { Attempt, Payment } from '../src/modules/payments/payment/payment.ts'
import type { WholeState } from '../src/modules/payments/payment/state.ts'
import { systemIds } from '../src/platform/ids.ts'

/** The dependencies of decisions about a payment, without a database. The provider reports totals and looks refunds up. */
export const decisionCtx = (now: Date): PaymentCtx =>
  ({
    feeFor: feeForPayment,
    ids: systemIds,
    clock: { now: () => now },
    providers: {
      has: () => false,
      minPollMs: () => 3000,
      captureWithinMs: () => 60_000,
      returnedEcho: () => 'total',
      canLookUpRefund: () => true,
    },
  }) as unknown as PaymentCtx

/** A payment of 25.00 with one charge, both as new, for tests to change. */
export function wholeState(): WholeState & { readonly attempt: Attempt } {
  const createdAt = new Date('2026-11-22T10:00:00Z')
  const accountId = systemIds.next(AccountId)
  const zero = money(0n, 'USD')
  const payment: Payment = {
    accountId,
    id: systemIds.next(PaymentId),
    applicationId: systemIds.next(ApplicationId),
    amount: money(2500n, 'USD'),
    status: 'pending',
    statusReason: 'awaiting_payer',
    method: 'ecocash',
    providerReference: null,
    description: 'Order 1001',
    reference: null,
    customer: { id: null, email: null, name: null, phone: null },
    locale: null,
    successUrl: null,
    cancelUrl: null,
    metadata: {},
    captureMode: 'automatic',
    payableMethods: ['ecocash'],
    captured: null,
    captureBefore: null,
    fee: null,
    refunded: zero,
    refundPending: zero,
    reversed: zero,
    lastEvent: 0,
    version: 1,
    createdAt,
    updatedAt: createdAt,
    completedAt: null,
    expiresAt: new Date('2026-11-23T10:00:00Z'),
    termination: null,
  }
  const attempt: Attempt = {
    accountId,
    paymentId: payment.id,
    id: systemIds.next(AttemptId),
    provider: 'scripted',
    method: 'ecocash',
    msisdn: '263771234567',
    amount: payment.amount,
    status: 'pending',
    providerStatus: null,
    providerReference: null,
    providerState: null,
    failureReason: null,
    authorizedAt: null,
    nextAction: null,
    checks: 0,
    notFoundChecks: 0,
    outcomeFailures: 0,
    isDeferred: false,
    watchUntil: null,
    nextWatchAt: null,
    moved: null,
    lastReport: null,
    version: 0,
    createdAt,
    updatedAt: createdAt,
  }
  return {
    payment,
    attempts: [attempt],
    attempt,
    instruction: null,
    refunds: [],
    anomalies: [],
    differences: [],
    at: createdAt,
  }
}
