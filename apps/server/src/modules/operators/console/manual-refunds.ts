import { Readable } from 'node:stream'
import { CONSOLE_PAGE } from '@muripo/contract/console'
import * as contract from '@muripo/contract/console-refunds'
import { RefundId } from '@muripo/contract/ids'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { pageOf } from '../../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { parseId, requestedId } from '../../../platform/ids.ts'
import { waitingBanking } from '../../applications/index.ts'
import {
  countWaitingRefunds,
  manualCsvHead,
  manualCsvRows,
  manualRefunds,
  maskedNumber,
  type OperatorRefund,
  refundsCsv,
  showRefund,
  waitingRefundsOf,
} from '../../payments/index.ts'
import type { Operator } from '../people/store-operators.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import { lastDigits } from '../proposals/kinds/applications.ts'
import { refused } from '../proposals/kinds/kind.ts'
import { openRefundProposals } from '../proposals/store-proposals.ts'
import type { ActorBy } from './deps.ts'
import { maskedText } from './masked.ts'
import { heldByAnother, insertReveal, revealedTo } from './store-reveals.ts'
import { refundToWire } from './wire-reviews.ts'

const MOST_BANKING = 50

export const manualRefundRoutes = (ctx: Ctx, actorBy: ActorBy): Binding<OperatorCaller>[] => [
  bind(contract.listManualRefunds, async ({ caller, query: { cursor = null, ...filter } }) => {
    const proposed = await openRefundProposals(ctx.db.kysely, null)
    const ids = [...proposed.keys()]
    const [found, { counts, providers }] = await Promise.all([
      manualRefunds(ctx, filter, ids, { after: cursor, limit: CONSOLE_PAGE + 1 }),
      countWaitingRefunds(ctx.db.kysely, ids),
    ])
    const { page, last } = pageOf(found, CONSOLE_PAGE)
    const taken = await revealedTo(
      ctx.db.kysely,
      caller.operator.id,
      page.map(({ id }) => id),
    )
    const refunds = page.map((refund) =>
      toManual(refund, taken.get(refund.id) ?? null, proposed.get(refund.id) ?? null),
    )
    return answer(200, { refunds, nextCursor: last?.id ?? null, counts, providers: [...providers] })
  }),
  bind(contract.exportManualRefunds, async ({ query }) => {
    const proposed = await openRefundProposals(ctx.db.kysely, null)
    return csvFile(`refunds-${query.state ?? 'waiting'}.csv`, await fileOf(ctx, query, [...proposed.keys()]))
  }),
  bind(contract.takeOutRefunds, async ({ caller, body: { refunds, reason }, request, confirmed }) => {
    const found = await Promise.all(refunds.map((id) => waitingRefund(ctx, requestedId(RefundId, id))))
    const actor = actorBy(caller, request)
    const until = await confirmed(ctx).db.tx(async (tx) => {
      await refuseSent(
        tx,
        caller.operator,
        found.map(({ id }) => id),
      )
      let end = ctx.clock.now()
      for (const { id, accountId } of found) {
        end = await insertReveal(tx, caller.operator.id, id, reason)
        const entry = { action: 'operator.revealed', subject: id, accountId, details: { reason } } as const
        await audit(ctx, tx, actor, entry)
      }
      return end
    })
    return answer(201, { until: until.toISOString() })
  }),
  bind(contract.exportTakenRefunds, async ({ caller }) => {
    const taken = await revealedTo(ctx.db.kysely, caller.operator.id, null)
    const ids = [...taken.keys()].flatMap((subject) => parseId(RefundId, subject) ?? [])
    const proposed = await openRefundProposals(ctx.db.kysely, ids)
    const refunds = await waitingRefundsOf(
      ctx,
      ids.filter((id) => !proposed.has(id)),
    )
    return csvFile('refunds-by-hand.csv', [refundsCsv(refunds)])
  }),
  bind(contract.listWaitingBanking, async ({ caller }) => {
    const waiting = await waitingBanking(ctx, MOST_BANKING)
    const merchants = waiting.map(({ merchantId }) => merchantId)
    const revealed = await revealedTo(ctx.db.kysely, caller.operator.id, merchants)
    const banking = waiting.map(
      ({
        merchantId,
        merchant,
        applicationId,
        applicationName,
        banking: { details, revision, changedAt },
      }) => ({
        merchantId,
        merchantName: merchant.fullname,
        applicationId,
        applicationName,
        revision,
        changedAt: changedAt.toISOString(),
        accountName: details.bankAccountName,
        bankName: details.bankName,
        accountNumber: revealed.has(merchantId)
          ? details.bankAccountNumber
          : lastDigits(details.bankAccountNumber),
        accountType: details.bankAccountType,
      }),
    )
    return answer(200, { banking })
  }),
]

/** @throws AppError not_found */
async function waitingRefund(ctx: Ctx, id: RefundId): Promise<OperatorRefund> {
  const refund = await showRefund(ctx, id)
  if (!refund?.isWaiting) throw new AppError('not_found', { detail: `No refund ${id} waits for an operator` })
  return refund
}

/**
 * Two who send one refund pay it twice.
 * @throws AppError proposal_refused for a refund that was sent, or that another operator sends
 */
async function refuseSent(tx: Tx, { id }: Operator, refunds: readonly RefundId[]): Promise<void> {
  const proposed = await openRefundProposals(tx, refunds)
  const sent = refunds.find((each) => proposed.has(each))
  if (sent) throw refused(`${sent} is in an open proposal: it was sent`)
  const held = await heldByAnother(tx, id, refunds)
  if (held) throw refused(`${held.subject} is taken out by ${held.email} until ${held.until.toISOString()}`)
}

const csvFile = (name: string, content: Iterable<string> | AsyncIterable<string>) => ({
  status: 200 as const,
  stream: Readable.from(content),
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  },
})

/** Every refund of the filter. The first page is read at once, so that its error has an error response. Merchants write numbers of payers into their reasons. */
async function fileOf(
  ctx: Ctx,
  filter: Parameters<typeof manualRefunds>[1],
  proposed: readonly RefundId[],
): Promise<AsyncGenerator<string>> {
  const pageAfter = async (after: RefundId | null) =>
    pageOf(await manualRefunds(ctx, filter, proposed, { after, limit: CONSOLE_PAGE + 1 }), CONSOLE_PAGE)
  const first = await pageAfter(null)
  async function* chunks(): AsyncGenerator<string> {
    yield manualCsvHead()
    for (let { page, last } = first; ; { page, last } = await pageAfter(last.id)) {
      yield manualCsvRows(
        page.map((refund) => ({ ...refund, reason: refund.reason && maskedText(refund.reason) })),
      )
      if (last === null) return
    }
  }
  return chunks()
}

const toManual = (
  refund: OperatorRefund,
  takenUntil: Date | null,
  proposalId: contract.ManualRefund['proposalId'],
): contract.ManualRefund => ({
  ...refundToWire(refund),
  phone: takenUntil === null ? maskedNumber(refund) : refund.msisdn && `+${refund.msisdn}`,
  takenUntil: takenUntil?.toISOString() ?? null,
  proposalId,
})
