import { PaymentId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { idFrom } from '../../../platform/ids.ts'
import { type Books, eachBooks, type LongTimeout, withLongTimeout } from '../../ledger/index.ts'
import { findMisbooked } from '../store-drift.ts'

/** Payments of which the ledger or their refunds say something else than they do; the first of them. */
export const misbookedPayments = (
  ctx: Pick<Ctx, 'db'>,
  books: Books,
  timeout?: LongTimeout,
): Promise<PaymentId[]> =>
  withLongTimeout(
    ctx.db,
    async (tx) => (await findMisbooked(tx, books)).map((id) => idFrom(PaymentId, id)),
    timeout,
  )

export const comparePayments = (ctx: Pick<Ctx, 'db' | 'log'>, signal?: AbortSignal): Promise<void> =>
  eachBooks(ctx, signal, async (books, timeout) => {
    const paymentIds = await misbookedPayments(ctx, books, timeout)
    if (paymentIds.length > 0)
      ctx.log.error(
        { paymentIds, tests: books.tests },
        'the ledger says something else of payments than they do; a person has to look',
      )
  })
