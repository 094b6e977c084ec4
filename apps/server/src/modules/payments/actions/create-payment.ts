import { PaymentId } from '@muripo/contract/ids'
import { fromMajor, money } from '@muripo/contract/money'
import { type CreatePayment, methodNames } from '@muripo/contract/payments'
import { plusMs } from '../../../platform/clock.ts'
import { isLockTaken, isOverloaded } from '../../../platform/db/database.ts'
import { AppError, invalidField, invariant, overloaded, refusedField } from '../../../platform/errors.ts'
import { idFrom, timeOf } from '../../../platform/ids.ts'
import { type KeyOwner, payerView, refusalOf } from '../../applications/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { type Customer, customerOf, type Named } from '../customers/customer.ts'
import { type IdempotentResponse, inOrder, keyedRequest, requestInFlight } from '../idempotency.ts'
import type { Payment } from '../payment.ts'
import { findByKey } from '../store-idempotency.ts'
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
  idempotencyKey: string | undefined,
  sent: unknown = input,
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

  for (;;) {
    const result = await ctx.writePayment(caller, { payment, customer }, keyed).catch((error: unknown) => {
      if (isOverloaded(error)) throw overloaded()
      // The first request with this key has held its lock for longer than a session waits.
      throw keyed && isLockTaken(error) ? requestInFlight() : error
    })
    if (result === 'created') {
      span?.end()
      return { status: 201, json: render(ctx, payment), replayed: false }
    }
    if (result === 'key_revoked') throw await refusalOf(ctx.db.kysely, caller)
    if (result === 'clock_skewed') throw clockSkewed(ctx, payment)
    invariant(keyed, 'only a keyed request can find its key known')
    const known = await findByKey(ctx.db.kysely, 'payments', caller, keyed)
    if (known === null) continue
    if (!known.matches) throw new AppError('idempotency_mismatch')
    const first = newPayment(idFrom(PaymentId, known.id), caller, input, customer)
    return { status: 201, json: render(ctx, first), replayed: true }
  }
}

/** The response depends on the request and the payment's id alone, so that no row stores it. */
const render = (ctx: PaymentsCtx, created: Payment): string => JSON.stringify(toPublic(ctx, created))

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
