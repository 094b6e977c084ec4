import { Readable } from 'node:stream'
import type { ManualRefundState } from '@muripo/contract/console-permissions'
import * as contract from '@muripo/contract/console-refunds'
import { RefundId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import { waitingBanking } from '../../applications/index.ts'
import {
  maskedNumber,
  type OperatorRefund,
  refundsCsv,
  showRefund,
  waitingRefunds,
} from '../../payments/index.ts'
import type { Operator } from '../people/store-operators.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import { lastDigits } from '../proposals/kinds/applications.ts'
import { refused } from '../proposals/kinds/kind.ts'
import { openRefundProposals } from '../proposals/store-proposals.ts'
import type { ActorBy } from './deps.ts'
import { heldByAnother, insertReveal, revealedTo } from './store-reveals.ts'

const MOST = 500
const MOST_BANKING = 50

export const manualRefundRoutes = (ctx: Ctx, actorBy: ActorBy): Binding<OperatorCaller>[] => [
  bind(contract.listManualRefunds, async ({ caller, query: { state, provider, currency, search } }) => {
    const all = await manualRefunds(ctx, caller.operator)
    const word = search?.trim().toLowerCase() ?? ''
    const refunds = all.filter(
      ({ state: of, refund }) =>
        (state === undefined || of === state) &&
        (provider === undefined || refund.provider === provider) &&
        (currency === undefined || refund.currency === currency) &&
        (word === '' ||
          [refund.shopName, refund.refundId, refund.paymentId].some((text) =>
            text.toLowerCase().includes(word),
          )),
    )
    const countOf = (of: ManualRefundState) => all.filter((each) => each.state === of).length
    return answer(200, {
      refunds: refunds.map(({ refund }) => refund),
      counts: {
        to_send: countOf('to_send'),
        to_clarify: countOf('to_clarify'),
        proposed: countOf('proposed'),
      },
      providers: [...new Set(all.map(({ refund }) => refund.provider))].sort(),
    })
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
    const { refunds: all, taken, proposed } = await refundsByHand(ctx, caller.operator)
    const refunds = all.filter(({ id }) => taken.has(id) && !proposed.has(id))
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="refunds-by-hand.csv"',
    }
    return { status: 200 as const, stream: Readable.from(refundsCsv(refunds)), headers }
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

/** The refunds that wait for an operator, with those that this one has taken out and those of open proposals. */
async function refundsByHand(ctx: Ctx, { id }: Operator) {
  const refunds = await waitingRefunds(ctx, MOST)
  const ids = refunds.map((refund) => refund.id)
  const [taken, proposed] = await Promise.all([
    revealedTo(ctx.db.kysely, id, ids),
    openRefundProposals(ctx.db.kysely, ids),
  ])
  return { refunds, taken, proposed }
}

/** The refunds of the desk as this operator sees them. */
async function manualRefunds(
  ctx: Ctx,
  operator: Operator,
): Promise<{ readonly state: ManualRefundState; readonly refund: contract.ManualRefund }[]> {
  const { refunds, taken, proposed } = await refundsByHand(ctx, operator)
  return refunds.map((refund) => {
    const proposalId = proposed.get(refund.id) ?? null
    const isToSend = refund.status === 'awaiting_operator'
    const state = proposalId !== null ? 'proposed' : isToSend ? 'to_send' : 'to_clarify'
    return { state, refund: toManual(refund, taken.get(refund.id) ?? null, proposalId) }
  })
}

const toManual = (
  refund: OperatorRefund,
  takenUntil: Date | null,
  proposalId: contract.ManualRefund['proposalId'],
): contract.ManualRefund => ({
  refundId: refund.id,
  merchantId: refund.accountId,
  paymentId: refund.paymentId,
  shopName: refund.shopName,
  amount: toMajor(refund.amount),
  currency: refund.amount.currency,
  since: refund.createdAt.toISOString(),
  provider: refund.provider,
  method: refund.method,
  phone: takenUntil === null ? maskedNumber(refund) : refund.msisdn && `+${refund.msisdn}`,
  chargeReference: refund.chargeReference,
  providerStatus: refund.providerStatus,
  origin: refund.origin,
  reason: refund.reason,
  isTest: refund.isTest,
  isPaidLate: refund.isPaidLate,
  takenUntil: takenUntil?.toISOString() ?? null,
  proposalId,
})
