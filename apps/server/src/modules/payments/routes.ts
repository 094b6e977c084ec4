import { getPaymentDetails } from '@muripo/contract/dashboard-payments'
import { PaymentId } from '@muripo/contract/ids'
import * as actions from '@muripo/contract/payment-actions'
import * as contract from '@muripo/contract/payments'
import { callerActor } from '../../platform/audit/actor.ts'
import { AppError } from '../../platform/errors.ts'
import { answer, type Binding, bind, confirmedBy } from '../../platform/http/route.ts'
import { requestedId } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { SessionCaller } from '../identity/index.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import { checkPayment } from './actions/check-payment.ts'
import { createPayment } from './actions/create-payment.ts'
import { createPaymentBySession } from './actions/create-payment-by-session.ts'
import { paymentOptions } from './actions/payment-options.ts'
import { changedDetails, readDetails } from './actions/read-details.ts'
import { createRequestedLookUps } from './actions/requested-look-ups.ts'
import { dashboardCaptureRoutes, publicCaptureRoute } from './capture-routes.ts'
import type { PaymentsCtx } from './context.ts'
import { exportRoutes } from './exports/routes.ts'
import { withReplayHeader, writeRequestOf } from './idempotency.ts'
import { dashboardListRoutes, publicListRoutes } from './listing/routes.ts'
import { memberPaymentId } from './member-payment.ts'
import type { Payment } from './payment/payment.ts'
import { findPayment } from './payment/store-payment.ts'
import { toPublic } from './payment/wire.ts'
import { dashboardRefundRoute } from './refund-routes.ts'
import { tillRoutes } from './till-routes.ts'

/** The routes for a merchant's server, with an application key. */
export function publicPaymentRoutes(ctx: PaymentsCtx): Binding<KeyOwner>[] {
  return [
    confirmedBy(
      'statement',
      bind(contract.createPayment, async (call) =>
        withReplayHeader(201, await createPayment(ctx, call.caller, call.body, writeRequestOf(call))),
      ),
    ),
    bind(contract.getPayment, async ({ caller, params }) => {
      const payment = await ownPayment(ctx, caller, params.paymentId)
      // The response is ours, so it is serialised without the validation of a schema.
      return { status: 200 as const, json: JSON.stringify(toPublic(ctx, payment)) }
    }),
    bind(contract.cancelPayment, async ({ caller, params, request, confirm }) => {
      const { id } = await ownPayment(ctx, caller, params.paymentId)
      const actor = callerActor(caller, request)
      return answer(200, toPublic(ctx, await cancelPayment(ctx, caller.accountId, id, actor, confirm)))
    }),
    publicCaptureRoute(ctx),
    ...publicListRoutes(ctx),
  ]
}

/** A payment of the caller's application. */
async function ownPayment(ctx: PaymentsCtx, caller: KeyOwner, requested: string): Promise<Payment> {
  const payment = await findPayment(ctx.db.kysely, caller.accountId, requestedId(PaymentId, requested))
  if (payment?.applicationId !== caller.applicationId) throw new AppError('not_found')
  return payment
}

/** The routes of the dashboard, with a session. */
export function dashboardPaymentRoutes(
  ctx: PaymentsCtx,
  options?: Parameters<typeof exportRoutes>[1],
): Binding<SessionCaller>[] {
  const lookUps = createRequestedLookUps(ctx)
  return [
    ...dashboardListRoutes(ctx),
    bind(actions.createPayment, async (call) => {
      const request = { ...writeRequestOf(call), confirm: call.confirm }
      return withReplayHeader(201, await createPaymentBySession(ctx, call.caller, call.body, request))
    }),
    bind(actions.getPaymentOptions, async ({ caller }) =>
      answer(200, await paymentOptions(ctx, ctx.db.kysely, caller)),
    ),
    ...exportRoutes(ctx, options),
    ...dashboardCaptureRoutes(ctx),
    bind(getPaymentDetails, async ({ caller, params }) =>
      answer(
        200,
        await readDetails(ctx, caller.merchantId, await memberPaymentId(ctx, caller, params.paymentId)),
      ),
    ),
    bind(actions.checkPayment, async ({ caller, body, confirm }) => {
      await ctx.db.tx(confirm)
      const id = await memberPaymentId(ctx, caller, body.paymentId)
      const payment = await checkPayment(ctx, lookUps, { accountId: caller.merchantId, id })
      return answer(200, await changedDetails(ctx, payment))
    }),
    bind(actions.cancelPayment, async ({ caller, body, request, confirm }) => {
      const id = await memberPaymentId(ctx, caller, body.paymentId)
      const actor = callerActor(caller, request)
      const payment = await cancelPayment(ctx, caller.merchantId, id, actor, confirm)
      return answer(200, await changedDetails(ctx, payment))
    }),
    dashboardRefundRoute(ctx),
    ...tillRoutes(ctx),
  ]
}
