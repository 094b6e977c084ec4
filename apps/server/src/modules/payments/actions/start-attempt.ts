import { type AccountId, AttemptId, type PaymentId } from '@muripo/contract/ids'
import type { PaymentMethod } from '@muripo/contract/payments'
import { plusMs } from '../../../platform/clock.ts'
import { isOverloaded, violatedConstraint } from '../../../platform/db/failures.ts'
import { AppError, invariant, overloaded } from '../../../platform/errors.ts'
import { widestNetworkOf } from '../../../platform/http/network.ts'
import { suffixOf } from '../../../platform/ids.ts'
import { payerView } from '../../applications/index.ts'
import type { Connector } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment, type Decided } from '../payment/commit.ts'
import { type Customer, customerOf } from '../payment/customer.ts'
import type { Effects } from '../payment/effects.ts'
import { isOpen } from '../payment/moves.ts'
import type { CallOutcome } from '../payment/outcome.ts'
import { type Attempt, type Payment, unansweredCall } from '../payment/payment.ts'
import { type PaymentState, readState } from '../payment/state.ts'
import { terminationReasonOf } from '../payment/termination.ts'
import { paymentUrlOf } from '../payment/wire.ts'
import {
  callbackUrl,
  callProvider,
  maySend,
  resolvingCommit,
  SENDING_LEASE_MS,
  type SendingStart,
  sendingGuard,
  startSending,
} from '../provider-calls/call-provider.ts'
import { applyOutcome } from './apply-outcome.ts'
import { routeOfAttempt } from './attempt-route.ts'

interface AttemptInput {
  readonly method: PaymentMethod
  /** As it was entered; any text for a method without a phone. */
  readonly phone: string
  /** The network address from which the attempt is started, if known. */
  readonly address?: string
  /** The number of attempts that the caller knows: no attempt starts when there are others. Absent: any number. */
  readonly after?: number
}

/**
 * Starts a charge on the payer's wallet. The attempt is committed before the provider is called, and the call is made once: after a crash
 * the attempt is looked up and never sent again.
 * @returns a promise that resolves once the provider's first reply is applied. If it rejects, the attempt is looked up when its lease ends
 * @throws AppError validation_failed (field method or phone), payment_not_payable, merchant_not_active, rate_limited, not_found, overloaded
 */
export async function startAttempt(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
  input: AttemptInput,
): Promise<{ answered: Promise<void>; msisdn: string | null }> {
  const state = await readState(ctx.db.kysely, accountId, paymentId)
  if (state === null) throw new AppError('not_found')
  refuseAfterOthers(state, input.after)
  const { payment } = state
  const shop = await payerView(ctx, ctx.db.kysely, accountId, payment.applicationId)
  if (!shop.payable) throw new AppError('merchant_not_active')
  const offer = ctx.providers.offeredIn(shop.mode, shop.merchantId)
  const { connector, others, msisdn } = routeOfAttempt(offer, input, payment)

  const sendingStart = startSending(ctx)
  const release = await ctx.attemptLimits.reserve(ctx.db.kysely, {
    accountId,
    paymentId,
    msisdn,
    ringsPhone: !connector.testNumbers,
    address: input.address,
  })
  const choice = { method: input.method, msisdn }
  const opened = await open(ctx, state, connector, choice, input.after).finally(release)
  const network = input.address === undefined ? undefined : widestNetworkOf(input.address)
  const charge = { opened, connector, sendingStart, shopName: shop.name, network }
  return { answered: sendInTurn(ctx, charge, others), msisdn }
}

/** The state after the commit of a new attempt. */
export interface Opened extends PaymentState {
  readonly attempt: Attempt
}

/**
 * Invariant: a payment has at most one attempt that may still succeed, and no attempt starts while an earlier one is held. A change set
 * is written only on the state that it was decided from, and a unique index refuses a second open attempt.
 */
async function open(
  ctx: PaymentsCtx,
  state: PaymentState,
  connector: Connector,
  { method, msisdn }: Pick<Attempt, 'method' | 'msisdn'>,
  after?: number,
): Promise<Opened> {
  const { accountId, id: paymentId } = state.payment
  const choice: Omit<Attempt, 'id' | 'amount' | 'createdAt' | 'updatedAt'> = {
    accountId,
    paymentId,
    provider: connector.id,
    method,
    msisdn,
    status: 'sending',
    authorizedAt: null,
    nextAction: null,
    version: 0,
    ...unansweredCall,
    moved: null,
    lastReport: null,
  }
  // Ids sort in the order of the attempts: when the attempt is decided again, it gets a new id.
  let id: AttemptId | null = null
  const decide = (from: PaymentState): Decided<Opened> => {
    refuseAfterOthers(from, after)
    id = ctx.ids.next(AttemptId)
    return opening(ctx, from, { ...choice, id })
  }
  const read = async (): Promise<PaymentState> => {
    const now = await readState(ctx.db.kysely, accountId, paymentId)
    invariant(now, 'a payment is never deleted')
    return now
  }
  const found = async (): Promise<Opened | null> => {
    const now = await read()
    const attempt = now.attempts.find((each) => each.id === id)
    return attempt ? { ...now, attempt } : null
  }
  const commit = () => changePayment(ctx, read, decide, { known: state })
  return resolvingCommit(ctx, { accountId, paymentId }, commit, found).catch((error: unknown) => {
    if (isOverloaded(error)) throw overloaded()
    const constraint = violatedConstraint(error)
    if (constraint === 'payment_attempts_one_open') throw new AppError('payment_not_payable')
    if (constraint === 'payment_attempts_merchant_active') throw new AppError('merchant_not_active')
    throw error
  })
}

