import { refundPayment } from '../src/modules/payments/actions/request-refund.ts'
import { makePaid, paymentNow, standingOf } from '../src/modules/payments/factory.ts'
import { byMerchant } from './audit-entries.ts'
import { test as base } from './fixtures.ts'

/** Tests of one paid payment of USD 12.50. `refund` requests a refund at the dashboard; `balances` are those of the merchant's ledger. */
export const test = base
  .extend('payment', ({ world, shop }) => makePaid(world.ctx, shop.owner, world.provider))
  .extend(
    'now',
    ({ world, shop, payment }) =>
      (of = payment) =>
        paymentNow(world.ctx, shop.owner, of.id),
  )
  .extend(
    'balances',
    ({ world, shop }) =>
      () =>
        standingOf(world.ctx, shop.accountId),
  )
  .extend(
    'refund',
    ({ world, shop, payment }) =>
      (amount: number, ctx = world.ctx, of = payment) =>
        refundPayment(ctx, byMerchant(shop.merchantId), shop.accountId, of.id, { amount, currency: 'USD' }),
  )
