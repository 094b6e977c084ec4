import { describe, expect } from 'vitest'
import { driftOf, merchantActor, test, usd } from '../../../../test/authorised-payment.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { aggregateLedgerBalances } from '../../ledger/index.ts'
import type { PaymentsCtx } from '../context.ts'
import {
  authorised,
  CAPTURE_WITHIN_MS,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePayment,
  paid,
  standingOf,
} from '../factory.ts'
import type { Payment } from '../payment/payment.ts'
import { checkAttempt } from './check-attempt.ts'
import { canLeave } from './leave-attempt.ts'
import { readDetails } from './read-details.ts'
import { resolveReview } from './resolve-anomaly.ts'

const MINUTE = 60_000

test('an authorised payment has an event and no transfers, and takes no second attempt', async ({
  scene,
  world: { ctx, provider },
}) => {
  const { payment } = scene
  expect(payment).toMatchObject({ status: 'authorized', statusReason: 'awaiting_capture', fee: null })
  expect(provider.charges.at(-1)).toMatchObject({ captureMode: 'manual' })
  expect(await scene.traces()).toEqual({ transfers: [], events: ['1 payment.authorized'] })
  const attempt = await latestAttempt(ctx, payment)
  expect(attempt.status).toBe('authorized')
  expect(payment.captureBefore?.getTime()).toBe(attempt.createdAt.getTime() + CAPTURE_WITHIN_MS)
  expect(canLeave(ctx, attempt)).toBe(false)
  await expect(makeAttempt(ctx, payment)).rejects.toMatchObject({ code: 'payment_not_payable' })
  expect(await checkAttempt(ctx, payment.accountId, attempt.id, { cause: 'callback' })).toBe('done')
  expect((await scene.now()).version).toBe(payment.version)
})

test('a capture of the whole books the amount and its fee once', async ({ scene, world: { ctx }, shop }) => {
  await scene.capture()
  expect(scene.bank.calls).toEqual(['capture 1250'])
  const payment = await scene.now()
  expect(payment).toMatchObject({ status: 'completed', captured: usd(1250n), statusReason: null })
  expect(await scene.traces()).toEqual({
    transfers: ['capture', 'fee'],
    events: ['1 payment.authorized', '2 payment.completed'],
  })
  await expect(scene.capture()).rejects.toMatchObject({ code: 'payment_not_capturable' })
  await expect(scene.cancel()).rejects.toMatchObject({ code: 'payment_not_cancellable' })
  expect(await driftOf(ctx, shop)).toEqual([])
})

