import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { uuidOf } from '../../../platform/ids.ts'
import type { Reply } from '../../providers/index.ts'
import {
  latestAttempt,
  lockPayment,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
  refused,
  standingOf,
  tracesOf,
  unanswered,
} from '../factory.ts'
import type { Attempt, Payment } from '../payment/payment.ts'
import { attemptsOf, findAttempt } from '../payment/store-attempts.ts'
import { applyOutcome } from './apply-outcome.ts'
import { cancelPayment } from './cancel-payment.ts'

const test = base.extend('scene', ({ world, shop }) => {
  const apply = (attempt: Attempt, reply: Reply) => applyOutcome(world.ctx, attempt, { kind: 'reply', reply })
  const now = (payment: Payment) => paymentNow(world.ctx, shop.owner, payment.id)
  const attemptNow = (attempt: Attempt) => findAttempt(world.ctx.db.kysely, attempt.accountId, attempt.id)
  const traces = (payment: Payment) => tracesOf(world.ctx, payment)
  /** A payment whose first attempt was refused, and that is still pending. */
  async function refusedOnce(): Promise<{ payment: Payment; first: Attempt }> {
    const payment = await makePayment(world.ctx, shop.owner)
    world.provider.charge = async () => refused()
    const first = await makeAttempt(world.ctx, payment)
    world.provider.charge = async () => pending()
    return { payment, first }
  }
  /** A payment with two refused attempts and a completed one: each refused attempt may be confirmed late. */
  async function paidAfterRefusals(): Promise<{ payment: Payment; late: readonly [Attempt, Attempt] }> {
    const { payment, first } = await refusedOnce()
    world.provider.charge = async () => refused()
    const second = await makeAttempt(world.ctx, payment)
    world.provider.charge = async ({ amount }) => paid(amount)
    await makeAttempt(world.ctx, payment)
    return { payment, late: [first, second] }
  }
  const statuses = async (payment: Payment) =>
    (await attemptsOf(world.ctx.db.kysely, payment.accountId, payment.id)).map(({ status }) => status)
  const refunds = async (payment: Payment) =>
    (
      await world.ctx.db.pool.query('select origin, status from refunds where payment_id = $1 order by id', [
        uuidOf(payment.id),
      ])
    ).rows.map(({ origin, status }) => `${origin} ${status}`)
  const balances = () => standingOf(world.ctx, shop.accountId)
  return { apply, now, attemptNow, traces, refusedOnce, paidAfterRefusals, statuses, refunds, balances }
})

const completedOnce = { transfers: ['capture', 'fee'], events: ['1 payment.completed'] }

describe('an operator has to review', () => {
  test.for([
    ['a cent less', money(1249n, 'USD')],
    ['a cent more', money(1251n, 'USD')],
    ['another currency', money(1250n, 'ZWG')],
  ] as const)('%s', async ([, echo], { world, shop, scene: { apply, now, attemptNow, traces } }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const attempt = await makeAttempt(world.ctx, payment)
    await apply(attempt, paid(echo))
    await apply(attempt, paid(echo))
    await apply(attempt, paid(attempt.amount))
    expect(await now(payment)).toMatchObject({ status: 'pending', statusReason: 'under_review' })
    expect(await attemptNow(attempt)).toMatchObject({ status: 'held' })
    expect(await traces(payment)).toEqual({ transfers: [], events: [] })
    expect(world.errors).toEqual(['an attempt is held for review'])
    await expect(makeAttempt(world.ctx, payment)).rejects.toMatchObject({ code: 'payment_not_payable' })
  })

  test('no success without an amount: it is looked up again, and completes with the right amount', async ({
    world,
    shop,
    scene: { apply, now, traces },
  }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const attempt = await makeAttempt(world.ctx, payment)
    await apply(attempt, paid(null))
    expect(await now(payment)).toMatchObject({ status: 'pending', statusReason: 'checking' })
    expect(await traces(payment)).toEqual({ transfers: [], events: [] })
    await apply(attempt, paid(attempt.amount))
    expect(await now(payment)).toMatchObject({ status: 'completed' })
  })

  test('a charge that its provider reports as refunded', async ({ world, shop, scene: { apply, now } }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    const attempt = await makeAttempt(world.ctx, payment)
    await apply(attempt, { ...paid(attempt.amount), outcome: 'refunded' })
    expect(await now(payment)).toMatchObject({ status: 'pending', statusReason: 'under_review' })
  })

  test('a late success with another amount beside an open attempt, whose failure changes nothing', async ({
    world,
    scene: { apply, now, attemptNow, refusedOnce },
  }) => {
    const { payment, first } = await refusedOnce()
    const second = await makeAttempt(world.ctx, payment)
    await apply(first, paid(money(1n, 'USD')))
    await apply(second, refused())
    expect(await now(payment)).toMatchObject({ status: 'pending', statusReason: 'under_review' })
    expect(await attemptNow(second)).toMatchObject({ status: 'failed' })
  })
})

