import type { AttemptId, RefundId } from '@muripo/contract/ids'
import { type Money, money } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { adjust, clearing, toSuspense } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import type { Attempt } from '../../payment/payment.ts'
import { clearMoved, movedOf } from '../store-moved.ts'

/** An amount that differs from the requested one, and an operator's reason. */
export interface Moved {
  readonly amount: Money
  readonly reason: string
}

/** A charge or a refund. */
interface DifferingCall extends Pick<Attempt, 'accountId' | 'paymentId' | 'provider'> {
  readonly id: AttemptId | RefundId
}

interface Difference {
  readonly difference: Money
  readonly actor: Pick<Actor, 'kind' | 'name'>
  readonly reason: string
}

/**
 * Books on suspense the difference between the provider's amount and the booked amount of a payment: negative when the provider has less.
 */
export async function bookDifference(
  ctx: PaymentsCtx,
  tx: Tx,
  { accountId, paymentId, provider, id }: DifferingCall,
  { difference, actor, reason }: Difference,
): Promise<void> {
  const transfer = toSuspense(clearing(provider), difference)
  if (transfer !== null)
    await adjust(ctx, tx, accountId, actor, { ...transfer, paymentId, reason, causeId: uuidOf(id) })
}

const gateway = { kind: 'system', name: 'gateway' } as const

/** Reverses an operator's booking of a moved amount for a failed attempt, before another outcome of the attempt is booked. */
export async function unbookMoved(ctx: PaymentsCtx, tx: Tx, attempt: Attempt): Promise<void> {
  const moved = await movedOf(tx, attempt)
  if (moved === null) return
  await clearMoved(tx, attempt)
  await bookDifference(ctx, tx, attempt, {
    difference: money(-moved, attempt.amount.currency),
    actor: gateway,
    reason: 'The attempt is decided anew',
  })
}
