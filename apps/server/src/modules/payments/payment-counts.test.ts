import { expect } from 'vitest'
import { byMerchant } from '../../../test/audit-entries.ts'
import { test } from '../../../test/fixtures.ts'
import type { Database } from '../../platform/db/database.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import type { PaymentsCtx } from './context.ts'
import { makePayment, paymentNow } from './factory.ts'

const cancelled = ({ counts }: PaymentsCtx): number =>
  counts.payments().find(({ outcome }) => outcome === 'failed')?.count ?? 0

test('a change is counted after its commit, once, also when it is repeated', async ({
  world: { ctx },
  shop,
}) => {
  let runs = 0
  const commitStatement: Database['commitStatement'] = async (statement) => {
    runs += 1
    // Another session would cause it.
    if (runs === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    const rows = await ctx.db.commitStatement(statement)
    expect(cancelled(ctx)).toBe(0)
    return rows
  }
  const { accountId, id } = await makePayment(ctx, shop.owner)
  await cancelPayment({ ...ctx, db: { ...ctx.db, commitStatement } }, accountId, id)
  expect(runs).toBe(2)
  expect(cancelled(ctx)).toBe(1)
})

test('a change that is rolled back is not counted', async ({ world: { ctx }, shop }) => {
  const before = cancelled(ctx)
  const confirm = async () => {
    throw new Error('the key was revoked meanwhile')
  }
  const { accountId, id } = await makePayment(ctx, shop.owner)
  await expect(cancelPayment(ctx, accountId, id, byMerchant(accountId), confirm)).rejects.toThrow('revoked')
  expect(cancelled(ctx)).toBe(before)
  expect((await paymentNow(ctx, shop.owner, id)).status).toBe('pending')
})
