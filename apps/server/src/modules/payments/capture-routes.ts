import { PaymentId } from '@muripo/contract/ids'
import * as actions from '@muripo/contract/payment-actions'
import * as contract from '@muripo/contract/payments'
import { callerActor } from '../../platform/audit/actor.ts'
import { type Binding, bind, confirmedBy } from '../../platform/http/route.ts'
import { requestedId } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { SessionCaller } from '../identity/index.ts'
import { capturePayment, instructPayment } from './actions/instruct-payment.ts'
import { answerWithDetails } from './actions/read-details.ts'
import type { PaymentsCtx } from './context.ts'
import { withReplayHeader, writeRequestOf } from './idempotency.ts'
import { memberPaymentId } from './member-payment.ts'

/** The capture for a merchant's server, with an application key. The void is the cancellation of the payment. */
export const publicCaptureRoute = (ctx: PaymentsCtx): Binding<KeyOwner> =>
  confirmedBy(
    'action',
    bind(contract.capturePayment, async (call) => {
      const id = requestedId(PaymentId, call.params.paymentId)
      return withReplayHeader(
        200,
        await capturePayment(ctx, call.caller, id, call.body, writeRequestOf(call)),
      )
    }),
  )

/** The routes of the dashboard, with a session. */
export function dashboardCaptureRoutes(ctx: PaymentsCtx): Binding<SessionCaller>[] {
  return [
    bind(actions.capturePayment, async ({ caller, body, request, confirm }) => {
      const captured = await instructPayment(ctx, {
        actor: callerActor(caller, request),
        accountId: caller.merchantId,
        paymentId: await memberPaymentId(ctx, caller, body.paymentId),
        requested: body,
        confirm,
      })
      return answerWithDetails(ctx, captured)
    }),
    bind(actions.voidPayment, async ({ caller, body, request, confirm }) => {
      const voided = await instructPayment(ctx, {
        actor: callerActor(caller, request),
        accountId: caller.merchantId,
        paymentId: await memberPaymentId(ctx, caller, body.paymentId),
        requested: 'void',
        confirm,
      })
      return answerWithDetails(ctx, voided)
    }),
  ]
}
