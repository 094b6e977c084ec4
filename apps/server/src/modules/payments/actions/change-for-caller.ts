import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { Tx } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { confirmKey, type KeyOwner } from '../../applications/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment, type Decided } from '../payment/commit.ts'
import { readWhole, type WholeState } from '../payment/state.ts'

/** The confirmation of a caller: the owner of a key by the statement that writes, a session in the transaction that writes. */
export interface Confirmation {
  readonly caller?: KeyOwner | undefined
  readonly confirm?: ((tx: Tx) => Promise<void>) | undefined
}

/**
 * Changes a payment for a caller that may have lost its access since it was authenticated. A caller that may not write any more is told that
 * alone, also where the payment would refuse the change.
 * @throws AppError not_found, the refusals of the caller and of `decide`
 */
export async function changeForCaller<Result>(
  ctx: PaymentsCtx,
  { accountId, paymentId }: { readonly accountId: AccountId; readonly paymentId: PaymentId },
  { caller, confirm }: Confirmation,
  decide: (state: WholeState) => Decided<Result>,
): Promise<Result> {
  const confirmNow = async (): Promise<void> => {
    if (caller) await confirmKey(ctx.db.kysely, caller)
    if (confirm) await ctx.db.tx(confirm)
  }
  const read = async (): Promise<WholeState> => {
    const state = await readWhole(ctx.db.kysely, accountId, paymentId)
    if (state === null) throw new AppError('not_found')
    return state
  }
  let decisions = 0
  let writes = false
  const decideFor = async (state: WholeState): Promise<Decided<Result>> => {
    decisions += 1
    // The statement may have refused the caller.
    if (decisions > 1) await confirmNow()
    const decided = decide(state)
    const { effects } = decided
    writes = effects !== null
    return caller && effects ? { ...decided, effects: { ...effects, caller } } : decided
  }
  try {
    const result = await changePayment(ctx, read, decideFor, { alongside: confirm && { last: confirm } })
    if (!writes) await confirmNow()
    return result
  } catch (error) {
    if (error instanceof AppError) await confirmNow()
    throw error
  }
}
