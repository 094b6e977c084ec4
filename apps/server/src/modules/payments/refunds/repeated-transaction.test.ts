import { money } from '@muripo/contract/money'
import { expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/paid-payment.ts'
import { createSingleflight } from '../../../platform/async/singleflight.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { PaymentsCtx } from '../context.ts'
import { paid, paymentNow } from '../factory.ts'
import { refundsOf } from '../payment/store-refunds.ts'
import { createRefund, refundPayment } from './actions/request-refund.ts'

const MINUTE = 60_000

const isLanded = (ctx: PaymentsCtx, id: string) =>
  Promise.race([
    ctx.refundSingleflight.join(id).then(() => true),
    new Promise((resolve) => setTimeout(() => resolve(false), 50)),
  ])

const test = base
  .extend('announced', () => [] as string[])
  .extend('scene', ({ world, shop, announced, payment }) => {
    /** A gateway whose first transaction the database rolls back at its end. */
    function undone(meanwhile: () => Promise<unknown> = async () => {}): PaymentsCtx {
      let isFirst = true
      const { db } = world.ctx
      const singleflight = createSingleflight()
      const tx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
        db.tx(async (inner) => {
          const wasUndone = !isFirst
          if (wasUndone) await meanwhile()
          const done = await work(inner)
          isFirst = false
          if (!wasUndone) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
          return done
        })
      const run: typeof singleflight.run = (key, work) => {
        announced.push(key)
        return singleflight.run(key, work)
      }
      return { ...world.ctx, db: { ...db, tx }, refundSingleflight: { ...singleflight, run } }
    }
    const refunds = () => refundsOf(world.ctx.db.kysely, shop.accountId, payment.id)
    return { undone, refunds }
  })

test.beforeEach(({ provider }) => {
  provider.refunds.length = 0
  provider.refund = async ({ amount }) => paid(amount, 'RF1')
})

test('a refund at the dashboard whose transaction is repeated is one, sent once, and no two wait for each other', async ({
  world,
  shop,
  payment,
  announced,
  scene: { undone, refunds },
}) => {
  const ctx = undone()
  const requested = { amount: 5, currency: 'USD' } as const
  const { isDone } = await refundPayment(
    ctx,
    byMerchant(shop.merchantId),
    shop.accountId,
    payment.id,
    requested,
  )
  expect(isDone).toBe(true)
  expect(await refunds()).toHaveLength(1)
  expect(world.provider.refunds).toHaveLength(1)
  expect(announced).toHaveLength(1)
  for (const id of announced) expect(await isLanded(ctx, id)).toBe(true)
  expect((await paymentNow(world.ctx, shop.owner, payment.id)).refunded).toEqual(money(500n, 'USD'))
})

test('a refund by the API whose transaction is repeated is one, sent once, and no two wait for each other', async ({
  provider,
  shop,
  payment,
  announced,
  scene: { undone, refunds },
}) => {
  const ctx = undone()
  const created = await createRefund(
    ctx,
    shop.owner,
    { payment: payment.id, amount: 5 },
    { idempotencyKey: 'again' },
  )
  expect(JSON.parse(created.json)).toMatchObject({ status: 'completed', amount: 5 })
  expect(await refunds()).toHaveLength(1)
  expect(provider.refunds).toHaveLength(1)
  expect(announced).toHaveLength(1)
  for (const id of announced) expect(await isLanded(ctx, id)).toBe(true)
})

test('the result of another request under the key is returned, and a refund that was rolled back is never sent', async ({
  world,
  shop,
  payment,
  scene: { undone, refunds },
}) => {
  const input = { payment: payment.id, amount: 5 }
  // Another process crashed after its commit and before the call, long ago.
  const dying = async () => {
    const { providers } = world.ctx
    let isOpened = false
    const byId: typeof providers.byId = (id) => {
      if (isOpened) throw new Error('died')
      isOpened = true
      return providers.byId(id)
    }
    const silent = { ...world.ctx, providers: { ...providers, byId } }
    await expect(createRefund(silent, shop.owner, input, { idempotencyKey: 'same' })).rejects.toThrow('died')
    world.ctx.clock.advance(MINUTE)
  }
  const created = await createRefund(undone(dying), shop.owner, input, { idempotencyKey: 'same' })
  const stored = await refunds()
  expect(stored).toHaveLength(1)
  expect(JSON.parse(created.json)).toMatchObject({ id: stored[0]?.id, status: 'pending' })
  expect(world.provider.refunds).toEqual([])
})
