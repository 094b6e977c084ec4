import { money, toMajor } from '@muripo/contract/money'
import { CreateRefund } from '@muripo/contract/refunds'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import type { Shop } from '../../../../test/world.ts'
import { systemActor } from '../../../platform/audit/actor.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { aggregateLedgerBalances } from '../../ledger/index.ts'
import { ProviderError } from '../../providers/index.ts'
import { cancelPayment } from '../actions/cancel-payment.ts'
import { readDetails } from '../actions/read-details.ts'
import { checkAttempt } from '../attempts/actions/check-attempt.ts'
import { canLeave } from '../attempts/actions/leave-attempt.ts'
import type { PaymentsCtx } from '../context.ts'
import {
  authorised,
  authorising,
  CAPTURE_WITHIN_MS,
  clearDueCalls,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makeAuthorised,
  makePayment,
  paid,
  paymentNow,
  standingOf,
  tracesOf,
} from '../factory.ts'
import type { Payment } from '../payment.ts'
import { lockState } from '../payment-state.ts'
import { createRefund } from '../refunds/actions/refund-by-api.ts'
import { resolveReview } from '../review/actions/resolve-anomaly.ts'
import { capturePayment } from './actions/capture-by-api.ts'
import { recordInstruction } from './actions/record-instruction.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const merchantActor = systemActor('test')

/** An authorised payment of 12.50, and the calls of its merchant. */
const test = base.extend('scene', async ({ world: { ctx, provider }, shop }) => {
  await clearDueCalls(ctx)
  const bank = authorising(provider)
  const payment = await makeAuthorised(ctx, shop.owner)
  return {
    bank,
    payment,
    now: (of: Payment = payment) => paymentNow(ctx, shop.owner, of.id),
    capture: (amount?: number, key?: string, of: Payment = payment) =>
      capturePayment(ctx, shop.owner, of.id, amount === undefined ? {} : { amount }, key),
    cancel: (of: Payment = payment) => cancelPayment(ctx, shop.accountId, of.id, merchantActor),
    traces: (of: Payment = payment) => tracesOf(ctx, of),
    refund: (amount: number) =>
      createRefund(ctx, shop.owner, CreateRefund.parse({ payment: payment.id, amount }), undefined),
  }
})

/** The differences of the ledger and of the figures from the payments. */
const driftOf = async ({ db }: PaymentsCtx, { accountId }: Shop): Promise<unknown[]> => {
  const { rows } = await db.pool.query(
    `select 'ledger' as of from payment_ledger_drift where account_id = $1
     union all select 'figures' from payment_figures_drift where account_id = $1`,
    [uuidOf(accountId)],
  )
  return rows
}

