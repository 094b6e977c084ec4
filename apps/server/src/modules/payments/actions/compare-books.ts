import { PaymentId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { idFrom } from '../../../platform/ids.ts'
import { type Books, unhurried } from '../../ledger/index.ts'
import { findMisbooked } from '../store-books.ts'

/** Payments of which the ledger says something else than they do; the first of them. */
export const misbookedPayments = (ctx: Pick<Ctx, 'db'>, books: Books): Promise<PaymentId[]> =>
  unhurried(ctx.db, async (tx) => (await findMisbooked(tx, books)).map((id) => idFrom(PaymentId, id)))

export async function comparePayments(ctx: Pick<Ctx, 'db' | 'log'>): Promise<void> {
  for (const tests of [false, true]) {
    const paymentIds = await misbookedPayments(ctx, { merchantId: null, tests })
    if (paymentIds.length > 0)
      ctx.log.error(
        { paymentIds, tests },
        'the ledger says something else of payments than they do; a person has to look',
      )
  }
}
