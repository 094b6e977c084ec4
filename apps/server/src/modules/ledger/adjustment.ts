import { type AccountId, AdjustmentId, type PaymentId } from '@muripo/contract/ids'
import type { AdjustableCode } from '@muripo/contract/ledger'
import type { Money } from '@muripo/contract/money'
import type { Actor } from '../../platform/audit/actor.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { EntityOf } from '../../platform/db/table.ts'
import { uuidOf } from '../../platform/ids.ts'
import { adjustments } from './tables.ts'
import type { Transfer } from './transfer.ts'

export interface Adjustment {
  readonly debit: AdjustableCode
  readonly credit: AdjustableCode
  readonly amount: Money
  readonly paymentId: PaymentId | null
  readonly reason: string
  /** The UUID of the attempt or refund whose amount at the provider differs from the booked one. */
  readonly causeId?: string
  readonly actor: Pick<Actor, 'kind' | 'name'>
}

/** A correction with its id, and the transfer that books it. */
export interface NewAdjustment {
  readonly entry: EntityOf<typeof adjustments>
  readonly transfer: Transfer
}

export function newAdjustment(
  ctx: Pick<Ctx, 'ids' | 'clock'>,
  accountId: AccountId,
  { actor, causeId, ...adjustment }: Adjustment,
): NewAdjustment {
  const id = ctx.ids.next(AdjustmentId)
  const { debit, credit, amount, paymentId } = adjustment
  return {
    entry: {
      ...adjustment,
      accountId,
      id,
      causeId: causeId ?? null,
      actor: `${actor.kind} ${actor.name}`,
      createdAt: ctx.clock.now(),
    },
    transfer: { kind: 'adjustment', debit, credit, amount, paymentId, causeId: uuidOf(id) },
  }
}

/** The rows of new adjustments. Their transfers are inserted after them. */
export const adjustmentRows = adjustments.recordSet()

/** Books a difference between the booked and the real balance of clearing. The other side is on suspense until an operator moves it. */
export const toSuspense = (
  clearing: AdjustableCode,
  { minor, currency }: Money,
): Pick<Adjustment, 'debit' | 'credit' | 'amount'> | null => {
  if (minor === 0n) return null
  return minor > 0n
    ? { debit: clearing, credit: 'suspense', amount: { minor, currency } }
    : { debit: 'suspense', credit: clearing, amount: { minor: -minor, currency } }
}

/** An adjustment for one attempt or refund, as JSON has it. */
export interface BookedDifference {
  readonly cause: string
  readonly debit: string
  readonly credit: string
  readonly minor: number | bigint
}

/** An expression: the adjustments for the attempts and refunds of the payment in the row of `payments`. */
export const adjustmentsOfPayment = (payments: string): string => `(
  select json_agg(json_build_object('cause', cause_id, 'debit', debit_code, 'credit', credit_code, 'minor', amount_minor))
  from ledger_adjustments a where a.account_id = ${payments}.account_id and a.payment_id = ${payments}.id and cause_id is not null)`

/** The sum of the adjustments of an account for one attempt or refund: positive when the account holds more than was booked otherwise. */
export const differenceFor = (
  differences: readonly BookedDifference[],
  causeId: string,
  account: AdjustableCode,
): bigint =>
  differences
    .filter(({ cause }) => cause === causeId)
    .reduce((sum, { debit, credit, minor }) => {
      if (debit === account) return sum + BigInt(minor)
      return credit === account ? sum - BigInt(minor) : sum
    }, 0n)
