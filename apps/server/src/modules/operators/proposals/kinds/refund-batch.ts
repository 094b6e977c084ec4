import type { RefundId } from '@muripo/contract/ids'
import { add, type Money } from '@muripo/contract/money'
import type { Line } from '@muripo/contract/proposal-lines'
import { type Queryable, runNamed, type Tx } from '../../../../platform/db/database.ts'
import { areTogether } from '../../../../platform/db/databases.ts'
import { resolveRefund } from '../../../payments/index.ts'
import type { BatchPayload, KindTypes } from '../payloads.ts'
import { type Kind, type KindCtx, refused } from './kind.ts'
import { amountText, paymentVersion } from './of-payment.ts'
import { presentRefund, refundReasons, refuseProposed, refuseVerdict } from './refunds.ts'

/** One refund of a batch cannot be confirmed, so none of them is. */
class NotConfirmed extends Error {}

/** The same context inside a transaction, with which everything that it writes is committed. */
const inside = (ctx: KindCtx, tx: Tx): KindCtx => ({
  ...ctx,
  db: {
    ...ctx.db,
    kysely: tx,
    tx: (work) => work(tx),
    commitStatement: (statement) => runNamed(tx, statement),
  },
})

export const batchKind: Kind<BatchPayload, KindTypes['refund.batch']['result']> = {
  accountOf: ({ refunds: [first] }) => first?.accountId ?? null,
  async describe(ctx, payload) {
    const version = await batchVersion(ctx.db.kysely, payload)
    const accounts = payload.refunds.map(({ accountId }) => accountId)
    if (!accounts.every((each) => areTogether(ctx.db, each, accounts[0] ?? each)))
      throw refused('These refunds are in several databases: confirm those of one merchant at a time')
    await refuseProposed(
      ctx,
      payload.refunds.map(({ refundId }) => refundId),
    )
    const lines: Line[] = []
    const sums = new Map<string, Money>()
    for (const each of payload.refunds) {
      const refund = await presentRefund(ctx, each)
      if (!refund.isWaiting || refund.isPaidLate) throw refused(`${refund.id} waits for no confirmation`)
      await refuseVerdict(ctx, refund.id, { kind: 'paid', reference: each.reference })
      const { amount, shopName } = refund
      const sum = sums.get(amount.currency)
      sums.set(amount.currency, sum ? add(sum, amount) : amount)
      lines.push({
        label: `${shopName}, ${refund.id}`,
        from: null,
        to: `${amountText(amount)}, sent under ${each.reference}`,
      })
    }
    const count = payload.refunds.length
    return {
      payload,
      subject: payload.refunds[0]?.refundId ?? '',
      accountId: null,
      version,
      about: `${count === 1 ? 'One refund' : `${count} refunds`}, ${[...sums.values()].map(amountText).join(' and ')}`,
      diff: lines,
    }
  },
  versionIn: batchVersion,
  async execute(ctx, actor, { refunds }) {
    const confirm = async (within: KindCtx, refundId: RefundId, reference: string): Promise<void> => {
      const resolved = await resolveRefund(within, actor, refundId, { kind: 'paid', reference })
      if (resolved !== 'done') throw new NotConfirmed(`${refundId} ${refundReasons[resolved]}`)
    }
    try {
      await ctx.db.tx(async (tx) => {
        for (const { refundId, reference } of refunds) await confirm(inside(ctx, tx), refundId, reference)
      })
      return 'done'
    } catch (error) {
      if (error instanceof NotConfirmed) return { refused: error.message }
      throw error
    }
  },
  // The transaction is rolled back unless it confirms every refund.
  isDone: () => true,
  whyNot: (result) => (result === 'done' ? null : result.refused),
}

async function batchVersion(q: Queryable, { refunds }: BatchPayload): Promise<string> {
  const versions: string[] = []
  for (const refund of refunds) versions.push(await paymentVersion(q, refund))
  return versions.join(' ')
}
