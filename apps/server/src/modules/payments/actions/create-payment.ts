import { PaymentId } from '@muripo/contract/ids'
import { fromMajor, money } from '@muripo/contract/money'
import type { CreatePayment, PaymentMethod } from '@muripo/contract/payments'
import { plusMs } from '../../../platform/clock.ts'
import { isOverloaded } from '../../../platform/db/failures.ts'
import { AppError, invalidField, overloaded, refusedField } from '../../../platform/errors.ts'
import { timeOf } from '../../../platform/ids.ts'
import { type KeyOwner, refusalOf } from '../../applications/index.ts'
import { toE164 } from '../../identity/index.ts'
import type { Offer } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import {
  executeIdempotent,
  type IdempotentResponse,
  inOrder,
  KeyKnown,
  keyedRequest,
  type WriteRequest,
} from '../idempotency.ts'
import { type Customer, customerOf, type Named } from '../payment/customer.ts'
import type { Payment } from '../payment/payment.ts'
import { findPayableMethods } from '../payment/store-payment.ts'
import { toPublic } from '../payment/wire.ts'
import { type CreateResult, insertPayment, type NewPayment } from '../store-create.ts'
import { payableMethods, refuseUnpayable } from './payable-methods.ts'
import { refuseReturns } from './return-urls.ts'

const DEFAULT_LIFE_MS = 24 * 60 * 60 * 1000

/** The part of a creation that depends on the kind of its caller. */
interface Creation {
  readonly insert: (created: NewPayment) => Promise<CreateResult>
  readonly render: (payment: Payment) => object
  /** The field of the customer's phone in the request. */
  readonly phoneField: string
  /** Further refusals of a request that is not a repetition. */
  readonly refuse?: (() => void) | undefined
}

/**
 * Creates a payment. With a key, the same request returns the same response and creates one payment only; concurrent requests wait for the
 * first one.
 * @throws AppError invalid_key, application_inactive, idempotency_mismatch, idempotency_in_flight, validation_failed, storage_low,
 * overloaded
 */
export const createPayment = (
  ctx: PaymentsCtx,
  caller: KeyOwner,
  input: CreatePayment,
  request?: WriteRequest,
): Promise<IdempotentResponse> =>
  createPaymentWith(ctx, caller, input, request, {
    insert: (created) => insertPayment(ctx.db, created),
    render: (payment) => toPublic(ctx, payment),
    phoneField: 'customer.phone',
  })

export async function createPaymentWith(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  input: CreatePayment,
  { idempotencyKey, sent = input }: WriteRequest = {},
  { insert, render, phoneField, refuse }: Creation,
): Promise<IdempotentResponse> {
  const customer = customerOf(ctx.keys, caller.accountId, namedIn(input))
  const offer = ctx.providers.offeredIn(caller.mode, caller.merchantId)
  const methods = payableMethods(offer, input)
  const payment = newPayment(ctx.ids.next(PaymentId), caller, input, { customer, methods })
  const keyed = keyedRequest(caller, idempotencyKey, sent)
  return executeIdempotent(ctx, caller, keyed, {
    table: 'payments',
    kind: PaymentId,
    refuse: async () => {
      ctx.disk.refusePayment()
      refuse?.()
      refusePhone(offer, input.customer?.phone, phoneField)
      refuseReturns(ctx.config, caller, input)
      refuseUnpayable(offer, caller.mode, input, methods)
    },
    execute: async () => {
      const span = ctx.tracing?.payment(payment.id, 'payment.create', { 'muripo.environment': caller.mode })
      try {
        await insertOrThrow(ctx, { caller, payment, customer, keyed }, insert)
      } catch (error) {
        // A repeated request is neither a creation nor a failure.
        if (!(error instanceof KeyKnown)) span?.fail()
        throw error
      }
      span?.end()
      return { id: payment.id }
    },
    respond: async (id) => {
      if (id === payment.id) return JSON.stringify(render(payment))
      // The routes may have changed since the first request.
      const methods = await findPayableMethods(ctx.db.kysely, caller.accountId, id)
      return JSON.stringify(render(newPayment(id, caller, input, { customer, methods })))
    },
  })
}

/** @throws KeyKnown, AppError invalid_key, application_inactive, service_unavailable, overloaded */
async function insertOrThrow(
  ctx: PaymentsCtx,
  created: NewPayment,
  insert: Creation['insert'],
): Promise<void> {
  const result = await insert(created).catch((error: unknown) => {
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

/** A number that does not exist is a mistake of the shop's form, which the shop can still correct. */
function refusePhone(offer: Offer, phone: string | undefined, field: string): void {
  if (phone === undefined) return
  if (toE164(phone) === null)
    throw invalidField(field, 'Must be a phone number, such as +263 77 123 4567 or 077 123 4567')
  const refused = offer.refuseRealNumber(phone)
  if (refused) throw refusedField(field, refused)
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
  { customer, methods }: { readonly customer: Customer | null; readonly methods: readonly PaymentMethod[] },
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
    payableMethods: methods,
    captured: null,
    captureBefore: null,
    fee: null,
    refunded: zero,
    refundPending: zero,
    reversed: zero,
    lastEvent: 0,
    version: 0,
    createdAt,
    updatedAt: createdAt,
    completedAt: null,
    expiresAt: plusMs(createdAt, input.expires_in === undefined ? DEFAULT_LIFE_MS : input.expires_in * 1000),
    termination: null,
  }
}
