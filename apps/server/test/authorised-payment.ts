import { money } from '@muripo/contract/money'
import { CreateRefund } from '@muripo/contract/refunds'
import { cancelPayment } from '../src/modules/payments/actions/cancel-payment.ts'
import { capturePayment } from '../src/modules/payments/actions/instruct-payment.ts'
import { createRefund } from '../src/modules/payments/actions/request-refund.ts'
import type { PaymentsCtx } from '../src/modules/payments/context.ts'
import {
  authorising,
  clearDueCalls,
  makeAuthorised,
  paymentNow,
  tracesOf,
} from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { systemActor } from '../src/platform/audit/actor.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { test as base } from './fixtures.ts'
import type { Shop } from './world.ts'

export const merchantActor = systemActor('test')
export const usd = (minor: bigint) => money(minor, 'USD')

/** An authorised payment of 12.50, and the calls of its merchant. */
export const test = base.extend('scene', async ({ world: { ctx, provider }, shop }) => {
  await clearDueCalls(ctx)
  const bank = authorising(provider)
  const payment = await makeAuthorised(ctx, shop.owner)
  return {
    bank,
    payment,
    now: (of: Payment = payment) => paymentNow(ctx, shop.owner, of.id),
    capture: (amount?: number, key?: string, of: Payment = payment) =>
      capturePayment(ctx, shop.owner, of.id, amount === undefined ? {} : { amount }, { idempotencyKey: key }),
    cancel: (of: Payment = payment) => cancelPayment(ctx, shop.accountId, of.id, merchantActor),
    traces: (of: Payment = payment) => tracesOf(ctx, of),
    refund: (amount: number) =>
      createRefund(ctx, shop.owner, CreateRefund.parse({ payment: payment.id, amount })),
  }
})

/** The differences of the ledger and of the figures from the payments. */
export const driftOf = async ({ db }: PaymentsCtx, { accountId }: Shop): Promise<unknown[]> => {
  const { rows } = await db.pool.query(
    `select 'ledger' as of from payment_ledger_drift where account_id = $1
     union all select 'figures' from payment_figures_drift where account_id = $1`,
    [uuidOf(accountId)],
  )
  return rows
}
