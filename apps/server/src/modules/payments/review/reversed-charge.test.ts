import { fromMajor, money } from '@muripo/contract/money'
import { beforeEach, describe, expect, test } from 'vitest'
import { operator, paymentScene } from '../../../../test/payment-scene.ts'
import { terminalOf } from '../../../../test/terminal.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { adjust, trialBalance } from '../../ledger/index.ts'
import { addLegacyReversals } from '../actions/add-legacy-reversals.ts'
import { reviewCallback } from '../actions/handle-callback.ts'
import { readDetails } from '../actions/read-details.ts'
import { recordReturn } from '../actions/record-return.ts'
import { resolveReview } from '../actions/resolve-anomaly.ts'
import {
  latestAttempt,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  pending,
  refused,
  standingOf,
  tracesOf,
} from '../factory.ts'
import { volumeOf } from '../store-figures.ts'

const { world, scene, query, rows, now, callback, refund, refundCallback } = await paymentScene()
const { admin } = terminalOf(world.ctx.databaseUrl)

const usd = (major: number) => fromMajor(major, 'USD')
const standing = () => standingOf(world.ctx, scene.shop.accountId)

/** The ledger is in balance and agrees with the payments. */
async function inBalance(): Promise<void> {
  expect(
    (await trialBalance([world.ctx], { merchantId: scene.shop.merchantId, tests: false })).discrepancies,
  ).toEqual([])
  expect(await query('select * from payment_ledger_drift')).toEqual([])
}

describe('a charge that its provider reversed', () => {
  beforeEach(async () => {
    scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider, { amount: 25 })
    world.provider.lookup = async () => ({ ...paid(usd(25)), outcome: 'reversed' })
    await callback()
  })
  const resolve = (verdict: Parameters<typeof resolveReview>[4]) =>
    resolveReview(world.ctx, operator, scene.payment.id, null, verdict)

  test('is not refunded before a review, and never by the reversed amount', async () => {
    await expect(refund(1)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    expect(await resolve({ kind: 'reversed', amount: usd(20), reason: 'Chargeback' })).toBe('done')
    expect(await standing()).toMatchObject({ 'clearing.scripted': 500n })
    await expect(refund(6)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    world.provider.refund = async ({ amount }) => paid(amount, 'R1')
    await refund(5)
    expect(await standing()).toMatchObject({ 'clearing.scripted': 0n })
    await inBalance()
  })

  test('is reviewed once by 8 concurrent operators, and not opened again by the same report', async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, () => resolve({ kind: 'reversed', amount: usd(25), reason: 'Chargeback' })),
    )
    expect(all.filter((each) => each === 'done')).toHaveLength(1)
    expect(await standing()).toMatchObject({ 'clearing.scripted': 0n })
    await callback()
    expect(
      await query('select 1 from payment_anomalies where payment_id = $1 and resolved_at is null', [
        uuidOf(scene.payment.id),
      ]),
    ).toEqual([])
    await inBalance()
  })

  test('can be refunded again after an operator has denied the reversal', async () => {
    expect(await resolve({ kind: 'reversed', amount: usd(26), reason: 'Too much' })).toBe('too_much')
    expect(await resolve({ kind: 'unchanged', reason: 'A test of theirs' })).toBe('done')
    world.provider.refund = async ({ amount }) => paid(amount, 'R1')
    await refund(25)
    await callback()
    expect(await standing()).toMatchObject({ 'clearing.scripted': 0n })
    await inBalance()
  })

  test('booked on a review of another kind is not refunded by the reversed amount', async () => {
    expect(await resolve({ kind: 'unchanged', reason: 'A test of theirs' })).toBe('done')
    await reviewCallback(world.ctx, world.provider.charges.at(-1)?.callbackUrl?.split('/').at(-1) ?? '')
    expect(await resolve({ kind: 'reversed', amount: usd(20), reason: 'Chargeback' })).toBe('done')
    await expect(refund(6)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    const late = query(
      `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
       select account_id, gen_random_uuid(), payment_id, $2, id, 501, 'USD', 'pending', now(), now() from payment_attempts where payment_id = $1`,
      [uuidOf(scene.payment.id), uuidOf(scene.payment.applicationId)],
    )
    await expect(late).rejects.toMatchObject({ code: '23001' })
    world.provider.refund = async ({ amount }) => paid(amount, 'R1')
    await refund(5)
    await inBalance()
  })

  test('cannot be refunded by the reversed amount in the database either', async () => {
    const late = query(
      `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
       select account_id, gen_random_uuid(), payment_id, $2, id, 1, 'USD', 'pending', now(), now() from payment_attempts where payment_id = $1`,
      [uuidOf(scene.payment.id), uuidOf(scene.payment.applicationId)],
    )
    await expect(late).rejects.toMatchObject({ code: '23001' })
  })
})

