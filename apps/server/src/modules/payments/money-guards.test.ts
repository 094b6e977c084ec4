import { describe, expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { uuidOf } from '../../platform/ids.ts'
import { startAttempt } from './actions/start-attempt.ts'
import { latestAttempt, makePaid, makePayment } from './factory.ts'
import { commitChange } from './payment/commit.ts'
import { attemptMoves, refundMoves } from './payment/moves.ts'
import { readState } from './payment/state.ts'

const refusedAs = (code: string) => ({ code })

const test = base.extend(
  'run',
  ({ world }) =>
    async (text: string, values: unknown[] = []) =>
      (await world.ctx.db.pool.query(text, values)).rowCount,
)

describe('an attempt and a refund move in the database exactly as in the machine:', () => {
  /** The statuses on the way to each status, from the first one. */
  const ways: Record<string, readonly string[]> = {
    sending: [],
    pending: ['pending'],
    unknown: ['unknown'],
    held: ['held'],
    authorized: ['authorized'],
    awaiting_operator: ['awaiting_operator'],
    failed: ['failed'],
    completed: ['completed'],
    duplicate: ['duplicate'],
  }
  // Every other column fits the status, so that only the state machine can refuse.
  const attemptTo = `update payment_attempts set status = $2, next_check_at = null, next_watch_at = null,
    failure_reason = case when $2 = 'failed' then 'declined' end, watch_until = coalesce(watch_until, now()) where id = $1`
  const refundTo = `update refunds set status = $2, bounced_at = case when (status, $2) = ('completed', 'failed') then now() end, next_check_at = null, next_watch_at = null, watch_until = coalesce(watch_until, now()) where id = $1`
  const pairsOf = (moves: Readonly<Record<string, readonly string[]>>) =>
    Object.keys(moves).flatMap((from) =>
      Object.keys(moves).map((to) => [from, to, moves[from]?.includes(to) === true || from === to] as const),
    )

  test('each status of an attempt to each other', async ({ world, shop, run }) => {
    for (const [from, to, isKnown] of pairsOf(attemptMoves)) {
      world.provider.charge = () => new Promise(() => undefined)
      const payment = await makePayment(world.ctx, shop.owner)
      const input = { method: 'ecocash', phone: '0771234567' } as const
      await startAttempt(world.ctx, shop.accountId, payment.id, input)
      const id = uuidOf((await latestAttempt(world.ctx, payment)).id)
      for (const status of ways[from] ?? []) await run(attemptTo, [id, status])
      const change = run(attemptTo, [id, to])
      if (isKnown) await expect(change, `${from} to ${to}`).resolves.toBe(1)
      else await expect(change, `${from} to ${to}`).rejects.toMatchObject(refusedAs('23001'))
    }
  })

  test('each status of a refund to each other', async ({ world, shop, run }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const attempt = uuidOf((await latestAttempt(world.ctx, payment)).id)
    for (const [nth, [from, to, isKnown]] of pairsOf(refundMoves).entries()) {
      const id = `018f0000-0000-7000-8000-${String(nth).padStart(12, '0')}`
      await run(
        `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
         values ($1, $5, $2, $3, $4, 1, 'USD', 'sending', now(), now())`,
        [uuidOf(payment.accountId), uuidOf(payment.id), uuidOf(payment.applicationId), attempt, id],
      )
      for (const status of ways[from] ?? []) await run(refundTo, [id, status])
      const change = run(refundTo, [id, to])
      if (isKnown) await expect(change, `${from} to ${to}`).resolves.toBe(1)
      else await expect(change, `${from} to ${to}`).rejects.toMatchObject(refusedAs('23001'))
    }
  })
})

describe('the database refuses, among related rows,', () => {
  test.for([
    [
      'another status without an event',
      "status = 'failed', termination_reason = 'expired', termination_since = now()",
    ],
    ['an event number that leaves one out', 'last_event = last_event + 2'],
    ['an event number that goes back', 'last_event = last_event - 1'],
  ] as const)('%s', async ([_what, change], { world, shop, run }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const update = run(`update payments set ${change} where id = $1`, [uuidOf(payment.id)])
    await expect(update).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a refund paid out of the merchant’s balance whose reserve was not released', async ({
    world,
    shop,
    run,
  }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const transfer = run(
      `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
       values ($1, 'refund_paid', 'merchant.payable', 'clearing.scripted', 'USD', 1, $2, gen_random_uuid(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id)],
    )
    await expect(transfer).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a transfer of another currency than its payment', async ({ world, shop, run }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    await run(
      `insert into ledger_accounts (account_id, code, currency) values ($1, 'clearing.scripted', 'ZAR'), ($1, 'merchant.payable', 'ZAR')`,
      [uuidOf(payment.accountId)],
    )
    const transfer = run(
      `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
       values ($1, 'capture', 'clearing.scripted', 'merchant.payable', 'ZAR', 1250, $2, gen_random_uuid(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id)],
    )
    await expect(transfer).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a transfer of another application than its payment', async ({ world, shop, run }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const transfer = run(
      `with opened as (insert into ledger_accounts values ($1, 'clearing.scripted', 'USD'), ($1, 'merchant.payable', 'USD') on conflict do nothing)
       insert into ledger_transfers (account_id, application_id, kind, debit_code, credit_code, currency, amount_minor, payment_id, cause_id, created_at)
       values ($1, gen_random_uuid(), 'capture', 'clearing.scripted', 'merchant.payable', 'USD', 1250, $2, gen_random_uuid(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id)],
    )
    await expect(transfer).rejects.toMatchObject(refusedAs('23001'))
  })

  test.for([
    ['another currency', 1250, 'ZAR'],
    ['another amount', 1249, 'USD'],
  ] as const)('an attempt of %s than its payment', async ([_what, minor, currency], { world, shop, run }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const insert = run(
      `insert into payment_attempts (account_id, id, payment_id, provider, method, msisdn, amount_minor, currency, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'scripted', 'ecocash', '263771234567', $3, $4, 'sending', now(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id), minor, currency],
    )
    await expect(insert).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a refund of another currency than its charge', async ({ world, shop, run }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    const { id } = await latestAttempt(world.ctx, payment)
    const insert = run(
      `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, $3, $4, 1, 'ZAR', 'sending', now(), now())`,
      [uuidOf(payment.accountId), uuidOf(payment.id), uuidOf(payment.applicationId), uuidOf(id)],
    )
    await expect(insert).rejects.toMatchObject(refusedAs('23001'))
  })

  test('a fee above the captured amount, although it is within the amount', async ({ world, shop, run }) => {
    const payment = await makePayment(world.ctx, shop.owner, { capture: 'manual', amount: 25 })
    const id = uuidOf(payment.id)
    const authorise = `update payments set status = 'authorized', capture_before = now(), last_event = last_event + 1 where id = $1`
    await run(authorise, [id])
    const complete = `update payments set status = 'completed', method = 'ecocash', completed_at = now(), captured_minor = 1000,
      fee_minor = $2, last_event = last_event + 1 where id = $1`
    await expect(run(complete, [id, 1001])).rejects.toMatchObject({
      constraint: 'payments_fee_within_captured',
    })
    await expect(run(complete, [id, -1])).rejects.toMatchObject({
      constraint: 'payments_fee_within_captured',
    })
    expect(await run(complete, [id, 1000])).toBe(1)
  })

  test('[INV-06] a change that was decided from an outdated version of the payment', async ({
    world,
    shop,
  }) => {
    const { id, accountId } = await makePayment(world.ctx, shop.owner)
    const { ctx } = world
    const state = await readState(ctx.db.kysely, accountId, id)
    if (state === null) throw new Error('there is no such payment')
    const { payment, at } = state
    const change = (statusReason: 'under_review' | 'checking') =>
      commitChange(ctx, { payment, at, change: { statusReason } })
    expect(await change('under_review')).toMatchObject({ statusReason: 'under_review' })
    expect(await change('checking')).toBeNull()
    expect((await readState(ctx.db.kysely, accountId, id))?.payment.statusReason).toBe('under_review')
  })
})
