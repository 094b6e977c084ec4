import { RefundId } from '@muripo/contract/ids'
import { fromMajor, money } from '@muripo/contract/money'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { terminalOf } from '../../../../test/terminal.ts'
import { freshShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { adjust, trialBalance } from '../../ledger/index.ts'
import {
  clearDueCalls,
  latestAttempt,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  refused,
  standingOf,
  tracesOf,
  unanswered,
} from '../factory.ts'
import type { Payment } from '../payment.ts'
import { handleCallback, reviewCallback } from '../provider-calls/actions/handle-callback.ts'
import { refundPayment } from '../refunds/actions/refund-by-dashboard.ts'
import { closeLateRefund } from './actions/close-late-refund.ts'
import { resolveReview } from './actions/resolve-anomaly.ts'
import { resolveAttempt } from './actions/resolve-attempt.ts'
import { resolveRefund } from './actions/resolve-refund.ts'

let world: World
let shop: Shop
let payment: Payment

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  await clearDueCalls(world.ctx)
  shop = await freshShop(world)
})

const operator = operatorActor('tendai', 'till@counter')
const usd = (major: number) => fromMajor(major, 'USD')
const moved = (major: number) => ({ amount: usd(major), reason: 'Statement of 22 November' })
const standing = () => standingOf(world.ctx, shop.accountId)
const now = () => paymentNow(world.ctx, shop.owner, payment.id)
const query = async (text: string, values: unknown[] = []) =>
  (await world.ctx.db.pool.query(text, values)).rows
const callback = () =>
  handleCallback(world.ctx, 'scripted', world.provider.charges.at(-1)?.callbackUrl.split('/').at(-1) ?? '')
const refund = (amount: number) =>
  refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
    amount,
    currency: 'USD',
  })
const refundId = async () => {
  const [row] = await query('select id from refunds where payment_id = $1', [uuidOf(payment.id)])
  return idFrom(RefundId, row.id)
}

/** The ledger is in balance and agrees with the payments. */
async function inBalance(): Promise<void> {
  expect((await trialBalance(world.ctx, { merchantId: shop.merchantId, tests: false })).faults).toEqual([])
  expect(await query('select * from payment_ledger_drift')).toEqual([])
}

describe('a charge of which the provider moved 10.00 instead of 25.00', () => {
  beforeEach(async () => {
    payment = await makePayment(world.ctx, shop.owner, { amount: 25 })
    world.provider.charge = async () => paid(usd(10))
    world.provider.lookup = async () => paid(usd(10))
    await makeAttempt(world.ctx, payment)
    expect((await latestAttempt(world.ctx, payment)).status).toBe('held')
  })

  test('is decided as failed: nothing is captured, and its amount is on clearing and on suspense', async () => {
    const decided = await resolveAttempt(world.ctx, operator, payment.id, null, {
      outcome: 'failed',
      moved: moved(10),
    })
    expect(decided).toMatchObject({ kind: 'done', status: 'pending' })
    expect(await standing()).toEqual({ 'clearing.scripted': 1000n, suspense: -1000n })
    expect(
      await query('select reason, actor, amount_minor from ledger_adjustments where payment_id = $1', [
        uuidOf(payment.id),
      ]),
    ).toEqual([{ reason: 'Statement of 22 November', actor: 'operator tendai', amount_minor: 1000n }])
    const [entry] = await query(
      "select details from audit_log where action = 'payment.attempt_resolved' and subject = $1",
      [payment.id],
    )
    expect(entry.details).toMatchObject({
      outcome: 'failed',
      amount: '10.00',
      reason: 'Statement of 22 November',
    })
    await inBalance()
  })

  test('is decided as completed: the merchant has the whole, and the shortfall is on suspense', async () => {
    const verdict = { outcome: 'completed', reference: 'MP9', moved: moved(10) } as const
    expect(await resolveAttempt(world.ctx, operator, payment.id, null, verdict)).toMatchObject({
      status: 'completed',
    })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 1000n, suspense: 1500n })
    await inBalance()
  })

  test('and that is reported again after the decision is not held again and not booked again', async () => {
    await resolveAttempt(world.ctx, operator, payment.id, null, { outcome: 'failed', moved: moved(10) })
    expect(await callback()).toBe('done')
    expect((await latestAttempt(world.ctx, payment)).status).toBe('failed')
    expect(await standing()).toEqual({ 'clearing.scripted': 1000n, suspense: -1000n })
  })

  test('and that is confirmed completely after the decision is captured once: another booking reverses the correction', async () => {
    await resolveAttempt(world.ctx, operator, payment.id, null, { outcome: 'failed', moved: moved(10) })
    world.provider.lookup = async () => paid(usd(25))
    await callback()
    expect((await tracesOf(world.ctx, payment)).transfers).toEqual([
      'adjustment',
      'adjustment',
      'capture',
      'fee',
    ])
    expect(await standing()).toMatchObject({ 'clearing.scripted': 2500n, suspense: 0n })
    await inBalance()
  })

  test('cannot be decided as a second payment by another amount', async () => {
    const first = await latestAttempt(world.ctx, payment)
    await query(
      "update payment_attempts set status = 'failed', failure_reason = 'declined', watch_until = now() where id = $1",
      [uuidOf(first.id)],
    )
    world.provider.charge = async () => paid(usd(25))
    await makeAttempt(world.ctx, payment)
    await query(
      "update payment_attempts set status = 'held', failure_reason = null, next_watch_at = null where id = $1",
      [uuidOf(first.id)],
    )
    const verdict = { outcome: 'completed', reference: 'MP9', moved: moved(10) } as const
    expect(await resolveAttempt(world.ctx, operator, payment.id, null, verdict)).toEqual({
      kind: 'paid_already',
    })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 2500n })
    await resolveAttempt(world.ctx, operator, payment.id, null, { outcome: 'failed', moved: moved(10) })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 3500n, suspense: -1000n })
    await inBalance()
  })
})

