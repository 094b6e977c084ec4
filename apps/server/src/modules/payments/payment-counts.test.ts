import { expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import type { Transact } from '../../platform/db/database.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import type { PaymentsCtx } from './context.ts'
import { makePayment } from './factory.ts'

const cancelled = ({ counts }: PaymentsCtx): number =>
  counts.payments().find(({ outcome }) => outcome === 'failed')?.count ?? 0

test('a change is counted after its commit, once, also when its transaction is repeated', async ({
  world: { ctx },
  shop,
}) => {
  let runs = 0
  const tx: Transact = (work) =>
    ctx.db.tx(async (inside) => {
      const result = await work(inside)
      runs += 1
      // Another session would cause it.
      if (runs === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      expect(cancelled(ctx)).toBe(0)
      return result
    })
  const { accountId, id } = await makePayment(ctx, shop.owner)
  await cancelPayment({ ...ctx, db: { ...ctx.db, tx } }, accountId, id)
  expect(runs).toBe(2)
  expect(cancelled(ctx)).toBe(1)
})

test('a change that is rolled back is not counted', async ({ world: { ctx }, shop }) => {
  const before = cancelled(ctx)
  const tx: Transact = (work) =>
    ctx.db.tx(async (inside) => {
      await work(inside)
      throw new Error('the key was revoked meanwhile')
    })
  const { accountId, id } = await makePayment(ctx, shop.owner)
  await expect(cancelPayment({ ...ctx, db: { ...ctx.db, tx } }, accountId, id)).rejects.toThrow('revoked')
  expect(cancelled(ctx)).toBe(before)
})
