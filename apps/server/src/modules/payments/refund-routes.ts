import { RefundId } from '@muripo/contract/ids'
import * as actions from '@muripo/contract/payment-actions'
import * as contract from '@muripo/contract/refunds'
import { callerActor } from '../../platform/audit/actor.ts'
import { AppError } from '../../platform/errors.ts'
import { publicPage } from '../../platform/http/page.ts'
import { answer, type Binding, bind, confirmedBy } from '../../platform/http/route.ts'
import { requestedId, uuidOf } from '../../platform/ids.ts'
import type { KeyOwner } from '../applications/index.ts'
import type { SessionCaller } from '../identity/index.ts'
import { answerWithDetails } from './actions/read-details.ts'
import { createRefund, refundPayment } from './actions/request-refund.ts'
import type { PaymentsCtx } from './context.ts'
import { withReplayHeader, writeRequestOf } from './idempotency.ts'
import { memberPaymentId } from './member-payment.ts'
import { findRefund, refundsOfApplication } from './payment/store-refunds.ts'
import { toPublicRefund } from './payment/wire.ts'

/** The routes for a merchant's server, with an application key. */
export function publicRefundRoutes(ctx: PaymentsCtx): Binding<KeyOwner>[] {
  return [
    confirmedBy(
      'action',
      bind(contract.createRefund, async (call) =>
        withReplayHeader(201, await createRefund(ctx, call.caller, call.body, writeRequestOf(call))),
      ),
    ),
    bind(contract.getRefund, async ({ caller, params }) => {
      const id = requestedId(RefundId, params.refundId)
      const refund = await findRefund(ctx.db.kysely, caller.accountId, id)
      if (refund?.applicationId !== caller.applicationId || refund.origin !== 'merchant')
        throw new AppError('not_found')
      return answer(200, toPublicRefund(refund))
    }),
    bind(contract.listRefunds, async ({ caller, query }) => {
      const found = await refundsOfApplication(ctx.reads.kysely, caller, query)
      return answer(200, publicPage(found, query.limit, toPublicRefund))
    }),
  ]
}

/** The route of the dashboard, with a session. */
export const dashboardRefundRoute = (ctx: PaymentsCtx): Binding<SessionCaller> =>
  bind(actions.refundPayment, async ({ caller, body, request, confirm }) => {
    const actor = callerActor(caller, request)
    const id = await memberPaymentId(ctx, caller, body.paymentId)
    const input = { ...body, requestedBy: uuidOf(caller.sessionId), confirm }
    return answerWithDetails(ctx, await refundPayment(ctx, actor, caller.merchantId, id, input))
  })