test('an operator completes a charge that was failed, could not be looked up for three days and was paid', async () => {
  scene.payment = await makePayment(world.ctx, scene.shop.owner, { amount: 25 })
  world.provider.charge = async () => refused()
  await makeAttempt(world.ctx, scene.payment)
  const attempt = await latestAttempt(world.ctx, scene.payment)
  await query(
    `insert into payment_anomalies (account_id, id, payment_id, attempt_id, kind, currency, provider_status, opened_at)
     select account_id, gen_random_uuid(), payment_id, id, 'unanswered', 'USD', 'x', now() from payment_attempts where id = $1`,
    [uuidOf(attempt.id)],
  )
  const verdict = { kind: 'completed', reference: 'MP7' } as const
  expect(await resolveReview(world.ctx, operator, scene.payment.id, null, verdict)).toBe('done')
  expect(await now()).toMatchObject({ status: 'completed', providerReference: 'MP7' })
  await inBalance()
})

test('at the terminal an operator lists reversals, books one by the printed command, and moves the amount from suspense', async () => {
  scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider, { amount: 25 })
  world.provider.lookup = async () => ({ ...paid(usd(25)), outcome: 'reversed' })
  await callback()
  const { output } = await admin('payments', 'review')
  expect(output).toContain('its provider reversed the charge')
  const review = output.split(scene.payment.id)[1]?.match(/ano_\w+/)?.[0] ?? ''
  const line = ['payments', 'resolve', scene.payment.id, 'reversed', '--review', review]
  expect(await admin(...line, '--amount', '25.00')).toMatchObject({ code: 2 })
  expect(await admin(...line, '--amount', '25.00', '--reason', 'Chargeback')).toMatchObject({
    code: 0,
    output: expect.stringContaining('USD 25.00 is booked'),
  })
  expect(await admin(...line, '--amount', '25.00', '--reason', 'Chargeback')).toMatchObject({ code: 1 })
  const accounts = [
    '--debit',
    'suspense',
    '--credit',
    'merchant.payable',
    '--amount',
    '25',
    '--currency',
    'USD',
  ]
  const adjustment = ['ledger', 'adjust', '--merchant', scene.shop.accountId, ...accounts]
  expect(await admin(...adjustment)).toMatchObject({ code: 2 })
  const misspelt = adjustment.map((word) => (word === 'suspense' ? 'clearing.scritped' : word))
  expect(await admin(...misspelt, '--reason', 'x')).toMatchObject({
    code: 1,
    output: expect.stringContaining('no account clearing.scritped'),
  })
  expect(await admin(...adjustment, '--reason', 'Our loss', '--payment', scene.payment.id)).toMatchObject({
    code: 0,
  })
  expect(await standing()).toMatchObject({ 'clearing.scripted': 0n, suspense: 2500n })
  expect(
    await query("select 1 from audit_log where action = 'ledger.adjusted' and account_id = $1", [
      uuidOf(scene.shop.accountId),
    ]),
  ).toHaveLength(1)
  expect((await admin('ledger', '--merchant', scene.shop.accountId)).code).toBe(0)
})