describe('a refund of which another amount was paid', () => {
  beforeEach(async () => {
    payment = await makePaid(world.ctx, shop.owner, world.provider, { amount: 25 })
  })

  test.each([
    [7, 1800n, -300n],
    [12, 1300n, 200n],
  ])(
    '(%d of 10) is done, clearing is what the provider holds, and the difference is on suspense',
    async (amount, holds, suspense) => {
      world.provider.refundsBy = 'manual'
      await refund(10)
      await resolveRefund(world.ctx, operator, await refundId(), {
        kind: 'paid',
        reference: 'R1',
        moved: moved(amount),
      })
      expect(await standing()).toMatchObject({ 'clearing.scripted': holds, suspense, 'refunds.payable': 0n })
      expect(await now()).toMatchObject({ refunded: usd(10) })
      await inBalance()
    },
  )

  test('although it has failed is on suspense, and a late reply books nothing again', async () => {
    world.provider.refundsBy = 'manual'
    await refund(10)
    await resolveRefund(world.ctx, operator, await refundId(), {
      kind: 'failed',
      reason: 'Not possible',
      moved: moved(4),
    })
    expect(await standing()).toMatchObject({
      'clearing.scripted': 2100n,
      suspense: 400n,
      'refunds.payable': 0n,
    })
    await inBalance()
  })

  test('and that had failed and was refunded otherwise is on suspense when it is resolved', async () => {
    world.provider.refund = async () => Promise.reject(unanswered())
    world.provider.lookupRefund = async () => refused()
    await refund(25)
    const token = world.provider.refunds.at(-1)?.callbackUrl.split('/').at(-1) ?? ''
    await handleCallback(world.ctx, 'scripted', token)
    const id = await refundId()
    world.provider.refund = async ({ amount }) => paid(amount, 'R2')
    world.ctx.clock.advance(11 * 60_000)
    await refund(25)
    world.provider.lookupRefund = async () => paid(usd(25), 'R1')
    await handleCallback(world.ctx, 'scripted', token)
    expect(await standing()).toMatchObject({ 'clearing.scripted': 0n })
    expect(await closeLateRefund(world.ctx, operator, id, 'The shop gave it back')).toBe('done')
    expect(await standing()).toMatchObject({ 'clearing.scripted': -2500n, suspense: 2500n })
    expect(await closeLateRefund(world.ctx, operator, id, 'Again')).toBe('over')
    await inBalance()
  })
})

