import { type MerchantId, PaymentId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { idFrom } from '../../../platform/ids.ts'
import { unhurried } from '../../ledger/index.ts'
import { findMisbooked } from '../store-books.ts'

/** Payments, of all merchants or of one, of which the ledger says something else than they do; the first of them. */
export const misbookedPayments = (
  ctx: Pick<Ctx, 'db'>,
  merchantId: MerchantId | null,
): Promise<PaymentId[]> =>
  unhurried(ctx.db, async (tx) => (await findMisbooked(tx, merchantId)).map((id) => idFrom(PaymentId, id)))

export async function comparePayments(ctx: Pick<Ctx, 'db' | 'log'>): Promise<void> {
  const paymentIds = await misbookedPayments(ctx, null)
  if (paymentIds.length > 0)
    ctx.log.error(
      { paymentIds },
      'the ledger says something else of payments than they do; a person has to look',
    )
}
