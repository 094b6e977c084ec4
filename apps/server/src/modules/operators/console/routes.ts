import { Readable } from 'node:stream'
import * as contract from '@muripo/contract/console'
import * as records from '@muripo/contract/console-records'
import { AccountId, PaymentId } from '@muripo/contract/ids'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { parseId, requestedId } from '../../../platform/ids.ts'
import { readDocument } from '../../identity/index.ts'
import { meOf } from '../people/routes.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import { fourEyesOf } from '../proposals/four-eyes.ts'
import { actorBy, type ConsoleDeps } from './deps.ts'
import { manualRefundRoutes } from './manual-refunds.ts'
import { noteRoutes } from './notes.ts'
import { operationRoutes } from './operation-routes.ts'
import { exportedAudit, readConsoleAudit } from './read-audit.ts'
import { merchantWith, readMerchant, readMerchants } from './read-merchants.ts'
import { accountOfPayment, findPayments, readPayment, readReviews } from './read-payments.ts'
import { readToday } from './read-today.ts'
import { settingsRoutes } from './settings-routes.ts'
import { insertReveal, revealedUntil } from './store-reveals.ts'

export const consoleRoutes = (deps: ConsoleDeps): Binding<OperatorCaller>[] => [
  bind(contract.getMe, async ({ caller }) => answer(200, meOf(caller, await fourEyesOf(deps.ctx)))),
  bind(contract.getToday, async ({ caller }) =>
    answer(200, await readToday(deps.ctx, deps.ctxs, caller.operator, deps.readStatus)),
  ),
  ...merchantRoutes(deps),
  ...noteRoutes(deps.ctx, actorBy(deps.ctx)),
  bind(contract.findConsolePayments, async ({ query }) =>
    answer(200, { payments: await findPayments(deps.ctxs, query.search) }),
  ),
  bind(contract.getConsolePayment, async ({ caller, params }) => {
    const accountId = requestedId(AccountId, params.merchantId)
    const paymentId = requestedId(PaymentId, params.paymentId)
    return answer(200, await readPayment(deps, accountId, paymentId, caller.operator))
  }),
  bind(contract.getReviews, async () => answer(200, await readReviews(deps.ctx))),
  revealRoute(deps),
  ...manualRefundRoutes(deps.ctx, actorBy(deps.ctx)),
  ...operationRoutes(deps, actorBy(deps.ctx)),
  ...settingsRoutes(deps.ctx, actorBy(deps.ctx)),
  ...auditRoutes(deps.ctx),
]

/** A client of the export that reads nothing for this time is disconnected. */
const EXPORT_IDLE_MS = 60_000

const auditRoutes = (ctx: Ctx): Binding<OperatorCaller>[] => [
  bind(records.listConsoleAudit, async ({ caller, query }) =>
    answer(200, await readConsoleAudit(ctx, caller.operator, query)),
  ),
  bind(records.exportConsoleAudit, async ({ caller, query, request, reply, confirmed }) => {
    const chunks = await exportedAudit(ctx, caller.operator, query)
    await confirmed(ctx).db.tx((tx) =>
      audit(ctx, tx, actorBy(ctx)(caller, request), {
        action: 'operator.audit_exported',
        subject: caller.operator.id,
        accountId: null,
        details: query,
      }),
    )
    reply.raw.setTimeout(EXPORT_IDLE_MS, () => reply.raw.destroy())
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="muripo-audit.csv"',
      // A proxy in between must not buffer the file.
      'x-accel-buffering': 'no',
    }
    return { status: 200 as const, stream: Readable.from(chunks), headers }
  }),
]

const merchantRoutes = ({ ctx, ctxs }: ConsoleDeps): Binding<OperatorCaller>[] => [
  bind(contract.listConsoleMerchants, async ({ query: { status, search, cursor } }) =>
    answer(200, await readMerchants(ctx, { status, search, after: cursor })),
  ),
  bind(contract.getConsoleMerchant, async ({ caller, params }) => {
    const merchant = await merchantWith(ctx, params.merchantId)
    return answer(200, await readMerchant(ctx, ctxs.of(merchant.id), merchant, caller.operator))
  }),
  bind(contract.readMerchantDocument, async ({ caller, params, request }) => {
    const { id, documentId } = await merchantWith(ctx, params.merchantId)
    if ((await revealedUntil(ctx.db.kysely, caller.operator.id, id)) === null)
      throw new AppError('not_permitted', { detail: 'Please reveal the merchant first, with a reason' })
    const content = await readDocument(ctx, actorBy(ctx)(caller, request), documentId)
    if (content === null) throw new AppError('not_found', { detail: 'The merchant has no document' })
    const headers = {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${documentId}.pdf"`,
    }
    return { status: 200 as const, stream: Readable.from(content), headers }
  }),
]

const revealRoute = ({ ctx, ctxs }: ConsoleDeps): Binding<OperatorCaller> =>
  bind(contract.revealPersonalData, async ({ caller, body: { subject, reason }, request, confirmed }) => {
    const paymentId = parseId(PaymentId, subject)
    const accountId =
      paymentId === null ? (await merchantWith(ctx, subject)).id : await accountOfPayment(ctxs, paymentId)
    const until = await confirmed(ctx).db.tx(async (tx) => {
      const end = await insertReveal(tx, caller.operator.id, subject, reason)
      const actor = actorBy(ctx)(caller, request)
      await audit(ctx, tx, actor, { action: 'operator.revealed', subject, accountId, details: { reason } })
      return end
    })
    return answer(201, { subject, until: until.toISOString() })
  })
