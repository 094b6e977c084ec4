import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byMerchant } from '../../../test/audit-entries.ts'
import { freshShop, makeShop, makeWorld, type Shop, type World } from '../../../test/world.ts'
import { uuidOf } from '../../platform/ids.ts'
import { startAttempt } from './attempts/actions/start-attempt.ts'
import { latestAttempt, makeAttempt, makePaid, makePayment, pending, refused } from './factory.ts'
import { refundPayment } from './refunds/actions/refund-by-dashboard.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  shop = await freshShop(world)
})

const run = async (text: string, values: unknown[] = []) =>
  (await world.ctx.db.pool.query(text, values)).rowCount
const refusedAs = (code: string) => ({ code })

describe('the database refuses, from any caller,', () => {
  test.each([
    'update ledger_transfers set amount_minor = 1',
    'delete from ledger_transfers',
    'truncate ledger_transfers',
    'update ledger_accounts set currency = currency',
    'delete from ledger_accounts',
    'truncate ledger_accounts cascade',
    'truncate merchants cascade',
    'update events set type = type',
    'delete from payments',
    'truncate payments cascade',
    'delete from payment_attempts',
    'truncate payment_attempts cascade',
    'delete from refunds',
    'truncate refunds cascade',
  ])('%s', async (statement) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await run(
      `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, $3, $4, 1, 'USD', 'pending', now(), now())`,
      [
        uuidOf(payment.accountId),
        uuidOf(payment.id),
        uuidOf(payment.applicationId),
        uuidOf((await latestAttempt(world.ctx, payment)).id),
      ],
    )
    await expect(run(statement)).rejects.toMatchObject(refusedAs('23001'))
  })

  test.each([
    ['amount_minor', 'amount_minor + 1'],
    ['currency', "'ZAR'"],
    ['created_at', "created_at + interval '1 s'"],
    ['id', 'gen_random_uuid()'],
    ['account_id', 'gen_random_uuid()'],
    ['application_id', 'gen_random_uuid()'],
  ])('another %s of a payment', async (column, value) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const change = run(`update payments set ${column} = ${value} where id = $1`, [uuidOf(payment.id)])
    await expect(change).rejects.toMatchObject(refusedAs('23001'))
  })

  test('refunds, paid and in progress, above the amount', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const over = 'update payments set refunded_minor = 1000, refund_pending_minor = 251 where id = $1'
    await expect(run(over, [uuidOf(payment.id)])).rejects.toMatchObject(refusedAs('23514'))
  })

  test('a refunded amount of a payment that was not completed', async () => {
    const payment = await makePayment(world.ctx, shop.owner)
    const change = run('update payments set refund_pending_minor = 1 where id = $1', [uuidOf(payment.id)])
    await expect(change).rejects.toMatchObject(refusedAs('23514'))
  })

  test.each([
    ['more than the amount', 'amount_minor + 1'],
    ['less than nothing', '-1'],
    ['none', 'null'],
  ])('a paid payment whose fee is %s', async (_what, fee) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const change = run(
      `update payments set status = 'completed', completed_at = now(), fee_minor = ${fee}, last_event = last_event + 1 where id = $1`,
      [uuidOf(payment.id)],
    )
    await expect(change).rejects.toMatchObject(refusedAs('23514'))
  })

  test('a fee of an unpaid payment, and a change of the fixed fee', async () => {
    const open = await makePayment(world.ctx, shop.owner)
    const charge = 'update payments set fee_minor = $2 where id = $1'
    await expect(run(charge, [uuidOf(open.id), 1])).rejects.toMatchObject(refusedAs('23514'))
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await expect(run(charge, [uuidOf(payment.id), 1])).rejects.toMatchObject(refusedAs('23001'))
    await expect(run(charge, [uuidOf(payment.id), null])).rejects.toMatchObject(refusedAs('23001'))
  })

  test.each([
    ['a fee that is paid to the merchant', 'fee', 'fee.revenue', 'merchant.payable'],
    ['a capture that goes to the gateway', 'capture', 'clearing.scripted', 'fee.revenue'],
    ['a capture of one provider from another', 'capture', 'clearing.scripted', 'clearing.other'],
    ['a refund out of the fees', 'refund_paid', 'fee.revenue', 'clearing.scripted'],
    ['a kind that nobody knows', 'gift', 'merchant.payable', 'fee.revenue'],
    ['an account that nobody knows', 'capture', 'clearing.', 'merchant.payable'],
  ])('%s', async (_what, kind, debit, credit) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const transfer = run(
      `with opened as (
         insert into ledger_accounts values ($1, $3, 'USD'), ($1, $4, 'USD') on conflict do nothing)
       insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
       values ($1, $5, $3, $4, 'USD', 1, $2, gen_random_uuid(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id), debit, credit, kind],
    )
    await expect(transfer).rejects.toMatchObject(refusedAs('23514'))
  })

  test('a second open attempt', async () => {
    const payment = await makePayment(world.ctx, shop.owner)
    const attempt = await makeAttempt(world.ctx, payment)
    const copy = run(
      `insert into payment_attempts (account_id, id, payment_id, provider, method, msisdn, amount_minor, currency, status, created_at, updated_at)
       select account_id, gen_random_uuid(), payment_id, provider, method, msisdn, amount_minor, currency, 'sending', created_at, updated_at
       from payment_attempts where id = $1`,
      [uuidOf(attempt.id)],
    )
    await expect(copy).rejects.toMatchObject({ constraint: 'payment_attempts_one_open' })
  })

  test('the failure of a payment that was neither cancelled nor has expired', async () => {
    const payment = await makePayment(world.ctx, shop.owner)
    const change = run("update payments set status = 'failed', last_event = last_event + 1 where id = $1", [
      uuidOf(payment.id),
    ])
    await expect(change).rejects.toMatchObject({ constraint: 'payments_fail_by_termination' })
  })

  test.each(['sending', 'pending', 'unknown', 'held'])(
    'the failure of a payment while an attempt is %s',
    async (status) => {
      const payment = await makePayment(world.ctx, shop.owner)
      world.provider.charge = () => new Promise(() => undefined)
      const input = { method: 'ecocash', phone: '0771234567' } as const
      await startAttempt(world.ctx, shop.accountId, payment.id, input)
      const attempt = await latestAttempt(world.ctx, payment)
      await run('update payment_attempts set status = $2 where id = $1', [uuidOf(attempt.id), status])
      const fail =
        "update payments set status = 'failed', termination_reason = 'expired', termination_since = now(), last_event = last_event + 1 where id = $1"
      await expect(run(fail, [uuidOf(payment.id)])).rejects.toMatchObject(refusedAs('23001'))
      await run(
        "update payment_attempts set status = 'failed', failure_reason = 'declined', next_check_at = null, watch_until = now() where id = $1",
        [uuidOf(attempt.id)],
      )
      await expect(run(fail, [uuidOf(payment.id)])).resolves.toBe(1)
    },
  )

  test.each([
    ['is closing', "termination_reason = 'cancelled', termination_since = now()"],
    ['has failed', "status = 'failed', termination_reason = 'cancelled', termination_since = now()"],
    ['is paid', "status = 'completed', completed_at = now(), fee_minor = 0"],
  ])('an attempt to pay a payment that %s', async (_how, change) => {
    const payment = await makePayment(world.ctx, shop.owner)
    await run(`update payments set last_event = last_event + 1, ${change} where id = $1`, [
      uuidOf(payment.id),
    ])
    const attempt = run(
      `insert into payment_attempts (account_id, id, payment_id, provider, method, msisdn, amount_minor, currency, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'scripted', 'ecocash', '263771234567', 1250, 'USD', 'sending', now(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id)],
    )
    await expect(attempt).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a transfer between accounts that do not exist', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const transfer = (code: string) =>
      run(
        `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
         values ($1, 'duplicate_capture', $3, 'refunds.payable', 'USD', 1, $2, gen_random_uuid(), now())`,
        [uuidOf(payment.accountId), uuidOf(payment.id), code],
      )
    await expect(transfer('clearing.unknown')).rejects.toMatchObject({
      constraint: 'ledger_transfers_accounts',
    })
  })

  test('a transfer older than the aggregated balances', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const transfer = run(
      `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at, position)
       values ($1, 'fee', 'merchant.payable', 'fee.revenue', 'USD', 1, $2, gen_random_uuid(), now(), -1)`,
      [uuidOf(payment.accountId), uuidOf(payment.id)],
    )
    await expect(transfer).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a second capture, also from another attempt', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const copy = run(
      `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
       select account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, gen_random_uuid(), created_at
       from ledger_transfers where payment_id = $1`,
      [uuidOf(payment.id)],
    )
    await expect(copy).rejects.toMatchObject({ constraint: 'ledger_transfers_one_capture' })
  })

  test('money from a reserve that does not exist, is smaller, or was released', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const ids = [uuidOf(payment.accountId), uuidOf(payment.id)]
    const move = (kind: string, debit: string, credit: string, minor: number, cause: string) =>
      run(
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

  test('a change of a refund’s facts, and a paid refund that becomes unpaid', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await refundPayment(world.ctx, byMerchant(payment.accountId), payment.accountId, payment.id, {
      amount: 5,
      currency: 'USD',
    })
    for (const change of [
      'amount_minor = 1',
      "currency = 'ZAR'",
      "origin = 'duplicate'",
      "status = 'failed'",
      "status = 'pending'",
    ]) {
      const update = run(`update refunds set ${change} where payment_id = $1`, [uuidOf(payment.id)])
      await expect(update).rejects.toMatchObject(refusedAs('23001'))
    }
  })

  test.each([
    'amount_minor = 1',
    "currency = 'ZAR'",
    "msisdn = '263779999999'",
    "provider = 'other'",
    "method = 'onemoney'",
    'payment_id = gen_random_uuid()',
    'account_id = gen_random_uuid()',
    'id = gen_random_uuid()',
  ])('an attempt of which afterwards %s', async (change) => {
    const attempt = await makeAttempt(world.ctx, await makePayment(world.ctx, shop.owner))
    const update = run(`update payment_attempts set ${change} where id = $1`, [uuidOf(attempt.id)])
    await expect(update).rejects.toMatchObject(refusedAs('23001'))
  })

  test.each(['completed', 'duplicate'])('an attempt that was %s and no longer is', async (booked) => {
    const attempt = await latestAttempt(world.ctx, await makePaid(world.ctx, shop.owner, world.provider))
    const become = (status: string, more = '') =>
      run(`update payment_attempts set status = $2 ${more} where id = $1`, [uuidOf(attempt.id), status])
    if (booked === 'duplicate') {
      const triggers = ['payment_attempts_facts', 'payment_attempts_moves']
      for (const trigger of triggers) await run(`alter table payment_attempts disable trigger ${trigger}`)
      await become(booked)
      for (const trigger of triggers) await run(`alter table payment_attempts enable trigger ${trigger}`)
    }
    const others = ['sending', 'pending', 'unknown', 'held', 'completed', 'duplicate']
    for (const status of others.filter((each) => each !== booked))
      await expect(become(status), status).rejects.toMatchObject(refusedAs('23001'))
    await expect(become('failed', ", failure_reason = 'declined'")).rejects.toMatchObject(refusedAs('23001'))
    await expect(become(booked, ", provider_status = 'again'")).resolves.toBe(1)
  })

  test('a refund from the charge of another payment', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const other = await makePaid(world.ctx, shop.owner, world.provider)
    const refund = (of: typeof payment) =>
      latestAttempt(world.ctx, of).then(({ id }) =>
        run(
          `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
           values ($1, gen_random_uuid(), $2, $3, $4, 1, 'USD', 'pending', now(), now())`,
          [uuidOf(payment.accountId), uuidOf(payment.id), uuidOf(payment.applicationId), uuidOf(id)],
        ),
      )
    await expect(refund(other)).rejects.toMatchObject({ constraint: 'refunds_of_its_payment' })
    await expect(refund(payment)).resolves.toBe(1)
  })

  test('the same refund of one requester within ten minutes, unless the first has failed', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const { id: attempt } = await latestAttempt(world.ctx, payment)
    const requestRefund = (requester: string | null, seconds: number) =>
      run(
        `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, requested_by,
           created_at, updated_at)
         values ($1, gen_random_uuid(), $2, $3, $4, 1, 'USD', 'pending', $5, $6::timestamptz + $7 * interval '1 s', now())`,
        [
          uuidOf(payment.accountId),
          uuidOf(payment.id),
          uuidOf(payment.applicationId),
          uuidOf(attempt),
          requester,
          world.ctx.clock.now(),
          seconds,
        ],
      )
    const [one, other] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002']
    await requestRefund(one, 0)
    await expect(requestRefund(one, 599)).rejects.toMatchObject({ constraint: 'refunds_no_repetition' })
    for (const [requester, seconds] of [
      [other, 0],
      [null, 0],
      [null, 0],
      [one, 600],
    ] as const)
      await expect(requestRefund(requester, seconds)).resolves.toBe(1)
    await run("update refunds set status = 'failed' where payment_id = $1", [uuidOf(payment.id)])
    await expect(requestRefund(one, 601)).resolves.toBe(1)
  })

  test.each(['payment_attempts', 'refunds'])(
    'a deletion of a provider’s reply, or its count as not found, in %s',
    async (table) => {
      const payment = await makePaid(world.ctx, shop.owner, world.provider)
      await refundPayment(world.ctx, byMerchant(payment.accountId), payment.accountId, payment.id, {
        amount: 5,
        currency: 'USD',
      })
      const set = (change: string) =>
        run(`update ${table} set ${change} where payment_id = $1`, [uuidOf(payment.id)])
      await expect(set('provider_reference = null')).rejects.toMatchObject(refusedAs('23001'))
      await expect(set('provider_state = null')).rejects.toMatchObject(refusedAs('23001'))
      await expect(set('not_found_checks = 1')).rejects.toMatchObject({
        constraint: `${table}_known_stays_known`,
      })
    },
  )

  test('a late payment of a refund that has not failed, its resolution without one, and the reversal of either', async () => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.refund = async () => refused()
    const { accountId, id } = payment
    const requested = { amount: 5, currency: 'USD' } as const
    await expect(
      refundPayment(world.ctx, byMerchant(accountId), accountId, id, requested),
    ).rejects.toMatchObject({ code: 'refund_declined' })
    const set = (change: string) => run(`update refunds set ${change} where payment_id = $1`, [uuidOf(id)])
    await set('next_watch_at = null')
    await expect(set('settled_at = now()')).rejects.toMatchObject({ constraint: 'refunds_settled' })
    const open = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.refund = async () => pending()
    await refundPayment(world.ctx, byMerchant(accountId), accountId, open.id, requested)
    const early = run('update refunds set paid_late_at = now() where payment_id = $1', [uuidOf(open.id)])
    await expect(early).rejects.toMatchObject({ constraint: 'refunds_paid_late' })
    await set('paid_late_at = now()')
    await expect(set('paid_late_at = null')).rejects.toMatchObject(refusedAs('23001'))
    await set('settled_at = now()')
    await expect(set('settled_at = null')).rejects.toMatchObject(refusedAs('23001'))
    const booked = set("status = 'completed', paid_late_at = null")
    await expect(booked).rejects.toMatchObject({ constraint: 'refunds_settled' })
  })

  test('a payment of another merchant’s application', async () => {
    const other = await makeShop(world.ctx)
    const mixed = { ...shop.owner, accountId: other.accountId }
    await expect(makePayment(world.ctx, mixed)).rejects.toMatchObject({ code: 'invalid_key' })
    const { applicationId } = other
    const raw = run(
      `insert into payments (account_id, id, application_id, amount_minor, currency, description, created_at, updated_at, expires_at)
       select $1, id, $2, 1250, 'USD', 'Order', id_time(id), id_time(id), id_time(id) + interval '1 day' from (select uuidv7() as id)`,
      [uuidOf(shop.accountId), uuidOf(applicationId)],
    )
    await expect(raw).rejects.toMatchObject({ code: '23502', table: 'payment_stat_deltas' })
  })

  test('an event of the application of another merchant', async () => {
    const { applicationId } = await makeShop(world.ctx)
    const event = run(
      `insert into events (account_id, id, application_id, type, subject_id, sequence, data, created_at)
       values ($1, gen_random_uuid(), $2, 'payment.completed', gen_random_uuid(), 1, '{}', now())`,
      [uuidOf(shop.accountId), uuidOf(applicationId)],
    )
    await expect(event).rejects.toMatchObject({ constraint: 'events_application' })
  })

  test('an attempt of a payment of another merchant', async () => {
    const other = await makeShop(world.ctx)
    const payment = await makePayment(world.ctx, shop.owner)
    const attempt = run(
      `insert into payment_attempts (account_id, id, payment_id, provider, method, amount_minor, currency, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'scripted', 'ecocash', 1250, 'USD', 'sending', now(), now())`,
      [uuidOf(other.accountId), uuidOf(payment.id)],
    )
    await expect(attempt).rejects.toMatchObject(refusedAs('23001'))
  })

  test.each([
    'delete from applications where account_id = $1',
    'update applications set id = gen_random_uuid() where account_id = $1',
    'update applications set account_id = gen_random_uuid() where account_id = $1',
  ])('that a payment loses its application: %s', async (statement) => {
    await makePayment(world.ctx, shop.owner)
    await expect(run(statement, [uuidOf(shop.accountId)])).rejects.toMatchObject(refusedAs('23001'))
  })
})
