import { Readable } from 'node:stream'
import * as contract from '@muripo/contract/console'
import { AccountId, PaymentId } from '@muripo/contract/ids'
import { audit } from '../../../platform/audit/audit.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { parseId, requestedId } from '../../../platform/ids.ts'
import { readDocument } from '../../identity/index.ts'
import { meOf } from '../people/routes.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import { fourEyesOf } from '../proposals/four-eyes.ts'
import { actorBy, type ConsoleDeps } from './deps.ts'
import { manualRefundRoutes } from './manual-refunds.ts'
import { operationRoutes } from './operation-routes.ts'
import { readConsoleAudit } from './read-audit.ts'
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
  bind(contract.listConsoleAudit, async ({ caller, query }) =>
    answer(200, await readConsoleAudit(deps.ctx, caller.operator, query)),
  ),
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
