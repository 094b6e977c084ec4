import { afterAll, beforeAll, expect, test } from 'vitest'
import { byMerchant } from '../../../../test/deeds.ts'
import { makeShop, makeWorld, type World } from '../../../../test/world.ts'
import { balancesOf } from '../../ledger/index.ts'
import { makePaid, paymentNow } from '../factory.ts'
import { refundPayment } from './refund-payment.ts'

let world: World

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())

test.each([
  ['whose connector is gone', () => ({ ...world.ctx.providers, has: () => false })],
  [
    'whose provider has no refunds',
    () => ({
      ...world.ctx.providers,
      byId: (id: string) => ({ ...world.ctx.providers.byId(id), refund: 'manual' as const }),
    }),
  ],
])('a payment %s is not refunded, and none of its money is set aside', async (_what, providers) => {
  const shop = await makeShop(world.ctx)
  const payment = await makePaid(world.ctx, shop.owner, world.provider)
  const before = await balancesOf(world.ctx.db.kysely, shop.merchantId)

  const refused = refundPayment(
    { ...world.ctx, providers: providers() },
    byMerchant(shop.merchantId),
    shop.merchantId,
    payment.id,
    {
      amount: 12.5,
      currency: 'USD',
    },
  )

  await expect(refused).rejects.toMatchObject({ code: 'payment_not_refundable' })
  expect(await balancesOf(world.ctx.db.kysely, shop.merchantId)).toEqual(before)
  expect((await paymentNow(world.ctx, shop.owner, payment.id)).refundPending.minor).toBe(0n)
})
