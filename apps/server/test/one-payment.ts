import { latestAttempt, lookUpDue, makePayment, paymentNow } from '../src/modules/payments/factory.ts'
import { test as base } from './fixtures.ts'

/** Tests of one new payment and its latest attempt. `later` looks up what is due after a time in milliseconds. */
export const test = base
  .extend('payment', ({ world, shop }) => makePayment(world.ctx, shop.owner))
  .extend(
    'now',
    ({ world, shop, payment }) =>
      () =>
        paymentNow(world.ctx, shop.owner, payment.id),
  )
  .extend(
    'attempt',
    ({ world, payment }) =>
      () =>
        latestAttempt(world.ctx, payment),
  )
  .extend('later', ({ world }) => async (ms: number): Promise<void> => {
    world.ctx.clock.advance(ms)
    await lookUpDue(world.ctx)
  })
