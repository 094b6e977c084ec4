import { PaymentId } from '@muripo/contract/ids'
import { describe, expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { refusedAs, run } from '../../../test/statements-refused.ts'
import { makeShop } from '../../../test/world.ts'
import { systemIds, uuidOf } from '../../platform/ids.ts'
import { startAttempt } from './actions/start-attempt.ts'
import { latestAttempt, makePaid, makePayment } from './factory.ts'

describe('the database refuses, from any caller,', () => {
  test.for([
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
  ])('%s', async (statement, { world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await run(
      world,
      `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, $3, $4, 1, 'USD', 'pending', now(), now())`,
      [
        uuidOf(payment.accountId),
        uuidOf(payment.id),
        uuidOf(payment.applicationId),
        uuidOf((await latestAttempt(world.ctx, payment)).id),
      ],
    )
    await expect(run(world, statement)).rejects.toMatchObject(refusedAs('23001'))
  })

  test.for([
    ['amount_minor', 'amount_minor + 1'],
    ['currency', "'ZAR'"],
    ['created_at', "created_at + interval '1 s'"],
    ['id', 'gen_random_uuid()'],
    ['account_id', 'gen_random_uuid()'],
    ['application_id', 'gen_random_uuid()'],
  ])('another %s of a payment', async ([column, value], { world, shop }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const change = run(world, `update payments set ${column} = ${value} where id = $1`, [uuidOf(payment.id)])
    await expect(change).rejects.toMatchObject(refusedAs('23001'))
  })

  test('refunds, paid and in progress, above the amount', async ({ world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const over = 'update payments set refunded_minor = 1000, refund_pending_minor = 251 where id = $1'
    await expect(run(world, over, [uuidOf(payment.id)])).rejects.toMatchObject(refusedAs('23514'))
  })

  test('a refunded amount of a payment that was not completed', async ({ world, shop }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const change = run(world, 'update payments set refund_pending_minor = 1 where id = $1', [
      uuidOf(payment.id),
    ])
    await expect(change).rejects.toMatchObject(refusedAs('23514'))
  })

  test.for([
    ['more than the amount', 'amount_minor + 1'],
    ['less than nothing', '-1'],
    ['none', 'null'],
  ])('a paid payment whose fee is %s', async ([_what, fee], { world, shop }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const change = run(
      world,
      `update payments set status = 'completed', completed_at = now(), fee_minor = ${fee}, last_event = last_event + 1 where id = $1`,
      [uuidOf(payment.id)],
    )
    await expect(change).rejects.toMatchObject(refusedAs('23514'))
  })

  test('a fee of an unpaid payment, and a change of the fixed fee', async ({ world, shop }) => {
    const open = await makePayment(world.ctx, shop.owner)
    const charge = 'update payments set fee_minor = $2 where id = $1'
    await expect(run(world, charge, [uuidOf(open.id), 1])).rejects.toMatchObject(refusedAs('23514'))
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await expect(run(world, charge, [uuidOf(payment.id), 1])).rejects.toMatchObject(refusedAs('23001'))
    await expect(run(world, charge, [uuidOf(payment.id), null])).rejects.toMatchObject(refusedAs('23001'))
  })

  test('the failure of a payment that was neither cancelled nor has expired', async ({ world, shop }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const change = run(
      world,
      "update payments set status = 'failed', last_event = last_event + 1 where id = $1",
      [uuidOf(payment.id)],
    )
    await expect(change).rejects.toMatchObject({ constraint: 'payments_fail_by_termination' })
  })

  test.for(['sending', 'pending', 'unknown', 'held'])(
    'the failure of a payment while an attempt is %s',
    async (status, { world, shop }) => {
      const payment = await makePayment(world.ctx, shop.owner)
      world.provider.charge = () => new Promise(() => undefined)
      const input = { method: 'ecocash', phone: '0771234567' } as const
      await startAttempt(world.ctx, shop.accountId, payment.id, input)
      const attempt = await latestAttempt(world.ctx, payment)
      await run(world, 'update payment_attempts set status = $2 where id = $1', [uuidOf(attempt.id), status])
      const fail =
        "update payments set status = 'failed', termination_reason = 'expired', termination_since = now(), last_event = last_event + 1 where id = $1"
      await expect(run(world, fail, [uuidOf(payment.id)])).rejects.toMatchObject(refusedAs('23001'))
      await run(
        world,
        "update payment_attempts set status = 'failed', failure_reason = 'declined', next_check_at = null, watch_until = now() where id = $1",
        [uuidOf(attempt.id)],
      )
      await expect(run(world, fail, [uuidOf(payment.id)])).resolves.toBe(1)
    },
  )

  test.for([
    ['is closing', "termination_reason = 'cancelled', termination_since = now()"],
    ['has failed', "status = 'failed', termination_reason = 'cancelled', termination_since = now()"],
    ['is paid', "status = 'completed', completed_at = now(), fee_minor = 0"],
  ])('an attempt to pay a payment that %s', async ([_how, change], { world, shop }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    await run(world, `update payments set last_event = last_event + 1, ${change} where id = $1`, [
      uuidOf(payment.id),
    ])
    const attempt = run(
      world,
      `insert into payment_attempts (account_id, id, payment_id, provider, method, msisdn, amount_minor, currency, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'scripted', 'ecocash', '263771234567', 1250, 'USD', 'sending', now(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id)],
    )
    await expect(attempt).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a payment of another merchant’s application', async ({ world, shop }) => {
    const other = await makeShop(world.ctx)
    const mixed = { ...shop.owner, accountId: other.accountId }
    await expect(makePayment(world.ctx, mixed)).rejects.toMatchObject({ code: 'invalid_key' })
    const { applicationId } = other
    const raw = run(
      world,
      `insert into payments (account_id, id, application_id, amount_minor, currency, description, created_at, updated_at, expires_at)
       select $1, id, $2, 1250, 'USD', 'Order', id_time(id), id_time(id), id_time(id) + interval '1 day' from (select $3::uuid as id) as made`,
      [uuidOf(shop.accountId), uuidOf(applicationId), uuidOf(systemIds.next(PaymentId))],
    )
    await expect(raw).rejects.toMatchObject({ code: '23502', table: 'payment_stat_deltas' })
  })

  test('an event of the application of another merchant', async ({ world, shop }) => {
    const { applicationId } = await makeShop(world.ctx)
    const event = run(
      world,
      `insert into events (account_id, id, application_id, type, subject_id, sequence, data, created_at)
       values ($1, gen_random_uuid(), $2, 'payment.completed', gen_random_uuid(), 1, '{}', now())`,
      [uuidOf(shop.accountId), uuidOf(applicationId)],
    )
    await expect(event).rejects.toMatchObject({ constraint: 'events_application' })
  })

  test.for([
    'delete from applications where account_id = $1',
    'update applications set id = gen_random_uuid() where account_id = $1',
    'update applications set account_id = gen_random_uuid() where account_id = $1',
  ])('that a payment loses its application: %s', async (statement, { world, shop }) => {
    await makePayment(world.ctx, shop.owner)
    await expect(run(world, statement, [uuidOf(shop.accountId)])).rejects.toMatchObject(refusedAs('23001'))
  })
})