const usd = (minor: bigint) => money(minor, 'USD')

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
      'capture_requested',
      'completed',
    ])
  })

  test('has a capture without an outcome as not certain', async ({ scene, world: { ctx, provider } }) => {
    provider.lookup = async () => authorised(usd(1250n))
    await scene.capture()
    expect((await kinds(ctx, scene.payment)).slice(2).sort()).toEqual(['capture_requested', 'checking'])
    expect((await readDetails(ctx, scene.payment.accountId, scene.payment.id)).attempts).toMatchObject([
      { outcome: 'checking' },
    ])
  })

  test('has the cancellation, and no refusal', async ({ scene, world: { ctx } }) => {
    await scene.cancel()
    expect(await kinds(ctx, scene.payment)).toEqual(['created', 'prompt_sent', 'cancelled'])
  })

  test('has the end of the authorisation, and not of the payment link', async ({ scene, world: { ctx } }) => {
    ctx.clock.advance(CAPTURE_WITHIN_MS)
    await lookUpDue(ctx)
    expect(await kinds(ctx, scene.payment)).toEqual(['created', 'prompt_sent', 'authorization_expired'])
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

describe('the outcome of an instruction', () => {
  const lost = () => {
    throw new ProviderError('unknown', 'the answer was lost')
  }

  test('that is lost after the provider has captured is found by a look-up', async ({
    scene,
    world: { ctx, provider },
  }) => {
    const { lookup } = provider
    provider.lookup = async (request) => {
      await lookup(request)
      return lost()
    }
    expect(JSON.parse((await scene.capture(7)).json)).toMatchObject({
      status: 'authorized',
      status_reason: 'checking',
    })
    provider.lookup = lookup
    ctx.clock.advance(MINUTE)
    await lookUpDue(ctx)
    expect(await scene.now()).toMatchObject({ status: 'completed', captured: usd(700n) })
    expect(scene.bank.calls).toEqual(['capture 700'])
  })

  test('after a crash between the commit and the call is reached by the schedule, also days later', async ({
    scene,
    world: { ctx },
    shop,
  }) => {
    ctx.clock.advance(3 * DAY)
    await ctx.db.tx(async (tx) => {
      const state = await lockState(tx, shop.accountId, scene.payment.id)
      if (state) await recordInstruction(ctx, tx, state, { kind: 'capture', amount: usd(1250n) })
    })
    expect(scene.bank.calls).toEqual([])
    ctx.clock.advance(MINUTE)
    await lookUpDue(ctx)
    expect((await scene.now()).status).toBe('completed')
  })

  test('that stays unknown is never a failure, and is an operator’s after a day', async ({
    scene,
    world: { ctx, provider },
  }) => {
    ctx.clock.advance(3 * DAY)
    provider.lookup = async () => lost()
    await scene.cancel()
    ctx.clock.advance(MINUTE)
    await lookUpDue(ctx)
    expect(await scene.now()).toMatchObject({ status: 'authorized', statusReason: 'checking' })
    ctx.clock.advance(DAY)
    await lookUpDue(ctx)
    expect(await scene.now()).toMatchObject({ status: 'authorized', statusReason: 'under_review' })
  })

  test('that contradicts a void is held, and books nothing', async ({ scene, world: { ctx, provider } }) => {
    provider.lookup = async () => paid(usd(1250n))
    expect(await scene.cancel()).toMatchObject({ status: 'authorized', statusReason: 'under_review' })
    expect((await latestAttempt(ctx, scene.payment)).status).toBe('held')
    expect((await scene.traces()).transfers).toEqual([])
  })

  test('that contradicts a void after it was confirmed is held, and books nothing', async ({
    scene,
    world: { ctx, provider },
  }) => {
    await scene.cancel()
    provider.lookup = async () => paid(usd(1250n))
    await checkAttempt(ctx, scene.payment.accountId, (await latestAttempt(ctx, scene.payment)).id)
    expect(await scene.now()).toMatchObject({ status: 'failed', statusReason: 'under_review' })
    expect((await scene.traces()).transfers).toEqual([])
  })

  test('that is a refusal of the capture ends the payment, and a late capture completes it', async ({
    scene,
    world: { ctx, provider },
  }) => {
    const { lookup } = provider
    provider.lookup = async () => ({ ...authorised(null), outcome: 'failed', reason: 'declined' })
    expect(JSON.parse((await scene.capture(7)).json)).toMatchObject({
      status: 'failed',
      status_reason: 'declined',
    })
    provider.lookup = async () => paid(usd(700n))
    await checkAttempt(ctx, scene.payment.accountId, (await latestAttempt(ctx, scene.payment)).id)
    expect(await scene.now()).toMatchObject({ status: 'completed', captured: usd(700n) })
    provider.lookup = lookup
  })

  test('that comes without an instruction is held', async ({ scene, world: { ctx, provider } }) => {
    provider.lookup = async () => paid(usd(1250n))
    await checkAttempt(ctx, scene.payment.accountId, (await latestAttempt(ctx, scene.payment)).id)
    expect(await scene.now()).toMatchObject({ status: 'authorized', statusReason: 'under_review' })
  })
})

describe('under an Idempotency-Key', () => {
  test('the same request has the same response, to the byte', async ({ scene }) => {
    const first = await scene.capture(5, 'k')
    expect(first.replayed).toBe(false)
    await scene.refund(1)
    expect(await scene.capture(5, 'k')).toEqual({ ...first, replayed: true })
    expect(scene.bank.calls).toEqual(['capture 500'])
  })

  test('another amount or payment is refused, and another key captures nothing', async ({
    scene,
    world: { ctx },
    shop,
  }) => {
    await scene.capture(5, 'k')
    const other = await makeAuthorised(ctx, shop.owner)
    await expect(scene.capture(6, 'k')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await expect(scene.capture(5, 'k', other)).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    await expect(scene.capture(5, 'k2')).rejects.toMatchObject({ code: 'payment_not_capturable' })
    expect(scene.bank.calls).toEqual(['capture 500'])
  })

  test('equal requests at once are one capture', async ({ scene }) => {
    const results = await Promise.allSettled(Array.from({ length: 16 }, () => scene.capture(5, 'k')))
    expect(scene.bank.calls).toEqual(['capture 500'])
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'idempotency_in_flight' })
    expect((await scene.capture(5, 'k')).replayed).toBe(true)
  })
})

test('of captures, voids and the end of the authorisation at once, exactly one wins', async ({
  scene,
  world: { ctx },
  shop,
}) => {
  for (let round = 0; round < 12; round += 1) {
    scene.bank.calls.length = 0
    const payment = await makeAuthorised(ctx, shop.owner)
    const { id } = await latestAttempt(ctx, payment)
    ctx.clock.advance(CAPTURE_WITHIN_MS)
    const rivals = [
      () => scene.capture(5, `a${round}`, payment),
      () => scene.capture(12.5, `b${round}`, payment),
      () => scene.cancel(payment),
      () => checkAttempt(ctx, shop.accountId, id),
    ]
    const inOrder = [...rivals.slice(round % 4), ...rivals.slice(0, round % 4)]
    await Promise.allSettled(inOrder.map((rival) => rival()))
    await checkAttempt(ctx, shop.accountId, id)
    expect(scene.bank.calls).toHaveLength(1)
    const [call = ''] = scene.bank.calls
    const after = await scene.now(payment)
    expect(after.status).toBe(call === 'void' ? 'failed' : 'completed')
    if (after.captured) expect(`capture ${Math.round(toMajor(after.captured) * 100)}`).toBe(call)
    expect((await scene.traces(payment)).transfers).toEqual(call === 'void' ? [] : ['capture', 'fee'])
  }
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