/** @throws AppError payment_not_payable */
function refuseAfterOthers({ attempts }: PaymentState, after = attempts.length): void {
  if (attempts.length !== after) throw new AppError('payment_not_payable')
}

/** @throws AppError payment_not_payable */
function opening(
  ctx: PaymentsCtx,
  { payment, attempts, at }: PaymentState,
  choice: Omit<Attempt, 'amount' | 'createdAt' | 'updatedAt'>,
): Decided<Opened> {
  if (payment.status !== 'pending' || terminationReasonOf(payment, at) !== null)
    throw new AppError('payment_not_payable')
  if (attempts.some(({ status }) => isOpen(status))) throw new AppError('payment_not_payable')
  const attempt: Attempt = { ...choice, amount: payment.amount, createdAt: at, updatedAt: at }
  const customer = payment.customer.id === null ? payerOf(ctx, attempt) : null
  const effects: Effects = {
    opened: { attempt, nextCheckAt: plusMs(at, SENDING_LEASE_MS) },
    change: {
      method: attempt.method,
      statusReason: 'awaiting_payer',
      ...(attempt.msisdn !== null && { customerPhone: `+${attempt.msisdn}` }),
      ...(customer && { customerId: customer.id }),
    },
    ...(customer && { payer: { customer, firstSeen: attempt.id } }),
  }
  const result = (after: Payment) => ({
    payment: after,
    attempts: [attempt, ...attempts],
    instruction: null,
    at,
    attempt,
  })
  return { effects, result }
}

/** A payment without a customer belongs to its first payer with a phone. */
const payerOf = (ctx: PaymentsCtx, { accountId, msisdn }: Attempt): Customer | null =>
  msisdn === null ? null : customerOf(ctx.keys, accountId, { email: null, phone: `+${msisdn}`, name: null })

/**
 * Calls the connectors of a route until one call may have reached its provider. Each call has an attempt of its own, and only proof that no
 * byte was sent leads to the next one: after any other outcome the payer decides.
 */
async function sendInTurn(
  ctx: PaymentsCtx,
  charge: OpenedCharge,
  others: readonly Connector[],
): Promise<void> {
  const { payment, attempt } = charge.opened
  const next = others.findIndex((candidate) => canCharge(candidate, attempt))
  const connector = others[next]
  const isUnsent = await sendCharge(ctx, { ...charge, hasOther: connector !== undefined })
  if (!isUnsent || !connector) return
  const sendingStart = startSending(ctx)
  const state = await readState(ctx.db.kysely, payment.accountId, payment.id)
  // The payer may have begun another attempt meanwhile, or the payment may have ended.
  const opened = state && (await open(ctx, state, connector, attempt).catch(nullIfRefused))
  if (opened) await sendInTurn(ctx, { ...charge, opened, connector, sendingStart }, others.slice(next + 1))
}

const canCharge = (connector: Connector, { method, msisdn }: Attempt): boolean =>
  msisdn === null
    ? !connector.needs(method).includes('phone')
    : connector.refuseNumber(msisdn, method) === null

function nullIfRefused(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}

/** The charge of a committed attempt, which is not sent yet. */
interface OpenedCharge {
  readonly opened: Opened
  readonly connector: Connector
  readonly sendingStart: SendingStart
  readonly shopName: string
  /** The payer's network, if known. */
  readonly network?: string | undefined
  /** Whether another provider can take an unsent charge, which then does not wait for this one. */
  readonly hasOther?: boolean
}

/**
 * Sends a charge, once.
 * @returns whether no byte of the call can have reached the provider
 */
export async function sendCharge(
  ctx: PaymentsCtx,
  { opened, connector, sendingStart, shopName, network, hasOther = false }: OpenedCharge,
): Promise<boolean> {
  const { payment, attempt } = opened
  if (!maySend(ctx, sendingStart, attempt)) return false
  const { isLate, beforeSending } = sendingGuard(ctx, sendingStart, attempt)
  const request = {
    accountId: payment.accountId,
    key: suffixOf(attempt.id),
    amount: attempt.amount,
    method: attempt.method,
    msisdn: attempt.msisdn,
    email: payment.customer.email,
    description: payment.description,
    shopName,
    callbackUrl: callbackUrl(ctx, connector.id, ctx.attemptLinks.tokenOf(payment.accountId, attempt.id)),
    returnUrl: `${paymentUrlOf(ctx, payment)}/return`,
    captureMode: payment.captureMode,
    ...(network !== undefined && { network }),
    beforeSending,
  }
  const called = await callProvider(ctx, attempt, connector.id, () => connector.charge(request))
  if (isLate()) return false
  const outcome = hasOther ? insteadOfWaiting(called) : called
  await applyOutcome(ctx, attempt, outcome, { state: { ...opened, at: ctx.clock.now() } })
  return outcome.kind === 'failed' && outcome.neverSent === true
}

/** A charge that was not sent fails, so that another provider gets it. */
const insteadOfWaiting = (outcome: CallOutcome): CallOutcome =>
  outcome.kind === 'deferred' && outcome.neverSent
    ? {
        kind: 'failed',
        reason: 'provider_unavailable',
        neverSent: true,
        providerStatus: outcome.providerStatus,
      }
    : outcome
