import { type AccountId, AttemptId, type PaymentId } from '@muripo/contract/ids'
import type { PaymentMethod } from '@muripo/contract/payments'
import { plusMs } from '../../../../platform/clock.ts'
import { isOverloaded, type Tx, violatedConstraint } from '../../../../platform/db/database.ts'
import { AppError, invalidField, overloaded } from '../../../../platform/errors.ts'
import { suffixOf } from '../../../../platform/ids.ts'
import { payerView } from '../../../applications/index.ts'
import { type Connector, toMsisdn } from '../../../providers/index.ts'
import { callbackUrl, type PaymentsCtx } from '../../context.ts'
import { type Customer, customerOf } from '../../customers/customer.ts'
import { upsertCustomer } from '../../customers/store-customers.ts'
import { isOpen } from '../../machine.ts'
import type { Attempt, Payment } from '../../payment.ts'
import { callProvider } from '../../provider-calls/outcome.ts'
import { maySend, SENDING_LEASE_MS, type SendingStart, startSending } from '../../provider-calls/sending.ts'
import { resolvingCommit } from '../../provider-calls/unknown-commit.ts'
import { findPayment, lockPayment, updatePayment } from '../../store.ts'
import { terminationReasonOf } from '../../termination.ts'
import { attemptsOf, findAttempt, insertAttempt } from '../store-attempts.ts'
import { applyOutcome } from './apply-outcome.ts'

/**
 * Starts a charge on the payer's wallet. The attempt is committed before the provider is called, and the call is made once: after a crash
 * the attempt is looked up and never sent again.
 * @param phone as the payer entered it
 * @returns a promise that resolves once the provider's first reply is applied. If it rejects, the attempt is looked up when its lease ends
 * @throws AppError validation_failed (field method or phone), payment_not_payable, merchant_not_active, rate_limited, not_found, overloaded
 */
export async function startAttempt(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
  input: { method: PaymentMethod; phone: string },
): Promise<{ answered: Promise<void> }> {
  const payment = await findPayment(ctx.db.kysely, accountId, paymentId)
  if (payment === null) throw new AppError('not_found')
  const shop = await payerView(ctx, ctx.db.kysely, accountId, payment.applicationId)
  if (!shop.payable) throw new AppError('merchant_not_active')
  const connector = ctx.providers.offeredIn(shop.mode).forMethod(input.method, payment.amount.currency)
  if (connector === null) throw invalidField('method', 'Please choose a payment method')
  const msisdn = toMsisdn(input.phone)
  if (msisdn === null) throw invalidField('phone', 'Please enter a valid phone number')
  const refused = connector.refuseNumber(msisdn)
  if (refused !== null) throw invalidField('phone', refused)

  ctx.attemptLimits.refuseFailingMerchant(accountId)
  const sendingStart = startSending(ctx)
  // Test numbers have no phone, and all test keys share the few test numbers.
  const release = connector.testNumbers ? () => {} : await ctx.attemptLimits.reservePrompt(msisdn)
  const attempt = await open(ctx, payment, connector, input.method, msisdn).finally(release)
  return { answered: send(ctx, sendingStart, payment, attempt, connector, shop.promptName) }
}

/**
 * Invariant: a payment has at most one attempt that may still succeed, and no attempt starts while an earlier one is held. The row lock
 * orders the attempts, and a unique index refuses a second open one.
 */
async function open(
  ctx: PaymentsCtx,
  payment: Payment,
  connector: Connector,
  method: PaymentMethod,
  msisdn: string,
): Promise<Attempt> {
  const asked: Omit<Attempt, 'createdAt' | 'updatedAt'> = {
    accountId: payment.accountId,
    id: ctx.ids.next(AttemptId),
    paymentId: payment.id,
    provider: connector.id,
    method,
    msisdn,
    amount: payment.amount,
    status: 'sending',
    failureReason: null,
    providerReference: null,
    providerState: null,
    checks: 0,
    notFoundChecks: 0,
    outcomeFailures: 0,
  }
  const commit = () =>
    ctx.db.groupCommit(payment.id, async (tx) => {
      const locked = await lockPayment(tx, payment.accountId, payment.id)
      if (locked?.status !== 'pending' || terminationReasonOf(locked) !== null)
        throw new AppError('payment_not_payable')
      const now = locked.lockedAt
      const attempt: Attempt = { ...asked, createdAt: now, updatedAt: now }
      const attempts = await attemptsOf(tx, payment.accountId, payment.id)
      if (attempts.some(({ status }) => isOpen(status))) throw new AppError('payment_not_payable')
      await insertAttempt(tx, attempt, plusMs(now, SENDING_LEASE_MS))
      const payer = locked.customer.id === null ? payerOf(ctx, attempt) : null
      if (payer) await upsertCustomer(tx, payment.accountId, payer, attempt.id)
      await updatePayment(
        tx,
        locked,
        {
          method,
          statusReason: 'awaiting_payer',
          customerPhone: `+${msisdn}`,
          ...(payer && { customerId: payer.id }),
        },
        now,
      )
      return attempt
    })
  const found = (tx: Tx) => findAttempt(tx, asked.accountId, asked.id)
  return resolvingCommit(ctx, asked, commit, found).catch((error: unknown) => {
    if (isOverloaded(error)) throw overloaded()
    const constraint = violatedConstraint(error)
    if (constraint === 'payment_attempts_one_open') throw new AppError('payment_not_payable')
    if (constraint === 'payment_attempts_merchant_active') throw new AppError('merchant_not_active')
    throw error
  })
}

/** A payment without a customer belongs to the customer who first starts an attempt. */
const payerOf = (ctx: PaymentsCtx, { accountId, msisdn }: Attempt): Customer | null =>
  customerOf(ctx.keys, accountId, { email: null, phone: `+${msisdn}`, name: null })

async function send(
  ctx: PaymentsCtx,
  sendingStart: SendingStart,
  payment: Payment,
  attempt: Attempt,
  connector: Connector,
  shopName: string,
): Promise<void> {
  if (!maySend(ctx, sendingStart, attempt)) return
  const call = connector.charge({
    accountId: payment.accountId,
    key: suffixOf(attempt.id),
    amount: attempt.amount,
    method: attempt.method,
    msisdn: attempt.msisdn,
    description: payment.description,
    shopName,
    callbackUrl: callbackUrl(ctx, connector.id, ctx.attemptLinks.tokenOf(payment.accountId, attempt.id)),
  })
  await applyOutcome(ctx, attempt, await callProvider(ctx, attempt.id, call))
}
