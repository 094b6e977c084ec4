import { type AccountId, type PaymentId, RefundId } from '@muripo/contract/ids'
import type { Tx } from '../../../../platform/db/database.ts'
import type { PaymentsCtx } from '../../context.ts'
import { resolvingCommit } from '../../provider-calls/unknown-commit.ts'
import { findRefund } from '../store-refunds.ts'
import type { OpenedRefund } from './open-refund.ts'
import { sendRefund } from './send-refund.ts'

/** The refund of a request: a new one, or an earlier one that the request repeats. */
export interface RequestedRefund {
  readonly id: RefundId
  readonly isRepetition: boolean
}

/**
 * Opens a refund in a transaction of its own and sends it.
 * @param open opens the refund under the id, or returns the earlier refund that the request repeats. It may run again in a new transaction
 */
export async function openAndSend(
  ctx: PaymentsCtx,
  payment: { readonly accountId: AccountId; readonly paymentId: PaymentId },
  open: (tx: Tx, id: RefundId) => Promise<OpenedRefund | { readonly repeated: RefundId }>,
): Promise<RequestedRefund> {
  const id = ctx.ids.next(RefundId)
  let opened: OpenedRefund | null = null
  let endSending = () => {}
  const openIn = async (tx: Tx): Promise<RefundId> => {
    // A retried transaction starts here again, after the database rolled the earlier run back.
    opened = null
    endSending()
    const result = await open(tx, id)
    if ('repeated' in result) return result.repeated
    opened = result
    // The refund is announced before the commit makes it visible: a concurrent request that finds it can wait for it.
    endSending = ctx.refundSingleflight.begin(id)
    return id
  }
  try {
    const committed = await resolvingCommit(
      ctx,
      payment,
      () => ctx.db.tx(openIn),
      async (tx) => ((await findRefund(tx, payment.accountId, id)) ? id : null),
    )
    if (opened) await sendRefund(ctx, opened)
    return { id: committed, isRepetition: committed !== id }
  } finally {
    endSending()
  }
}
