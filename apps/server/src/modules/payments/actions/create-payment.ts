import { PaymentId } from '@muripo/contract/ids'
import { fromMajor, money } from '@muripo/contract/money'
import { type CreatePayment, methodNames } from '@muripo/contract/payments'
import { plusMs } from '../../../platform/clock.ts'
import { isOverloaded } from '../../../platform/db/failures.ts'
import { AppError, invalidField, overloaded, refusedField } from '../../../platform/errors.ts'
import { timeOf } from '../../../platform/ids.ts'
import { type KeyOwner, payerView, refusalOf } from '../../applications/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { type Customer, customerOf, type Named } from '../customers/customer.ts'
import {
  executeIdempotent,
  type IdempotentResponse,
  inOrder,
  KeyKnown,
  keyedRequest,
  type WriteRequest,
} from '../idempotency.ts'
import type { Payment } from '../payment.ts'
import { insertPayment, type NewPayment } from '../store-create.ts'
import { toPublic } from '../wire.ts'

const DEFAULT_LIFE_MS = 24 * 60 * 60 * 1000

/**
 * Creates a payment. With a key, the same request returns the same response and creates one payment only; concurrent requests wait for the
 * first one.
 * @throws AppError invalid_key, application_inactive, idempotency_mismatch, idempotency_in_flight, validation_failed, storage_low,
 * overloaded
 */
export async function createPayment(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  input: CreatePayment,
  { idempotencyKey, sent = input }: WriteRequest = {},
): Promise<IdempotentResponse> {
  ctx.disk.refusePayment()
  const refused =
    input.customer?.phone && ctx.providers.offeredIn(caller.mode).refuseRealNumber(input.customer.phone)
  if (refused) throw refusedField('customer.phone', refused)
  refusePlainReturns(ctx, input)
  if (input.capture === 'manual') await refuseCapture(ctx, caller, input)
  const customer = customerOf(ctx.keys, caller.accountId, namedIn(input))
  const payment = newPayment(ctx.ids.next(PaymentId), caller, input, customer)
  const keyed = keyedRequest(caller, idempotencyKey, sent)
  const span = ctx.tracing?.payment(payment.id, 'payment.create', { 'muripo.environment': caller.mode })
  return executeIdempotent(ctx, caller, keyed, {
    table: 'payments',
    kind: PaymentId,
    execute: async () => {
      await insert(ctx, { caller, payment, customer, keyed })
      span?.end()
      return { id: payment.id }
    },
    respond: async (id) => {
      const created = id === payment.id ? payment : newPayment(id, caller, input, customer)
      return JSON.stringify(toPublic(ctx, created))
    },
  })
}

/** @throws KeyKnown, AppError invalid_key, application_inactive, service_unavailable, overloaded */
async function insert(ctx: PaymentsCtx, created: NewPayment): Promise<void> {
  const result = await insertPayment(ctx.db, created).catch((error: unknown) => {
    throw isOverloaded(error) ? overloaded() : error
  })
  switch (result) {
    case 'created':
      return
    case 'key_known':
      throw new KeyKnown()
    case 'key_revoked':
      throw await refusalOf(ctx.db.kysely, created.caller)
    case 'clock_skewed':
      throw clockSkewed(ctx, created.payment)
  }
}

/** Nothing was written: the payment's creation time, and with it its expiry, would have been wrong. */
function clockSkewed(ctx: PaymentsCtx, { createdAt }: Payment): AppError {
  ctx.log.error({ createdAt }, "this process's clock differs from the database's; no payment is created")
  return new AppError('service_unavailable')
}

/** A payment that no method can authorise could never be paid. */
async function refuseCapture(ctx: PaymentsCtx, caller: KeyOwner, input: CreatePayment): Promise<void> {
  const { mode, merchantId } = await payerView(ctx, ctx.db.kysely, caller.accountId, caller.applicationId)
  const offer = ctx.providers.offeredIn(mode, merchantId)
  const amount = fromMajor(input.amount, input.currency)
  const methods = input.method ? [input.method] : offer.methodsIn(input.currency)
  if (methods.some((method) => offer.routeFor(method, amount, 'manual').length > 0)) return
  throw invalidField(
    'capture',
    input.method
      ? `${methodNames[input.method]} cannot be captured later`
      : 'No method can be captured later',
  )
}

/** In production the return addresses use https, so that a payer stays on https. */
function refusePlainReturns({ config }: PaymentsCtx, input: CreatePayment): void {
  if (config.mode !== 'production') return
  for (const field of ['success_url', 'cancel_url'] as const)
    if (input[field]?.startsWith('http:')) throw invalidField(field, 'Must be an https address')
}

const namedIn = ({ customer }: CreatePayment): Named => ({
  email: customer?.email ?? null,
  name: customer?.name ?? null,
  phone: customer?.phone ?? null,
})

function newPayment(
  id: PaymentId,
  caller: KeyOwner,
  input: CreatePayment,
  customer: Customer | null,
): Payment {
  // The id and the row have one time: the days of a list are ranges of ids.
  const createdAt = timeOf(id)
  const amount = fromMajor(input.amount, input.currency)
  const zero = money(0n, input.currency)
  return {
    accountId: caller.accountId,
    id,
    applicationId: caller.applicationId,
    amount,
    status: 'pending',
    statusReason: 'awaiting_payer',
    method: input.method ?? null,
    providerReference: null,
    description: input.description,
    reference: input.reference ?? null,
    customer: { id: customer?.id ?? null, ...namedIn(input) },
    locale: input.locale ?? null,
    successUrl: input.success_url ?? null,
    cancelUrl: input.cancel_url ?? null,
    // A repeated request may name its metadata in another order.
    metadata: inOrder(input.metadata ?? {}),
    captureMode: input.capture ?? 'automatic',
    captured: null,
    captureBefore: null,
    fee: null,
    refunded: zero,
    refundPending: zero,
    lastEvent: 0,
    version: 0,
    createdAt,
    updatedAt: createdAt,
    completedAt: null,
    expiresAt: plusMs(createdAt, input.expires_in === undefined ? DEFAULT_LIFE_MS : input.expires_in * 1000),
    termination: null,
  }
}
