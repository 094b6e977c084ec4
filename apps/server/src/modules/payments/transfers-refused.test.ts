import { describe, expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { refusedAs, run } from '../../../test/statements-refused.ts'
import { uuidOf } from '../../platform/ids.ts'
import { makePaid, makePayment } from './factory.ts'

describe('the database refuses a transfer, from any caller,', () => {
  test.for([
    ['a fee that is paid to the merchant', 'fee', 'fee.revenue', 'merchant.payable'],
    ['a capture that goes to the gateway', 'capture', 'clearing.scripted', 'fee.revenue'],
    ['a capture of one provider from another', 'capture', 'clearing.scripted', 'clearing.other'],
    ['a refund out of the fees', 'refund_paid', 'fee.revenue', 'clearing.scripted'],
    ['a kind that nobody knows', 'gift', 'merchant.payable', 'fee.revenue'],
    ['an account that nobody knows', 'capture', 'clearing.', 'merchant.payable'],
  ])('%s', async ([_what, kind, debit, credit], { world, shop }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const transfer = run(
      world,
      `with opened as (
         insert into ledger_accounts values ($1, $3, 'USD'), ($1, $4, 'USD') on conflict do nothing)
       insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
       values ($1, $5, $3, $4, 'USD', 1, $2, gen_random_uuid(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id), debit, credit, kind],
    )
    await expect(transfer).rejects.toMatchObject(refusedAs('23514'))
  })

  test('a transfer between accounts that do not exist', async ({ world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const transfer = (code: string) =>
      run(
        world,
        `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
         values ($1, 'duplicate_capture', $3, 'refunds.payable', 'USD', 1, $2, gen_random_uuid(), now())`,
        [uuidOf(payment.accountId), uuidOf(payment.id), code],
      )
    await expect(transfer('clearing.unknown')).rejects.toMatchObject({
      constraint: 'ledger_transfers_accounts',
    })
  })

  test('a transfer older than the aggregated balances', async ({ world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const transfer = run(
      world,
      `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at, position)
       values ($1, 'fee', 'merchant.payable', 'fee.revenue', 'USD', 1, $2, gen_random_uuid(), now(), -1)`,
      [uuidOf(payment.accountId), uuidOf(payment.id)],
    )
    await expect(transfer).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a second capture, also from another attempt', async ({ world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const copy = run(
      world,
      `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
       select account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, gen_random_uuid(), created_at
       from ledger_transfers where payment_id = $1`,
      [uuidOf(payment.id)],
    )
    await expect(copy).rejects.toMatchObject({ constraint: 'ledger_transfers_one_capture' })
  })

  test('money from a reserve that does not exist, is smaller, or was released', async ({ world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const ids = [uuidOf(payment.accountId), uuidOf(payment.id)]
    const move = (kind: string, debit: string, credit: string, minor: number, cause: string) =>
      run(
        world,
        `with opened as (
           insert into ledger_accounts values ($1, $4, 'USD'), ($1, $5, 'USD') on conflict do nothing)
         insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
         values ($1, $3, $4, $5, 'USD', $6, $2, $7, now())`,
        [...ids, kind, debit, credit, minor, cause],
      )
    const out = (minor: number, cause: string) =>
      move('refund_paid', 'refunds.payable', 'clearing.scripted', minor, cause)
    const [reserved, never] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002']
    await move('refund_reserve', 'merchant.payable', 'refunds.payable', 500, reserved)
    await expect(out(500, never)).rejects.toMatchObject(refusedAs('23001'))
    await expect(out(501, reserved)).rejects.toMatchObject(refusedAs('23001'))
    await out(500, reserved)
    const again = move('refund_released', 'refunds.payable', 'merchant.payable', 500, reserved)
    await expect(again).rejects.toMatchObject({ constraint: 'ledger_transfers_leave_reserve_once' })
  })
})