test('a partial capture books, charges and lets refund the captured amount only', async ({
  scene,
  world: { ctx },
  shop,
}) => {
  await scene.capture(5)
  const fee = ctx.feeFor('ecocash', usd(500n))
  expect(await scene.now()).toMatchObject({ status: 'completed', captured: usd(500n), fee })
  await aggregateLedgerBalances(ctx)
  expect(await standingOf(ctx, shop.accountId)).toMatchObject({
    'clearing.scripted': 500n,
    'merchant.payable': -500n + fee.minor,
  })
  await expect(scene.refund(5.01)).rejects.toMatchObject({ code: 'refund_mismatch' })
  await scene.refund(3)
  await expect(scene.refund(2.01)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
  await scene.refund(2)
  expect(await scene.now()).toMatchObject({ status: 'refunded', refunded: usd(500n) })
  expect(await driftOf(ctx, shop)).toEqual([])
})

test('a reversal of a partial capture is booked up to the captured amount', async ({
  scene,
  world: { ctx, provider },
  shop,
}) => {
  await scene.capture(5)
  const attempt = await latestAttempt(ctx, scene.payment)
  provider.lookup = async () => ({ ...paid(usd(500n)), outcome: 'reversed' })
  await checkAttempt(ctx, shop.accountId, attempt.id, { cause: 'callback' })
  await expect(scene.refund(1)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
  const book = (minor: bigint) =>
    resolveReview(ctx, merchantActor, scene.payment.id, null, {
      kind: 'reversed',
      amount: usd(minor),
      reason: 'Chargeback',
    })
  expect(await book(501n)).toBe('too_much')
  expect(await book(500n)).toBe('done')
  await aggregateLedgerBalances(ctx)
  expect(await standingOf(ctx, shop.accountId)).toMatchObject({ 'clearing.scripted': 0n })
  expect(await driftOf(ctx, shop)).toEqual([])
})

test.for([0, -1, 12.51, 1.001, 1e12])('a capture of %d is refused', async (amount, { scene }) => {
  await expect(scene.capture(amount)).rejects.toMatchObject({ code: 'capture_mismatch' })
  expect(scene.bank.calls).toEqual([])
})

test('a cancellation voids the authorisation, and the payment fails as cancelled', async ({ scene }) => {
  expect(await scene.cancel()).toMatchObject({ status: 'failed', statusReason: 'cancelled' })
  expect(scene.bank.calls).toEqual(['void'])
  expect(await scene.traces()).toEqual({
    transfers: [],
    events: ['1 payment.authorized', '2 payment.failed'],
  })
  await expect(scene.capture()).rejects.toMatchObject({ code: 'payment_not_capturable' })
})

test('an authorisation is voided at its end, and the payment expires', async ({ scene, world: { ctx } }) => {
  ctx.clock.advance(CAPTURE_WITHIN_MS - MINUTE)
  await lookUpDue(ctx)
  expect((await scene.now()).status).toBe('authorized')
  ctx.clock.advance(MINUTE)
  await lookUpDue(ctx)
  expect(await scene.now()).toMatchObject({ status: 'failed', statusReason: 'expired' })
  await expect(scene.capture()).rejects.toMatchObject({ code: 'payment_not_capturable' })
  await expect(scene.cancel()).rejects.toMatchObject({ code: 'payment_not_cancellable' })
  expect(scene.bank.calls).toEqual(['void'])
})

describe('the timeline of the dashboard', () => {
  const kinds = async (ctx: PaymentsCtx, { accountId, id }: Payment) =>
    (await readDetails(ctx, accountId, id)).timeline.map(({ kind }) => kind)

  test('has the authorisation and the capture', async ({ scene, world: { ctx } }) => {
    expect(await kinds(ctx, scene.payment)).toEqual(['created', 'prompt_sent', 'authorized'])
    await scene.capture(5)
    expect(await kinds(ctx, scene.payment)).toEqual([
      'created',
      'prompt_sent',
      'authorized',
      'capture_requested',
      'completed',
    ])
  })

  test('has a capture without an outcome as not certain', async ({ scene, world: { ctx, provider } }) => {
    provider.lookup = async () => authorised(usd(1250n))
    await scene.capture()
    expect((await kinds(ctx, scene.payment)).slice(2).sort()).toEqual([
      'authorized',
      'capture_requested',
      'checking',
    ])
    expect((await readDetails(ctx, scene.payment.accountId, scene.payment.id)).attempts).toMatchObject([
      { outcome: 'checking' },
    ])
  })

  test('has the cancellation, and no refusal', async ({ scene, world: { ctx } }) => {
    await scene.cancel()
    expect(await kinds(ctx, scene.payment)).toEqual(['created', 'prompt_sent', 'authorized', 'cancelled'])
  })

  test('has the end of the authorisation, and not of the payment link', async ({ scene, world: { ctx } }) => {
    ctx.clock.advance(CAPTURE_WITHIN_MS)
    await lookUpDue(ctx)
    expect(await kinds(ctx, scene.payment)).toEqual([
      'created',
      'prompt_sent',
      'authorized',
      'authorization_expired',
    ])
  })
})

test('a payment that was cancelled while its payer authorised it is voided', async ({
  scene,
  world: { ctx },
  shop,
}) => {
  const payment = await makePayment(ctx, shop.owner, { capture: 'manual' })
  const attempt = await makeAttempt(ctx, payment)
  await scene.cancel(payment)
  await checkAttempt(ctx, shop.accountId, attempt.id)
  await lookUpDue(ctx)
  expect(await scene.now(payment)).toMatchObject({ status: 'failed', statusReason: 'cancelled' })
  expect(scene.bank.calls).toEqual(['void'])
})

describe('the database refuses', () => {
  const insert = `insert into capture_instructions (account_id, payment_id, attempt_id, kind, amount_minor, currency, created_at)
    select account_id, payment_id, id, $2, $3, $4, now() from payment_attempts where payment_id = $1 order by id desc limit 1`

  test.for([
    ['more than was authorised', 'capture', 1251, 'USD'],
    ['another currency', 'capture', 100, 'ZWG'],
    ['a capture without an amount', 'capture', null, 'USD'],
    ['a void with an amount', 'void', 100, 'USD'],
  ] as const)('%s', async ([, ...values], { scene, world: { ctx } }) => {
    await expect(ctx.db.pool.query(insert, [uuidOf(scene.payment.id), ...values])).rejects.toThrow()
  })

  test('a second instruction, and a change or the end of the first', async ({ scene, world: { ctx } }) => {
    const run = (text: string) => ctx.db.pool.query(text, [uuidOf(scene.payment.id)])
    await scene.capture(5)
    await expect(
      ctx.db.pool.query(insert, [uuidOf(scene.payment.id), 'void', null, 'USD']),
    ).rejects.toMatchObject({ code: '23001' })
    for (const change of ['amount_minor = 600', "kind = 'void'", 'created_at = now()'])
      await expect(run(`update capture_instructions set ${change} where payment_id = $1`)).rejects.toThrow()
    await expect(run('delete from capture_instructions where payment_id = $1')).rejects.toThrow()
    await expect(run('update payments set captured_minor = 600 where id = $1')).rejects.toThrow(
      /do not change/,
    )
    await expect(run('update payments set capture_mode = null where id = $1')).rejects.toThrow(
      /do not change/,
    )
  })
})
