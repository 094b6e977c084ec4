import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import { insertTransfers, type NewTransfer } from '../store.ts'
import type { Transfer, TransferOwner } from '../transfer.ts'

/** Posts transfers between accounts of an environment, in the caller's transaction: the cause and its transfers commit together. */
export async function postTransfers(
  ctx: Ctx,
  tx: Tx,
  owner: TransferOwner,
  ...transfers: readonly Transfer[]
): Promise<void> {
  const entries = newTransfers(ctx, owner, transfers)
  if (entries.length > 0) await insertTransfers(tx, entries)
}

/** A transfer of zero moves nothing and is left out: a free payment has no fee to book. */
export function newTransfers(
  ctx: Pick<Ctx, 'clock'>,
  { accountId, applicationId }: TransferOwner,
  transfers: readonly Transfer[],
): NewTransfer[] {
  for (const { amount } of transfers)
    invariant(amount.minor >= 0n, 'a transfer never moves a negative amount')
  const createdAt = ctx.clock.now()
  return transfers
    .filter(({ amount }) => amount.minor > 0n)
    .map((transfer) => ({ ...transfer, accountId, applicationId, createdAt }))
}
