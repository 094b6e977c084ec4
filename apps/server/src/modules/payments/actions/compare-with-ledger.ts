import { type AccountId, PaymentId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { idFrom } from '../../../platform/ids.ts'
import {
  type ComparisonCtx,
  compareEnvironments,
  eachEnvironment,
  type LedgerScope,
  type LongTimeout,
  withLongTimeout,
} from '../../ledger/index.ts'
import { findMisbooked } from '../store-figures.ts'

/** The first payments of each environment whose amounts disagree with the ledger or with their refunds. */
export async function misbookedPayments(ctx: Pick<Ctx, 'db'>, scope: LedgerScope): Promise<PaymentId[]> {
  const found: PaymentId[] = []
  for await (const id of eachEnvironment(ctx.db.kysely, scope)) found.push(...(await misbookedOf(ctx, id)))
  return found
}

const misbookedOf = (
  ctx: Pick<Ctx, 'db'>,
  accountId: AccountId,
  timeout?: LongTimeout,
): Promise<PaymentId[]> =>
  withLongTimeout(
    ctx.db,
    async (tx) => (await findMisbooked(tx, accountId)).map((id) => idFrom(PaymentId, id)),
    timeout,
  )

export const comparePayments = (ctx: ComparisonCtx, signal?: AbortSignal): Promise<void> =>
  compareEnvironments(ctx, 'payments', signal, async (accountId, timeout) => {
    const paymentIds = await misbookedOf(ctx, accountId, timeout)
    if (paymentIds.length > 0)
      ctx.log.error({ accountId, paymentIds }, 'the ledger disagrees with payments; an operator has to look')
    return paymentIds.length
  })
