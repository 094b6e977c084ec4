import type { AccountId, CustomerId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { findCustomer } from '../../payment/store-customers.ts'
import { eraseStoredCustomer, openPaymentsOfCustomer } from '../store-erasure.ts'

export type Erased =
  | { readonly kind: 'erased'; readonly payments: number; readonly retained: number }
  | { readonly kind: 'open'; readonly payments: number }
  | { readonly kind: 'none' }

/**
 * Erases a customer of a merchant. The payments keep their amounts, times and descriptions, which accounting needs, and lose every personal
 * field. An open payment needs the phone number for its look-ups, so the customer is erased only after it has ended. The number of a charge
 * that can still be refunded is retained, encrypted: the company owes a payer the refund whatever the payer has had erased.
 */
export function eraseCustomer(
  ctx: Ctx,
  operator: Actor,
  accountId: AccountId,
  id: CustomerId,
  reason: string,
): Promise<Erased> {
  return ctx.db.tx(async (tx) => {
    if ((await findCustomer(tx, accountId, id)) === null) return { kind: 'none' }
    const open = await openPaymentsOfCustomer(tx, accountId, id)
    if (open > 0) return { kind: 'open', payments: open }
    const erased = await eraseStoredCustomer(tx, ctx.keys, accountId, id)
    await audit(ctx, tx, operator, {
      action: 'customer.erased',
      subject: id,
      accountId,
      details: { ...erased, reason },
    })
    return { kind: 'erased', ...erased }
  })
}
