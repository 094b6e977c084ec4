import { money } from '@muripo/contract/money'
import { describe, expect, test } from 'vitest'
import { operator, paymentScene } from '../../../../test/payment-scene.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { adjust, trialBalance } from '../../ledger/index.ts'

const { world, scene, query } = await paymentScene()

/** The ledger is in balance and agrees with the payments. */
async function inBalance(): Promise<void> {
  expect(
    (await trialBalance([world.ctx], { merchantId: scene.shop.merchantId, tests: false })).discrepancies,
  ).toEqual([])
  expect(await query('select * from payment_ledger_drift')).toEqual([])
}

describe('the database refuses an adjustment', () => {
  const row = (change: Record<string, string> = {}) => {
    const values = {
      debit: "'suspense'",
      credit: "'clearing.scripted'",
      amount: '5',
      reason: "'r'",
      actor: "'a'",
      ...change,
    }
    return `insert into ledger_adjustments (account_id, id, debit_code, credit_code, currency, amount_minor, reason, actor, created_at)
      values ('${uuidOf(scene.shop.accountId)}', gen_random_uuid(), ${values.debit}, ${values.credit}, 'USD', ${values.amount}, ${values.reason}, ${values.actor}, now())`
  }
  test.each([
    ['without a reason', { reason: "' '" }, '23514'],
    ['without an actor', { actor: "''" }, '23514'],
    ['of nothing', { amount: '0' }, '23514'],
    ['from an account to itself', { credit: "'suspense'" }, '23514'],
    ['without its transfer', {}, '23001'],
  ])('%s', async (_what, change, code) => {
    await expect(query(row(change as Record<string, string>))).rejects.toMatchObject({ code })
  })

  test('when it is changed or removed', async () => {
    await world.ctx.db.tx((tx) =>
      adjust(world.ctx, tx, scene.shop, {
        actor: operator,
        debit: 'suspense',
        credit: 'merchant.payable',
        amount: money(5n, 'USD'),
        paymentId: null,
        reason: 'r',
      }),
    )
    for (const statement of [
      'update ledger_adjustments set reason = reason',
      'delete from ledger_adjustments',
    ])
      await expect(query(statement)).rejects.toMatchObject({ code: '23001' })
    await inBalance()
  })

  test('as a transfer without its row, or of an amount that has its own cause', async () => {
    const transfer = `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, cause_id, created_at)
      values ('${uuidOf(scene.shop.accountId)}', 'adjustment', 'suspense', 'merchant.payable', 'USD', 5, gen_random_uuid(), now())`
    await expect(query(transfer)).rejects.toMatchObject({ code: '23001' })
    for (const debit of [
      'refunds.payable',
      'unclaimed.payable',
      'payouts.payable',
      'merchant.reserve',
      'merchant.disputed',
      'bank.clearing',
    ]) {
      const owed = world.ctx.db.tx((tx) =>
        adjust(world.ctx, tx, scene.shop, {
          actor: operator,
          debit: debit as 'suspense',
          credit: 'suspense',
          amount: money(5n, 'USD'),
          paymentId: null,
          reason: 'r',
        }),
      )
      await expect(owed, debit).rejects.toMatchObject({ code: '23514', constraint: 'ledger_transfers_ways' })
    }
  })
})
