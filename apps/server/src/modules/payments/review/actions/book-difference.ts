import { type Money, money } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { adjust, clearing, toSuspense } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import type { Attempt } from '../../payment.ts'
import { clearMoved, movedOf } from '../store-moved.ts'

/** Another amount than the one that the gateway asked for, and why a person says so. */
export interface Moved {
  readonly amount: Money
  readonly reason: string
}

/** LedgerScope on suspense what a provider holds beyond what is booked of a payment: more, or with a minus less. */
export async function bookDifference(
  ctx: PaymentsCtx,
  tx: Tx,
  { accountId, paymentId, provider }: Pick<Attempt, 'accountId' | 'paymentId' | 'provider'>,
  difference: Money,
  actor: Pick<Actor, 'kind' | 'name'>,
  reason: string,
): Promise<void> {
  const transfer = toSuspense(clearing(provider), difference)
  if (transfer !== null) await adjust(ctx, tx, accountId, actor, { ...transfer, paymentId, reason })
}

const gateway = { kind: 'system', name: 'gateway' } as const

/**
 * A failed attempt comes to something else after a person has booked what its provider moved for it. That booking is reversed by another
 * one, before the attempt books its own.
 */
export async function unbookMoved(ctx: PaymentsCtx, tx: Tx, attempt: Attempt): Promise<void> {
  const moved = await movedOf(tx, attempt)
  if (moved === null) return
  await clearMoved(tx, attempt)
  const back = money(-moved, attempt.amount.currency)
  await bookDifference(ctx, tx, attempt, back, gateway, 'The attempt is decided anew')
}
