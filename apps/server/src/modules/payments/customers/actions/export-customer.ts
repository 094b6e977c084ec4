import type { AccountId, CustomerId } from '@muripo/contract/ids'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import { findCustomer, type StoredCustomer } from '../../payment/store-customers.ts'
import { type CustomerPayment, paymentsOfCustomer } from '../store-erasure.ts'

export interface ExportedCustomer {
  readonly customer: StoredCustomer
  readonly payments: readonly CustomerPayment[]
}

/** Everything that the gateway stores about a customer of a merchant; null when there is no such customer. */
export function exportCustomer(
  ctx: Ctx,
  operator: Actor,
  accountId: AccountId,
  id: CustomerId,
): Promise<ExportedCustomer | null> {
  return ctx.db.tx(async (tx) => {
    const customer = await findCustomer(tx, accountId, id)
    if (customer === null) return null
    const payments = await paymentsOfCustomer(tx, accountId, id)
    await audit(ctx, tx, operator, {
      action: 'customer.exported',
      subject: id,
      accountId,
      details: { payments: payments.length },
    })
    return { customer, payments }
  })
}