describe('a booked reversal', () => {
  const resolve = (...words: string[]) => admin('payments', 'resolve', scene.payment.id, ...words)
  const events = async () => (await tracesOf(world.ctx, scene.payment)).events.map((each) => each.slice(2))

  beforeEach(async () => {
    scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider, { amount: 25 })
    world.provider.refund = async ({ amount }) => paid(amount, 'R1')
  })

  test('never exceeds the charge with the refunds, open ones too', async () => {
    world.provider.refund = async () => pending()
    await refund(10)
    world.provider.lookup = async () => ({ ...paid(usd(25)), outcome: 'reversed' })
    await callback()
    expect(await rows('payment_anomalies')).toMatchObject([{ amount_minor: 1500n }])
    expect(await resolve('reversed', '--amount', '15.01', '--reason', 'x')).toMatchObject({ code: 1 })
    const over = query('update payments set reversed_minor = 1501, version = version + 1 where id = $1', [
      uuidOf(scene.payment.id),
    ])
    await expect(over).rejects.toMatchObject({ constraint: 'payments_returned_within_amount' })
    expect(await resolve('reversed', '--amount', '15.00', '--reason', 'x')).toMatchObject({ code: 0 })
    world.provider.lookupRefund = async () => paid(usd(10), 'R1')
    await refundCallback()
    expect(await now()).toMatchObject({
      refunded: usd(10),
      refundPending: money(0n, 'USD'),
      reversed: usd(15),
    })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 0n })
    await inBalance()
  })

  test('is in the events, the payment, its timeline and the revenue', async () => {
    const revenue = async () => (await volumeOf(world.ctx.db.kysely, scene.shop.accountId))[0]?.total.minor
    world.provider.lookup = async () => ({ ...paid(usd(20)), outcome: 'reversed' })
    await callback()
    await resolve('reversed', '--amount', '20', '--reason', 'Dispute lost')
    expect(await revenue()).toBe(500n)
    expect(await resolve('returned', '--amount', '20.01', '--reason', 'x')).toMatchObject({ code: 1 })
    expect(await resolve('returned', '--amount', '15', '--reason', 'Dispute won')).toMatchObject({ code: 0 })
    expect(await events()).toEqual([
      'payment.completed',
      'payment.reversed',
      'payment.reversal_booked',
      'payment.reversal_undone',
    ])
    expect(
      await query(
        "select data->'reversal'->'amount' as amount, data->'amount_reversed' as reversed from events where subject_id = $1 order by sequence",
        [uuidOf(scene.payment.id)],
      ),
    ).toEqual([
      { amount: null, reversed: 0 },
      { amount: 20, reversed: 0 },
      { amount: 20, reversed: 20 },
      { amount: 15, reversed: 5 },
    ])
    const details = await readDetails(world.ctx, scene.shop.accountId, scene.payment.id)
    expect(details).toMatchObject({ status: 'COMPLETED', amountReversed: 5 })
    expect(details.timeline.slice(-3)).toMatchObject([
      { kind: 'reversed', amount: 20 },
      { kind: 'reversal_booked', amount: 20 },
      { kind: 'reversal_undone', amount: 15 },
    ])
    expect(await revenue()).toBe(2000n)
    await inBalance()
  })

  test('can be refunded after its amount was returned, and is never returned twice', async () => {
    world.provider.lookup = async () => ({ ...paid(usd(25)), outcome: 'reversed' })
    await callback()
    expect(await resolve('returned', '--amount', '25', '--reason', 'x')).toMatchObject({ code: 1 })
    await resolve('reversed', '--amount', '25', '--reason', 'Dispute lost')
    await expect(refund(5)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    const wins = await Promise.all(
      Array.from({ length: 4 }, () =>
        recordReturn(world.ctx, operator, scene.payment.id, null, { amount: usd(10), reason: 'Dispute won' }),
      ),
    )
    expect(wins.sort()).toEqual(['done', 'done', 'too_much', 'too_much'])
    expect(await standing()).toMatchObject({ 'clearing.scripted': 2000n })
    await expect(refund(20.01)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    await refund(20)
    expect(await standing()).toMatchObject({ 'clearing.scripted': 0n })
    await inBalance()
  })

  test('is dismissed with an event', async () => {
    world.provider.lookup = async () => refused()
    await callback()
    expect(await resolve('unchanged', '--reason', 'A mistake of theirs')).toMatchObject({ code: 0 })
    expect(await events()).toEqual(['payment.completed', 'payment.reversed', 'payment.reversal_dismissed'])
  })

  test('of an earlier version, whose payment has no amount, is added to its payment in the background', async () => {
    world.provider.lookup = async () => ({ ...paid(usd(25)), outcome: 'reversed' })
    await callback()
    await resolve('unchanged', '--reason', 'x')
    const own = [uuidOf(scene.payment.id)]
    await query(
      `insert into payment_anomalies (account_id, id, payment_id, attempt_id, kind, currency, provider_status, opened_at, resolved_at, resolution, booked_minor)
       select account_id, gen_random_uuid(), payment_id, attempt_id, 'reversed', currency, provider_status, opened_at, resolved_at, 'booked', 2000
       from payment_anomalies where payment_id = $1`,
      own,
    )
    await world.ctx.db.tx((tx) =>
      adjust(world.ctx, tx, scene.shop, {
        actor: operator,
        debit: 'merchant.payable',
        credit: 'clearing.scripted',
        amount: usd(20),
        paymentId: scene.payment.id,
        reason: 'Dispute lost',
      }),
    )
    await addLegacyReversals(world.ctx)
    await addLegacyReversals(world.ctx)
    expect(await now()).toMatchObject({ reversed: usd(20) })
    expect(await resolve('returned', '--amount', '20', '--reason', 'Dispute won')).toMatchObject({ code: 0 })
    expect(await now()).toMatchObject({ reversed: money(0n, 'USD') })
    await inBalance()
  })
})