describe('a charge that its provider reversed', () => {
  beforeEach(async () => {
    payment = await makePaid(world.ctx, shop.owner, world.provider, { amount: 25 })
    world.provider.lookup = async () => ({ ...paid(usd(25)), outcome: 'reversed' })
    await callback()
  })
  const resolve = (verdict: Parameters<typeof resolveReview>[4]) =>
    resolveReview(world.ctx, operator, payment.id, null, verdict)

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
        uuidOf(payment.id),
      ]),
    ).toEqual([])
    await inBalance()
  })

  test('and whose reversal was denied can be refunded again', async () => {
    expect(await resolve({ kind: 'reversed', amount: usd(26), reason: 'Too much' })).toBe('too_much')
    expect(await resolve({ kind: 'unchanged', reason: 'A test of theirs' })).toBe('done')
    world.provider.refund = async ({ amount }) => paid(amount, 'R1')
    await refund(25)
    await callback()
    expect(await standing()).toMatchObject({ 'clearing.scripted': 0n })
    await inBalance()
  })

  test('and that is booked on a review of another kind is not refunded by the reversed amount', async () => {
    expect(await resolve({ kind: 'unchanged', reason: 'A test of theirs' })).toBe('done')
    await reviewCallback(world.ctx, world.provider.charges.at(-1)?.callbackUrl?.split('/').at(-1) ?? '')
    expect(await resolve({ kind: 'reversed', amount: usd(20), reason: 'Chargeback' })).toBe('done')
    await expect(refund(6)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
    const late = query(
      `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
       select account_id, gen_random_uuid(), payment_id, $2, id, 501, 'USD', 'pending', now(), now() from payment_attempts where payment_id = $1`,
      [uuidOf(payment.id), uuidOf(payment.applicationId)],
    )
    await expect(late).rejects.toMatchObject({ code: '23001' })
    world.provider.refund = async ({ amount }) => paid(amount, 'R1')
    await refund(5)
    await inBalance()
  })

  test('the database refuses a refund of a reversed amount', async () => {
    const late = query(
      `insert into refunds (account_id, id, payment_id, application_id, attempt_id, amount_minor, currency, status, created_at, updated_at)
       select account_id, gen_random_uuid(), payment_id, $2, id, 1, 'USD', 'pending', now(), now() from payment_attempts where payment_id = $1`,
      [uuidOf(payment.id), uuidOf(payment.applicationId)],
    )
    await expect(late).rejects.toMatchObject({ code: '23001' })
  })
})

test('an operator completes a charge that was failed, could not be looked up for three days and was paid', async () => {
  payment = await makePayment(world.ctx, shop.owner, { amount: 25 })
  world.provider.charge = async () => refused()
  await makeAttempt(world.ctx, payment)
  const attempt = await latestAttempt(world.ctx, payment)
  await query(
    `insert into payment_anomalies (account_id, id, payment_id, attempt_id, kind, currency, provider_status, opened_at)
     select account_id, gen_random_uuid(), payment_id, id, 'unanswered', 'USD', 'x', now() from payment_attempts where id = $1`,
    [uuidOf(attempt.id)],
  )
  const verdict = { kind: 'completed', reference: 'MP7' } as const
  expect(await resolveReview(world.ctx, operator, payment.id, null, verdict)).toBe('done')
  expect(await now()).toMatchObject({ status: 'completed', providerReference: 'MP7' })
  await inBalance()
})

test('at the terminal an operator lists reversals, books one by the printed command, and moves the amount from suspense', async () => {
  const { admin } = terminalOf(world.ctx.databaseUrl)
  payment = await makePaid(world.ctx, shop.owner, world.provider, { amount: 25 })
  world.provider.lookup = async () => ({ ...paid(usd(25)), outcome: 'reversed' })
  await callback()
  const { output } = await admin('payments', 'review')
  expect(output).toContain('its provider took it back by itself')
  const review = output.split(payment.id)[1]?.match(/ano_\w+/)?.[0] ?? ''
  const line = ['payments', 'resolve', payment.id, 'reversed', '--review', review]
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
  const adjustment = ['ledger', 'adjust', '--merchant', shop.accountId, ...accounts]
  expect(await admin(...adjustment)).toMatchObject({ code: 2 })
  expect(await admin(...adjustment, '--reason', 'Our loss', '--payment', payment.id)).toMatchObject({
    code: 0,
  })
  expect(await standing()).toMatchObject({ 'clearing.scripted': 0n, suspense: 2500n })
  expect(
    await query("select 1 from audit_log where action = 'ledger.adjusted' and account_id = $1", [
      uuidOf(shop.accountId),
    ]),
  ).toHaveLength(1)
  expect((await admin('ledger', '--merchant', shop.accountId)).code).toBe(0)
})

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
      values ('${uuidOf(shop.accountId)}', gen_random_uuid(), ${values.debit}, ${values.credit}, 'USD', ${values.amount}, ${values.reason}, ${values.actor}, now())`
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

  test('that is changed or removed', async () => {
    await world.ctx.db.tx((tx) =>
      adjust(world.ctx, tx, shop.accountId, operator, {
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

  test('as a transfer without its row, or of an amount that is owed to payers', async () => {
    const transfer = `insert into ledger_transfers (account_id, kind, debit_code, credit_code, currency, amount_minor, cause_id, created_at)
      values ('${uuidOf(shop.accountId)}', 'adjustment', 'suspense', 'merchant.payable', 'USD', 5, gen_random_uuid(), now())`
    await expect(query(transfer)).rejects.toMatchObject({ code: '23001' })
    const owed = world.ctx.db.tx((tx) =>
      adjust(world.ctx, tx, shop.accountId, operator, {
        debit: 'refunds.payable' as 'suspense',
        credit: 'suspense',
        amount: money(5n, 'USD'),
        paymentId: null,
        reason: 'r',
      }),
    )
    await expect(owed).rejects.toMatchObject({ code: expect.stringMatching(/23001|23514/) })
  })
})
