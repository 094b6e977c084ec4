import { PaymentId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import * as contract from '@muripo/contract/till'
import { callerActor } from '../../platform/audit/actor.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { requestedId } from '../../platform/ids.ts'
import { drawQr } from '../../platform/qr.ts'
import type { SessionCaller } from '../identity/index.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import { chargeAtTill, promptOnce } from './actions/charge-at-till.ts'
import { paymentOptions } from './actions/payment-options.ts'
import { changedAtTill, readTillPayment, startOfToday } from './actions/read-till.ts'
import type { PaymentsCtx } from './context.ts'
import { writeRequestOf } from './idempotency.ts'
import { withinSearchLimit } from './listing/store-list.ts'
import { paymentsOfDay, totalsOfDay } from './listing/store-till.ts'
import { toTill } from './payment/wire.ts'

/** The routes of the till, with a session. */
export function tillRoutes(ctx: PaymentsCtx): Binding<SessionCaller>[] {
  return [
    bind(contract.getTill, async ({ caller, query }) => {
      const { merchantId: accountId, applications } = caller
      const { options, totals, payments } = await withinSearchLimit(
        ctx.heavyReads(accountId, async (q) => {
          const day = { accountId, applications, since: await startOfToday(ctx, q, caller) }
          return {
            options: await paymentOptions(ctx, q, caller),
            totals: await totalsOfDay(q, day),
            payments: await paymentsOfDay(q, day, query.search),
          }
        }),
      )
      return answer(200, {
        ...options,
        today: {
          totals: totals.map(({ total, payments: count }) => ({
            currency: total.currency,
            amount: toMajor(total),
            count,
          })),
          payments: payments.map(toTill),
        },
      })
    }),
    bind(contract.getTillPayment, async ({ caller, params, query }) => {
      const shown = await readTillPayment(ctx, caller, requestedId(PaymentId, params.paymentId))
      return answer(200, query.qr ? { ...shown, paymentQr: drawQr(shown.paymentUrl) } : shown)
    }),
    bind(contract.chargeAtTill, async (call) => {
      const { caller, body, request, confirm } = call
      const write = { ...writeRequestOf(call), confirm, address: request.ip }
      const { paymentId, replayed } = await chargeAtTill(ctx, caller, body, write)
      const shown = await changedAtTill(ctx, caller, paymentId)
      return { ...answer(201, shown), headers: replayed ? { 'idempotency-replayed': 'true' } : {} }
    }),
    bind(contract.cancelAtTill, async ({ caller, params, request, confirm }) => {
      const paymentId = requestedId(PaymentId, params.paymentId)
      await readTillPayment(ctx, caller, paymentId, ctx.db.kysely)
      await cancelPayment(ctx, caller.merchantId, paymentId, callerActor(caller, request), confirm)
      return answer(200, await changedAtTill(ctx, caller, paymentId))
    }),
    bind(contract.askAtTill, async ({ caller, params, body, request, confirm }) => {
      const { attempts: after, ...asked } = body
      const paymentId = requestedId(PaymentId, params.paymentId)
      await ctx.db.tx(confirm)
      await readTillPayment(ctx, caller, paymentId, ctx.db.kysely)
      await promptOnce(ctx, caller.merchantId, paymentId, { ...asked, address: request.ip, after })
      return answer(200, await changedAtTill(ctx, caller, paymentId))
    }),
  ]
}
