import { PaymentId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { idFrom } from '../../../platform/ids.ts'
import {
  type ComparisonCtx,
  eachLedgerScope,
  type LedgerScope,
  type LongTimeout,
  withLongTimeout,
} from '../../ledger/index.ts'
import { findMisbooked } from '../store-drift.ts'

/** The first payments whose amounts disagree with the ledger or with their refunds. */
export const misbookedPayments = (
  ctx: Pick<Ctx, 'db'>,
  scope: LedgerScope,
  timeout?: LongTimeout,
): Promise<PaymentId[]> =>
  withLongTimeout(
    ctx.db,
    async (tx) => (await findMisbooked(tx, scope)).map((id) => idFrom(PaymentId, id)),
    timeout,
  )

export const comparePayments = (ctx: ComparisonCtx, signal?: AbortSignal): Promise<void> =>
  eachLedgerScope(ctx, signal, async (scope, timeout) => {
    const paymentIds = await misbookedPayments(ctx, scope, timeout)
    ctx.ledgerComparison.record('payments', scope.tests, paymentIds.length, ctx.clock.now())
    if (paymentIds.length > 0)
      ctx.log.error(
        { paymentIds, tests: scope.tests },
        'the ledger disagrees with payments; an operator has to look',
      )
  })