describe('a payment that is paid twice', () => {
  test('refunds each duplicate charge once, and keeps the merchant’s amount', async ({
    world,
    scene: { apply, now, traces, paidAfterRefusals, statuses, refunds, balances },
  }) => {
    const { payment, late } = await paidAfterRefusals()
    const [before, was, held] = [await traces(payment), await now(payment), await balances()]
    for (const attempt of [...late, ...late]) await apply(attempt, paid(attempt.amount, `MP-${attempt.id}`))
    // The version orders the refunds of the duplicates too.
    expect(await now(payment)).toEqual({ ...was, version: expect.any(Number) })
    expect(await balances()).toEqual({ ...held, 'refunds.payable': 0n })
    const goesBack = ['duplicate_capture', 'refund_paid']
    expect(await traces(payment)).toEqual({
      transfers: [...before.transfers, ...goesBack, ...goesBack],
      events: before.events,
    })
    expect(await statuses(payment)).toEqual(['completed', 'duplicate', 'duplicate'])
    expect(await refunds(payment)).toEqual(['duplicate completed', 'duplicate completed'])
    expect(world.provider.refunds.map(({ originalReference }) => originalReference)).toEqual(
      late.map(({ id }) => `MP-${id}`),
    )
    expect(world.errors).toHaveLength(2)
  })

  test('owes it to the payer until its provider has sent it, and repeats the call', async ({
    world,
    scene: { apply, paidAfterRefusals, refunds, balances },
  }) => {
    const { payment, late } = await paidAfterRefusals()
    world.provider.refund = async () => Promise.reject(unanswered())
    await apply(late[0], paid(late[0].amount))
    expect(await refunds(payment)).toEqual(['duplicate unknown'])
    expect((await balances())['refunds.payable']).toBe(-1250n)
    world.provider.lookupRefund = async () => paid(late[0].amount)
    world.ctx.clock.advance(60_000)
    await lookUpDue(world.ctx)
    expect(await refunds(payment)).toEqual(['duplicate completed'])
    expect((await balances())['refunds.payable']).toBe(0n)
    expect(world.provider.refunds).toHaveLength(1)
  })

  test('hands it to an operator when its provider does not refund it; it never belongs to the merchant', async ({
    world,
    scene: { apply, paidAfterRefusals, refunds, balances },
  }) => {
    const { payment, late } = await paidAfterRefusals()
    const { 'merchant.payable': owed } = await balances()
    world.provider.refund = async () => refused('barred')
    await apply(late[0], paid(late[0].amount))
    expect(await refunds(payment)).toEqual(['duplicate awaiting_operator'])
    expect(await balances()).toMatchObject({ 'refunds.payable': -1250n, 'merchant.payable': owed })
  })

  test('is refunded once, when both successes arrive 32 times each at once', async ({
    world,
    scene: { apply, traces, refusedOnce, statuses, refunds },
  }) => {
    const { payment, first } = await refusedOnce()
    const second = await makeAttempt(world.ctx, payment)
    await Promise.all(
      Array.from({ length: 64 }, (_, nth) => {
        const attempt = nth % 2 ? first : second
        return apply(attempt, paid(attempt.amount))
      }),
    )
    expect((await statuses(payment)).toSorted()).toEqual(['completed', 'duplicate'])
    expect(await refunds(payment)).toEqual(['duplicate completed'])
    expect((await traces(payment)).transfers.toSorted()).toEqual([
      'capture',
      'duplicate_capture',
      'fee',
      'refund_paid',
    ])
    expect((await traces(payment)).events).toEqual(['1 payment.completed'])
  })
})

