import { COUNTER_PURPOSE } from '@muripo/contract/constants'
import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { fromMajor } from '@muripo/contract/money'
import { methodNames, type PaymentMethod } from '@muripo/contract/payments'
import type { ChargeAtTill } from '@muripo/contract/till'
import { reasonOf } from '@muripo/locales/errors'
import { problemOf } from '@muripo/locales/form-problems'
import { AppError, invalidFieldFor, refusedField } from '../../../platform/errors.ts'
import type { SessionCaller } from '../../identity/index.ts'
import { type Offer, toMsisdn, walletOf } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { attemptsOf } from '../payment/store-attempts.ts'
import { routeOfAttempt } from './attempt-route.ts'
import { cancelPayment } from './cancel-payment.ts'
import { createPaymentBySession, type SessionRequest } from './create-payment-by-session.ts'
import { FIRST_REPLY_MS, waitAtMost } from './requested-look-ups.ts'
import { startAttempt } from './start-attempt.ts'

interface Asked {
  readonly phone: string
  readonly method?: PaymentMethod | undefined
}

/**
 * The method of a number that a cashier entered.
 * @throws AppError validation_failed (field phone)
 */
function methodOf({ phone, method }: Asked): PaymentMethod {
  if (method !== undefined) return method
  const msisdn = toMsisdn(phone)
  if (msisdn === null) throw refusedField('phone', problemOf('phoneInvalid'))
  const wallet = walletOf(msisdn)
  if (wallet === null) throw invalidFieldFor('phone', reasonOf('phoneWithoutWallet'))
  return wallet
}

/** @throws AppError validation_failed (field method or phone) */
function refuseCharge(offer: Offer, { amount, currency, ...asked }: ChargeAtTill): void {
  const method = methodOf(asked)
  if (offer.routeOf(method, currency).length === 0)
    throw invalidFieldFor(
      'method',
      reasonOf('methodNotInCurrency', { method: methodNames[method], currency }),
    )
  const order = { amount: fromMajor(amount, currency), captureMode: 'automatic' } as const
  const { msisdn } = routeOfAttempt(offer, { method, phone: asked.phone }, order)
  if (msisdn === null)
    throw invalidFieldFor('method', reasonOf('methodWithoutPrompt', { method: methodNames[method] }))
}

/**
 * Creates a payment and prompts its payer's phone.
 * Invariant: the same request under one key creates one payment, and the first attempt of this payment is started once, by whichever of the
 * requests. A payment whose prompt was refused is cancelled, because its payer has no link to it.
 * @throws AppError validation_failed, rate_limited, and the refusals of `createPaymentBySession`
 */
export async function chargeAtTill(
  ctx: PaymentsCtx,
  caller: Pick<SessionCaller, 'merchantId' | 'applications'>,
  input: ChargeAtTill,
  { address, ...request }: SessionRequest & { readonly address: string },
): Promise<{ readonly paymentId: PaymentId; readonly replayed: boolean }> {
  const { phone, method, purposeDescription = COUNTER_PURPOSE, ...order } = input
  const { merchantId } = caller
  const offer = ctx.providers.offeredIn(ctx.config.keyMode, merchantId)
  const { json, replayed } = await createPaymentBySession(
    ctx,
    caller,
    { ...order, purposeDescription, customerPhoneNumber: phone },
    { sent: input, ...request, phoneField: 'phone', refuse: () => refuseCharge(offer, input) },
  )
  const { paymentId } = JSON.parse(json) as { readonly paymentId: PaymentId }
  try {
    await promptOnce(ctx, merchantId, paymentId, { phone, method, address, after: 0 })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    // The payment has ended since the first request.
    if (replayed && error.code === 'payment_not_payable') return { paymentId, replayed }
    if (!replayed && error.code !== 'overloaded') await cancelUnprompted(ctx, merchantId, paymentId, request)
    throw error
  }
  return { paymentId, replayed }
}

/** Another request with the key may have started the attempt that this one was refused. */
async function cancelUnprompted(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
  { actor }: Pick<SessionRequest, 'actor'>,
): Promise<void> {
  if ((await attemptsOf(ctx.db.kysely, accountId, paymentId)).length > 0) return
  await cancelPayment(ctx, accountId, paymentId, actor).catch((failure: unknown) =>
    ctx.log.warn({ err: failure, paymentId }, 'a payment without a prompt was not cancelled'),
  )
}

interface Prompted extends Asked {
  readonly address: string
  /** The number of attempts that the caller knows. */
  readonly after: number
}

/**
 * Prompts the payer of a payment, and waits for the first reply of the provider. A repeated request finds the attempt that another one has
 * started.
 * @throws AppError payment_not_payable, validation_failed, rate_limited, merchant_not_active, overloaded
 */
export async function promptOnce(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
  { phone, method, address, after }: Prompted,
): Promise<void> {
  const input = { phone, method: methodOf({ phone, method }), address, after }
  try {
    const { answered } = await startAttempt(ctx, accountId, paymentId, input)
    ctx.backgroundTasks.start('charge', answered)
    await waitAtMost(FIRST_REPLY_MS, answered)
  } catch (error) {
    const isRefused = error instanceof AppError && error.code === 'payment_not_payable'
    const attempts = isRefused ? await attemptsOf(ctx.db.kysely, accountId, paymentId) : []
    if (attempts.length <= after) throw error
  }
}
