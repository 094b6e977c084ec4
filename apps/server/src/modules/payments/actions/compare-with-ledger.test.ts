import { PaymentId } from '@muripo/contract/ids'
import { describe, expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { skipOnCitus } from '../../../../test/on-citus.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { testAccountIdOf } from '../../identity/index.ts'
import { makeDuplicateRefund, makePaid, makePayment, paid, paymentNow, pending, refused } from '../factory.ts'
import type { Payment } from '../payment/payment.ts'
import { attemptsOf } from '../payment/store-attempts.ts'
import { findMisbooked } from '../store-figures.ts'
import { comparePayments } from './compare-with-ledger.ts'
import { handleCallback } from './handle-callback.ts'
import { refundPayment } from './request-refund.ts'
import { sendRefund } from './send-refund.ts'

class Undone extends Error {}

const test = base
  .extend('scene', ({ world, shop }) => {
    const refund = ({ accountId, id }: Payment, amount: number) =>
      refundPayment(world.ctx, byMerchant(accountId), accountId, id, { amount, currency: 'USD' })
    async function makeDuplicate(payment: Payment): Promise<void> {
      const [charge] = await attemptsOf(world.ctx.db.kysely, payment.accountId, payment.id)
      if (!charge) throw new Error('a paid payment has its charge')
      await sendRefund(world.ctx, await makeDuplicateRefund(world.ctx, charge))
    }
    /** A payment with a completed refund of 2.00, a pending one of 3.00, and a failed one of 1.00. */
    async function makeRefunded(): Promise<Payment> {
      const payment = await makePaid(world.ctx, shop.owner, world.provider)
      await refund(payment, 2)
      world.provider.refund = async () => refused('declined')
      await expect(refund(payment, 1)).rejects.toMatchObject({ code: 'refund_declined' })
      world.provider.refund = async () => pending()
      await refund(payment, 3)
      return paymentNow(world.ctx, shop.owner, payment.id)
    }
    /** The payments that the comparison finds after these statements, which are then rolled back. */
    async function foundAfter(...statements: readonly string[]): Promise<string[]> {
      let found: string[] = []
      const done = world.ctx.db.tx(async (tx) => {
        const run = (text: string) => tx.executeQuery({ sql: text, parameters: [] } as never)
        for (const table of ['ledger_transfers', 'payment_attempts', 'payments', 'refunds'])
          await run(`alter table ${table} disable trigger user`)
        for (const statement of statements) await run(statement)
        found = await findMisbooked(tx, shop.accountId)
        throw new Undone()
      })
      await expect(done).rejects.toThrow(Undone)
      return found
    }
    return { refund, makeDuplicate, makeRefunded, foundAfter }
  })
  .extend('refunded', ({ scene }) => scene.makeRefunded())
  .extend('own', ({ shop }) => `account_id = '${uuidOf(shop.accountId)}'`)

test.beforeEach(({ provider }) => {
  provider.refunds.length = 0
  provider.refund = async ({ amount }) => paid(amount, 'RF1')
})

test('after any sequence of refunds a consistent payment is not reported', async ({ world, shop, scene }) => {
  await makePayment(world.ctx, shop.owner)
  await scene.makeRefunded()
  const twice = await makePaid(world.ctx, shop.owner, world.provider)
  world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
  await scene.makeDuplicate(twice)
  world.provider.refund = async () => pending()
  await scene.makeDuplicate(await makePaid(world.ctx, shop.owner, world.provider))
  world.provider.refundsBy = 'manual'
  await scene.refund(await makePaid(world.ctx, shop.owner, world.provider), 4)
  world.provider.refundsBy = 'api-partial'
  const late = await makePaid(world.ctx, shop.owner, world.provider)
  world.provider.refund = async () => refused('declined')
  await expect(scene.refund(late, 12.5)).rejects.toMatchObject({ code: 'refund_declined' })
  world.provider.lookupRefund = async () => paid(late.amount, 'RF9')
  const { callbackUrl } = world.provider.refunds.at(-1) ?? {}
  await handleCallback(world.ctx, 'scripted', callbackUrl?.split('/').at(-1) ?? '')
  expect((await paymentNow(world.ctx, shop.owner, late.id)).status).toBe('refunded')
  world.errors.length = 0
  await comparePayments(world.ctx)
  expect(world.errors).toEqual([])
})

describe('the comparison reports', () => {
  test.beforeEach(async ({ world, refunded, own }) => {
    expect(refunded.status).toBe('completed')
    await world.ctx.db.pool.query(
      `insert into ledger_accounts select account_id, code, 'ZAR' from ledger_accounts where ${own} on conflict do nothing`,
    )
  })

  test.for([
    [
      'a completed refund without a payment to its payer',
      "update refunds set status = 'completed', next_check_at = null where $own and amount_minor = 300",
      'update payments set refunded_minor = 500, refund_pending_minor = 0 where $own',
    ],
    [
      'an open refund that was paid to its payer',
      "update refunds set status = 'pending' where $own and amount_minor = 200",
      'update payments set refunded_minor = 0, refund_pending_minor = 500 where $own',
    ],
    [
      'a payment that counts an open refund as refunded',
      'update payments set refunded_minor = 500, refund_pending_minor = 0 where $own',
    ],
    [
      'a failed refund whose reserve is used by another refund',
      "update refunds set status = 'failed', next_check_at = null where $own and amount_minor = 300",
      `insert into refunds select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'status', 'pending'))).*
       from refunds r where $own and amount_minor = 300`,
    ],
    [
      'a refund of another amount than its reserve',
      'update refunds set amount_minor = amount_minor + 1 where $own and amount_minor = 100',
    ],
    [
      'a refund that was paid in another currency',
      "update ledger_transfers set currency = 'ZAR' where $own and kind = 'refund_paid'",
    ],
    [
      'a payment that was captured in another currency',
      "update ledger_transfers set currency = 'ZAR' where $own and kind in ('capture', 'fee')",
    ],
    [
      'a capture of another application',
      "update ledger_transfers set application_id = gen_random_uuid() where $own and kind = 'capture'",
    ],
    [
      'a capture from the account of another provider',
      "update ledger_transfers set debit_code = 'clearing.other' where $own and kind = 'capture'",
    ],
    [
      'a refund that another provider paid',
      "update ledger_transfers set credit_code = 'clearing.other' where $own and kind = 'refund_paid'",
    ],
    [
      'a fee without its attempt',
      "update ledger_transfers set cause_id = gen_random_uuid() where $own and kind = 'fee'",
    ],
    [
      'a reserve that was released without a refund',
      `insert into ledger_transfers select (jsonb_populate_record(t, jsonb_build_object(
         'cause_id', payment_id))).* from ledger_transfers t where $own and amount_minor = 100`,
    ],
    [
      'a duplicate charge that was refunded and is still owed',
      `insert into refunds select (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid(), 'origin', 'duplicate'))).*
       from refunds r where $own and amount_minor = 200`,
    ],
  ] as const)('%s', async ([_what, ...statements], { refunded, own, scene }) => {
    const found = await scene.foundAfter(...statements.map((text) => text.replaceAll('$own', own)))
    expect(found).toEqual([uuidOf(refunded.id)])
  })

  test('a transfer for a payment that does not exist', async ({ world, own, scene }) => {
    const nobody = uuidOf(world.ctx.ids.next(PaymentId))
    const found = await scene.foundAfter(
      `insert into ledger_transfers select (jsonb_populate_record(t, jsonb_build_object(
         'cause_id', gen_random_uuid(), 'payment_id', '${nobody}'::uuid))).* from ledger_transfers t where ${own} and kind = 'capture'`,
    )
    expect(found).toEqual([nobody])
  })
})

test('a stop does not wait for the comparison', async ({ world }) => {
  const { pool } = world.ctx.db
  const holder = await pool.connect()
  try {
    await holder.query('begin; lock table payments in access exclusive mode')
    const stop = new AbortController()
    const compared = comparePayments(world.ctx, stop.signal)
    const running = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%payment_ledger_drift%'`
    await expect.poll(async () => (await pool.query(running)).rowCount).toBe(1)
    stop.abort()
    await compared
    expect((await pool.query(running)).rowCount).toBe(0)
    expect(world.errors).toEqual([])
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})

test(
  'the comparison reads the rows of one environment at a time',
  skipOnCitus('the plan is that of a view'),
  async ({ world, shop }) => {
    for (const view of ['payment_ledger_drift', 'payment_transfers_drift', 'ledger_balances_drift']) {
      const { rows } = await world.ctx.db.pool.query(
        `explain (costs off) select * from ${view} where account_id = $1`,
        [uuidOf(shop.accountId)],
      )
      const plan = rows.map((row) => row['QUERY PLAN'])
      const scans = plan.filter((line) =>
        /(Index Scan using|Bitmap Index Scan on|Seq Scan on) (?!ledger_balance_position)/.test(line),
      )
      const limited = plan.filter((line) => /(Index Cond|Filter): .*\baccount_id = /.test(line))
      expect(scans.length).toBeGreaterThan(1)
      expect(limited, plan.join('\n')).toHaveLength(scans.length)
    }
  },
)

test(
  'a comparison that fails is reported, for live and for test payments',
  skipOnCitus('without the view of its group a statement finds that of all nodes'),
  async ({ world, shop }) => {
    await world.ctx.db.tx((tx) => testAccountIdOf(world.ctx, tx, shop.merchantId))
    await world.ctx.db.pool.query('alter view payment_ledger_drift rename to hidden')
    try {
      await comparePayments(world.ctx)
      expect(world.errors).toEqual(Array(2).fill('the ledger could not be compared'))
    } finally {
      await world.ctx.db.pool.query('alter view hidden rename to payment_ledger_drift')
    }
  },
)