test('a refusal after the success is logged and emitted, and books nothing', async ({
  world,
  shop,
  scene: { apply, now, traces },
}) => {
  const payment = await makePaid(world.ctx, shop.owner, world.provider)
  const attempt = await latestAttempt(world.ctx, payment)
  await apply(attempt, refused())
  await apply(attempt, pending())
  expect(await now(payment)).toMatchObject({ status: 'completed', version: payment.version + 1 })
  expect(await traces(payment)).toEqual({
    ...completedOnce,
    events: ['1 payment.completed', '2 payment.reversed'],
  })
  expect(world.errors).toEqual(['a provider refused a charge that it had confirmed; it stays completed'])
})

test('pending after a refusal changes nothing', async ({ scene: { apply, now, refusedOnce } }) => {
  const { payment, first } = await refusedOnce()
  const before = await now(payment)
  await apply(first, pending())
  expect(await now(payment)).toEqual(before)
})

test('a late success completes a failed payment with one capture', async ({
  world,
  scene: { apply, now, traces, refusedOnce },
}) => {
  const { payment, first } = await refusedOnce()
  await cancelPayment(world.ctx, payment.accountId, payment.id)
  await apply(first, paid(first.amount, 'MP77'))
  await apply(first, paid(first.amount, 'MP77'))
  expect(await now(payment)).toMatchObject({
    status: 'completed',
    statusReason: null,
    providerReference: 'MP77',
  })
  expect(await traces(payment)).toEqual({
    transfers: ['capture', 'fee'],
    events: ['1 payment.failed', '2 payment.completed'],
  })
})

test('a reference that was reported while pending is kept when the success has none', async ({
  world,
  shop,
  scene: { apply, now },
}) => {
  const payment = await makePayment(world.ctx, shop.owner)
  world.provider.charge = async () => ({ ...pending(), providerReference: 'MP9' })
  const attempt = await makeAttempt(world.ctx, payment)
  await apply(attempt, { ...paid(attempt.amount), providerReference: null })
  expect((await now(payment)).providerReference).toBe('MP9')
})

test('the same success 64 times at once is one change', async ({
  world,
  shop,
  scene: { apply, now, traces },
}) => {
  const payment = await makePayment(world.ctx, shop.owner)
  const attempt = await makeAttempt(world.ctx, payment)
  await Promise.all(Array.from({ length: 64 }, () => apply(attempt, paid(attempt.amount))))
  expect(await traces(payment)).toEqual(completedOnce)
  expect((await now(payment)).lastEvent).toBe(1)
})

test('a success that is booked already locks nothing', async ({ world, shop, scene: { apply, traces } }) => {
  const payment = await makePayment(world.ctx, shop.owner)
  const attempt = await makeAttempt(world.ctx, payment)
  await apply(attempt, paid(attempt.amount))
  await world.ctx.db.tx(async (tx) => {
    await lockPayment(tx, payment)
    expect(await apply(attempt, paid(attempt.amount))).toMatchObject({ status: 'completed', isNew: false })
  })
  expect(await traces(payment)).toEqual(completedOnce)
})

test('success and refusal 32 times each at once result in one capture', async ({
  world,
  shop,
  scene: { apply, now, traces },
}) => {
  const payment = await makePayment(world.ctx, shop.owner)
  const attempt = await makeAttempt(world.ctx, payment)
  await Promise.all(
    Array.from({ length: 64 }, (_, index) => apply(attempt, index % 2 ? refused() : paid(attempt.amount))),
  )
  const { transfers, events } = await traces(payment)
  expect(await now(payment)).toMatchObject({ status: 'completed' })
  expect(transfers).toEqual(['capture', 'fee'])
  // A refusal after the success is reported as a reversal, once.
  expect(events).toEqual(['1 payment.completed', '2 payment.reversed'])
})

test('of 20 concurrent attempts one is sent', async ({ world, shop }) => {
  const payment = await makePayment(world.ctx, shop.owner)
  const before = world.provider.charges.length
  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => makeAttempt(world.ctx, payment)))
  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(world.provider.charges.length - before).toBe(1)
})
