import { RefundId } from '@muripo/contract/ids'
import { fromMajor } from '@muripo/contract/money'
import { beforeEach, describe, expect, test } from 'vitest'
import { operator, paymentScene } from '../../../../test/payment-scene.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { trialBalance } from '../../ledger/index.ts'
import { closeLateRefund } from '../actions/close-late-refund.ts'
import { handleCallback } from '../actions/handle-callback.ts'
import { resolveAttempt } from '../actions/resolve-attempt.ts'
import { resolveRefund } from '../actions/resolve-refund.ts'
import {
  freshReference,
  latestAttempt,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  refused,
  standingOf,
  tracesOf,
  unanswered,
} from '../factory.ts'

const { world, scene, query, now, callback, refund } = await paymentScene()

const usd = (major: number) => fromMajor(major, 'USD')
const moved = (major: number) => ({ amount: usd(major), reason: 'Statement of 22 November' })
const standing = () => standingOf(world.ctx, scene.shop.accountId)
const refundId = async () => {
  const [row] = await query('select id from refunds where payment_id = $1', [uuidOf(scene.payment.id)])
  return idFrom(RefundId, row.id)
}

/** The ledger is in balance and agrees with the payments. */
async function inBalance(): Promise<void> {
  expect(
    (await trialBalance([world.ctx], { merchantId: scene.shop.merchantId, tests: false })).discrepancies,
  ).toEqual([])
  expect(await query('select * from payment_ledger_drift')).toEqual([])
}

describe('a charge of which the provider moved 10.00 instead of 25.00', () => {
  beforeEach(async () => {
    scene.payment = await makePayment(world.ctx, scene.shop.owner, { amount: 25 })
    world.provider.charge = async () => paid(usd(10))
    world.provider.lookup = async () => paid(usd(10))
    await makeAttempt(world.ctx, scene.payment)
    expect((await latestAttempt(world.ctx, scene.payment)).status).toBe('held')
  })

  test('is resolved as failed: nothing is captured, and its amount is on clearing and on suspense', async () => {
    const decided = await resolveAttempt(world.ctx, operator, scene.payment.id, null, {
      outcome: 'failed',
      moved: moved(10),
    })
    expect(decided).toMatchObject({ kind: 'done', status: 'pending' })
    expect(await standing()).toEqual({ 'clearing.scripted': 1000n, suspense: -1000n })
    expect(
      await query('select reason, actor, amount_minor from ledger_adjustments where payment_id = $1', [
        uuidOf(scene.payment.id),
      ]),
    ).toEqual([{ reason: 'Statement of 22 November', actor: 'operator tendai', amount_minor: 1000n }])
    const [entry] = await query(
      "select details from audit_log where action = 'payment.attempt_resolved' and subject = $1",
      [scene.payment.id],
    )
    expect(entry.details).toMatchObject({
      outcome: 'failed',
      amount: '10.00',
      reason: 'Statement of 22 November',
    })
    await inBalance()
  })

  test('is resolved as completed: the merchant is owed the whole amount, and the shortfall is on suspense', async () => {
    const verdict = { outcome: 'completed', reference: freshReference(), moved: moved(10) } as const
    expect(await resolveAttempt(world.ctx, operator, scene.payment.id, null, verdict)).toMatchObject({
      status: 'completed',
    })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 1000n, suspense: 1500n })
    await inBalance()
  })

  test('reported again after the decision is neither held nor booked again', async () => {
    await resolveAttempt(world.ctx, operator, scene.payment.id, null, { outcome: 'failed', moved: moved(10) })
    expect(await callback()).toBe('done')
    expect((await latestAttempt(world.ctx, scene.payment)).status).toBe('failed')
    expect(await standing()).toEqual({ 'clearing.scripted': 1000n, suspense: -1000n })
  })

  test('confirmed with the whole amount after the decision is captured once, and the correction is reversed', async () => {
    await resolveAttempt(world.ctx, operator, scene.payment.id, null, { outcome: 'failed', moved: moved(10) })
    world.provider.lookup = async () => paid(usd(25))
    await callback()
    expect((await tracesOf(world.ctx, scene.payment)).transfers).toEqual([
      'adjustment',
      'adjustment',
      'capture',
      'fee',
    ])
    expect(await standing()).toMatchObject({ 'clearing.scripted': 2500n, suspense: 0n })
    await inBalance()
  })

  test('cannot be decided as a second payment by another amount', async () => {
    const first = await latestAttempt(world.ctx, scene.payment)
    await query(
      "update payment_attempts set status = 'failed', failure_reason = 'declined', watch_until = now() where id = $1",
      [uuidOf(first.id)],
    )
    world.provider.charge = async () => paid(usd(25))
    await makeAttempt(world.ctx, scene.payment)
    await query(
      "update payment_attempts set status = 'held', failure_reason = null, next_watch_at = null where id = $1",
      [uuidOf(first.id)],
    )
    const verdict = { outcome: 'completed', reference: freshReference(), moved: moved(10) } as const
    expect(await resolveAttempt(world.ctx, operator, scene.payment.id, null, verdict)).toEqual({
      kind: 'paid_already',
    })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 2500n })
    await resolveAttempt(world.ctx, operator, scene.payment.id, null, { outcome: 'failed', moved: moved(10) })
    expect(await standing()).toMatchObject({ 'clearing.scripted': 3500n, suspense: -1000n })
    await inBalance()
  })
})

describe('a refund that was paid with another amount', () => {
  beforeEach(async () => {
    scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider, { amount: 25 })
  })

  test.each([
    [7, 1800n, -300n],
    [12, 1300n, 200n],
  ])(
    '(%d of 10) completes: clearing equals the balance at the provider, and the difference is on suspense',
    async (amount, holds, suspense) => {
      world.provider.refundsBy = 'manual'
      await refund(10)
      await resolveRefund(world.ctx, operator, await refundId(), {
        kind: 'paid',
        reference: freshReference(),
        moved: moved(amount),
      })
      expect(await standing()).toMatchObject({ 'clearing.scripted': holds, suspense, 'refunds.payable': 0n })
      expect(await now()).toMatchObject({ refunded: usd(10) })
      await inBalance()
    },
  )

  test('after its failure is booked on suspense, and a late reply books nothing again', async () => {
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

  test('after another refund of the same amount is booked on suspense when it is resolved', async () => {
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
