import { createCheckout } from '../src/modules/checkout/index.ts'
import { makePayment, pending } from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { test as base } from './fixtures.ts'
import { freshShop } from './world.ts'

/** Tests of the payer's page, whose provider leaves each attempt pending. */
export const test = base
  .extend('shop', async ({ world }) => {
    const shop = await freshShop(world)
    world.provider.charge = async () => pending()
    world.provider.lookup = async () => pending()
    return shop
  })
  .extend('checkout', ({ world }) => createCheckout(world.ctx))
  .extend(
    'tokenOf',
    ({ world }) =>
      ({ accountId, id }: Payment) =>
        world.ctx.checkoutLinks.tokenOf(accountId, id),
  )
  .extend('view', ({ checkout, tokenOf }) => async (payment: Payment) => {
    const seen = await checkout.view(tokenOf(payment), '203.0.113.7')
    if (seen && 'waitSeconds' in seen) throw new Error('too many reads')
    return seen
  })
  .extend(
    'start',
    ({ checkout, tokenOf }) =>
      (payment: Payment, phone = '0771234567', method = 'ecocash') =>
        checkout.submit(tokenOf(payment), new URLSearchParams({ method, phone })),
  )
  .extend(
    'make',
    ({ world, shop }) =>
      (input = {}) =>
        makePayment(world.ctx, shop.owner, input),
  )

test.afterEach(({ world }) => world.ctx.backgroundTasks.drain())