describe('a charge whose reversal only a statement shows', () => {
  const report = (amount: string, payment: string = scene.payment.id) =>
    admin('payments', 'reversed', scene.shop.accountId, payment, '--amount', amount, '--reason', 'Statement')
  const book = (amount: string) =>
    admin('payments', 'resolve', scene.payment.id, 'reversed', '--amount', amount, '--reason', 'Statement')
  const reversals = async () =>
    (
      await query(
        "select data->'reversal'->'amount' as amount from events where type = 'payment.reversed' and subject_id = $1 order by sequence",
        [uuidOf(scene.payment.id)],
      )
    ).map(({ amount }) => amount)

  beforeEach(async () => {
    scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider, { amount: 25 })
    world.provider.refund = async ({ amount }) => paid(amount, 'R1')
  })

  test('is reported by an operator, reviewed, and booked once', async () => {
    await refund(5)
    expect(await report('20.01')).toMatchObject({ code: 1, output: expect.stringContaining('not more than') })
    expect(await report('0')).toMatchObject({ code: 1 })
    expect(await report('10.00')).toMatchObject({
      code: 0,
      output: expect.stringContaining('payments review'),
    })
    expect((await admin('payments', 'review')).output).toContain('reported by an operator: Statement')
    expect(await now()).toMatchObject({ status: 'completed' })
    await expect(refund(11)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    expect(await book('10.00')).toMatchObject({ code: 0 })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 1000n })
    expect(await report('10.00')).toMatchObject({
      code: 1,
      output: expect.stringContaining('reported already'),
    })
    expect(await report('15.00')).toMatchObject({ code: 0 })
    expect(await book('5.00')).toMatchObject({ code: 0 })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 500n })
    expect(await reversals()).toEqual([10, 5])
    await inBalance()
  })

  test('is reported once by 8 concurrent operators, and a larger total raises the open review', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => report('10.00')))
    expect(all.filter(({ code }) => code === 0)).toHaveLength(1)
    expect(await report('12.50')).toMatchObject({ code: 0 })
    expect(await reversals()).toEqual([10, 2.5])
  })

  test('is refused for a payment that is not completed, or that does not exist', async () => {
    const unpaid = await makePayment(world.ctx, scene.shop.owner)
    expect(await report('1.00', unpaid.id)).toMatchObject({
      code: 1,
      output: expect.stringContaining('not completed'),
    })
    expect(await report('1.00', 'pay_0')).toMatchObject({
      code: 1,
      output: expect.stringContaining('has no payment'),
    })
    expect(await reversals()).toEqual([])
  })
})
