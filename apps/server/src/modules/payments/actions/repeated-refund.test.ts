import { money } from '@muripo/contract/money'
import { expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/paid-payment.ts'
import { createSingleflight } from '../../../platform/async/singleflight.ts'
import type { PaymentsCtx } from '../context.ts'
import { paid, paymentNow } from '../factory.ts'
import { refundsOf } from '../payment/store-refunds.ts'
import { createRefund, refundPayment } from './request-refund.ts'

const MINUTE = 60_000

const isLanded = (ctx: PaymentsCtx, id: string) =>
  Promise.race([
    ctx.refundSingleflight.join(id).then(() => true),
    new Promise((resolve) => setTimeout(() => resolve(false), 50)),
  ])

const test = base
  .extend('announced', () => [] as string[])
  .extend('scene', ({ world, shop, announced, payment }) => {
    /** A gateway whose first change the database rolls back. */
    function undone(meanwhile: () => Promise<unknown> = async () => {}): PaymentsCtx {
      let isFirst = true
      const { db } = world.ctx
      const singleflight = createSingleflight()
      const commitStatement: typeof db.commitStatement = async (statement) => {
        if (!isFirst) return db.commitStatement(statement)
        isFirst = false
        await meanwhile()
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      }
      const run: typeof singleflight.run = (key, work) => {
        announced.push(key)
        return singleflight.run(key, work)
      }
      return { ...world.ctx, db: { ...db, commitStatement }, refundSingleflight: { ...singleflight, run } }
    }
    const refunds = () => refundsOf(world.ctx.db.kysely, shop.accountId, payment.id)
    return { undone, refunds }
  })

test.beforeEach(({ provider }) => {
  provider.refunds.length = 0
  provider.refund = async ({ amount }) => paid(amount, 'RF1')
})

test('a refund at the dashboard whose change is repeated is one, sent once, and no two wait for each other', async ({
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

test('a refund by the API whose change is repeated is one, sent once, and no two wait for each other', async ({
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
