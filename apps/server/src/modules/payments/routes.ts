import * as dashboard from '@muripo/contract/dashboard-payments'
import type { MerchantId, SessionId } from '@muripo/contract/ids'
import { PaymentId } from '@muripo/contract/ids'
import * as contract from '@muripo/contract/payments'
import { callerActor } from '../../platform/audit/actor.ts'
import { AppError } from '../../platform/errors.ts'
import { pageOf, publicPage } from '../../platform/http/page.ts'
import { answer, type Binding, bind, confirmedBy } from '../../platform/http/route.ts'
import { parseId, uuidOf } from '../../platform/ids.ts'
import {
  findApplicationName,
  idempotencyKeyOf,
  type KeyOwner,
  replayedHeader,
} from '../applications/index.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import { createPayment } from './actions/create-payment.ts'
import { exportPayments } from './actions/export-payments.ts'
import { readDetails } from './actions/read-details.ts'
import { refundPayment } from './actions/refund-payment.ts'
import type { PaymentsCtx } from './context.ts'
import { dashboardFilter } from './dashboard-filter.ts'
import { withinSearchLimit } from './search-limit.ts'
import { findPayment } from './store.ts'
import { countForDashboard } from './store-count.ts'
import { listForApplication, listForDashboard } from './store-list.ts'
import { toDashboard, toPublic } from './wire.ts'

/** Who takes nothing for so long has gone without a word. */
const EXPORT_IDLE_MS = 60_000

function idOf(text: string): PaymentId {
  const id = parseId(PaymentId, text)
  if (id === null) throw new AppError('not_found')
  return id
}

/** What a merchant's server may call, with an application key. */
export function publicPaymentRoutes(ctx: PaymentsCtx): Binding<KeyOwner>[] {
  return [
    confirmedBy(
      'statement',
      bind(contract.createPayment, async ({ caller, body, request, sent }) => {
        const created = await createPayment(ctx, caller, body, idempotencyKeyOf(request), sent)
        return { status: created.status, json: created.json, headers: replayedHeader(created) }
      }),
    ),
    bind(contract.getPayment, async ({ caller, params }) => {
      const payment = await findPayment(ctx.db.kysely, caller.merchantId, idOf(params.paymentId))
      if (payment?.applicationId !== caller.applicationId) throw new AppError('not_found')
      // As text: checking our own answer against its schema would take as long as finding the payment.
      return { status: 200 as const, json: JSON.stringify(toPublic(ctx, payment)) }
    }),
    bind(contract.cancelPayment, async ({ caller, params, request, confirmed }) => {
      const payment = await findPayment(ctx.db.kysely, caller.merchantId, idOf(params.paymentId))
      if (payment?.applicationId !== caller.applicationId) throw new AppError('not_found')
      return answer(
        200,
        toPublic(
          ctx,
          await cancelPayment(confirmed(ctx), caller.merchantId, payment.id, callerActor(caller, request)),
        ),
      )
    }),
    bind(contract.listPublicPayments, async ({ caller, query }) => {
      const found = await withinSearchLimit(
        ctx.heavyReads(caller.merchantId, (q) => listForApplication(q, caller, query)),
      )
      return answer(
        200,
        publicPage(found, query.limit, (payment) => toPublic(ctx, payment)),
      )
    }),
  ]
}

/** What the dashboard may call, with a session. */
export function dashboardPaymentRoutes(
  ctx: PaymentsCtx,
  { exportIdleMs = EXPORT_IDLE_MS } = {},
): Binding<{ merchantId: MerchantId; sessionId: SessionId }>[] {
  return [
    bind(dashboard.listPayments, async ({ caller, query }) => {
      const { found, counts } = await withinSearchLimit(
        ctx.heavyReads(caller.merchantId, async (q) => {
          const filter = await dashboardFilter(q, caller.merchantId, query)
          return { found: await listForDashboard(q, filter), counts: await countForDashboard(q, filter) }
        }),
      )
      const { page, last } = pageOf(found, query.limit)
      return answer(200, {
        payments: page.map(({ payment, applicationName }) => toDashboard(payment, applicationName)),
        ...counts,
        nextCursor: last?.payment.id ?? null,
      })
    }),
    bind(dashboard.exportPayments, async ({ caller, query, request, reply }) => {
      const actor = callerActor(caller, request)
      const { fileName, rows, csv } = await exportPayments(ctx, actor, caller.merchantId, query)
      reply.raw.setTimeout(exportIdleMs, () => reply.raw.destroy())
      return {
        status: 200 as const,
        stream: csv,
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${fileName}"`,
          ...(rows !== null && { [dashboard.ROW_COUNT_HEADER]: String(rows) }),
          // Nothing in between may gather the file before it passes it on.
          'x-accel-buffering': 'no',
        },
      }
    }),
    bind(dashboard.getPaymentDetails, async ({ caller, params }) =>
      answer(200, await readDetails(ctx, caller.merchantId, idOf(params.paymentId))),
    ),
    bind(dashboard.refundPayment, async ({ caller, body, request, confirm }) => {
      const actor = callerActor(caller, request)
      const { payment, isDone } = await refundPayment(
        ctx,
        actor,
        caller.merchantId,
        idOf(body.paymentId),
        { ...body, requestedBy: uuidOf(caller.sessionId) },
        confirm,
      )
      const name = await findApplicationName(ctx.db.kysely, caller.merchantId, payment.applicationId)
      const refunded = toDashboard(payment, name)
      return isDone ? answer(200, refunded) : answer(202, refunded)
    }),
  ]
}
