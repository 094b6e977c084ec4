import { money } from '@muripo/contract/money'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR, operator, paymentScene, tokenOf } from '../../../../test/payment-scene.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { reviewCallback } from '../actions/handle-callback.ts'
import { resolveReview } from '../actions/resolve-anomaly.ts'
import { makePaid, notFound, paid, pending, refused, tracesOf, unanswered } from '../factory.ts'

const { world, scene, rows, now, anomalies, callback, refundCallback, refund, later } = await paymentScene()

describe('a paid charge', () => {
  beforeEach(async () => {
    scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider)
  })

  test.each(['reversed', 'refunded'] as const)(
    'reported as %s opens one review and emits one payment.reversed, and nothing is booked',
    async (outcome) => {
      world.provider.lookup = async () => ({ ...paid(scene.payment.amount), outcome })
      expect(await callback()).toBe('done')
      expect(await callback()).toBe('done')
      expect(await rows('payment_anomalies')).toMatchObject([
        { kind: 'reversed', amount_minor: 1250n, provider_status: 'scripted', resolved_at: null },
      ])
      expect(await now()).toMatchObject({ status: 'completed' })
      expect(await tracesOf(world.ctx, scene.payment)).toEqual({
        transfers: ['capture', 'fee'],
        events: ['1 payment.completed', '2 payment.reversed'],
      })
      const { rows: events } = await world.ctx.db.pool.query(
        "select data->'reversal' as reversal, data->>'status' as status from events where type = 'payment.reversed' and subject_id = $1",
        [uuidOf(scene.payment.id)],
      )
      expect(events).toEqual([{ reversal: { amount: 12.5 }, status: 'completed' }])
    },
  )

  test('reversed without an amount has no amount in its review', async () => {
    world.provider.lookup = async () => ({ ...paid(null), outcome: 'reversed' })
    await callback()
    expect(await rows('payment_anomalies')).toMatchObject([{ kind: 'reversed', amount_minor: null }])
  })

  test('raises its open review by the difference when its provider reverses a larger amount', async () => {
    const takenBack = async (minor: bigint | null) => {
      world.provider.lookup = async () => ({
        ...paid(minor === null ? null : money(minor, 'USD')),
        outcome: 'reversed',
      })
      await callback()
    }
    for (const minor of [500n, 500n, 800n, 600n, null, 1250n]) await takenBack(minor)
    expect(await rows('payment_anomalies')).toMatchObject([
      { kind: 'reversed', amount_minor: 1250n, resolved_at: null },
    ])
    const { rows: events } = await world.ctx.db.pool.query(
      "select data->'reversal'->'amount' as amount from events where type = 'payment.reversed' and subject_id = $1 order by sequence",
      [uuidOf(scene.payment.id)],
    )
    expect(events.map(({ amount }) => amount)).toEqual([5, 3, 4.5])
    await expect(refund(1)).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
  })

  test('raises its review once when 8 concurrent callbacks report a larger reversal', async () => {
    for (const minor of [500n, 800n]) {
      world.provider.lookup = async () => ({ ...paid(money(minor, 'USD')), outcome: 'reversed' })
      await Promise.all(Array.from({ length: 8 }, callback))
    }
    expect(await rows('payment_anomalies')).toMatchObject([{ kind: 'reversed', amount_minor: 800n }])
    expect((await tracesOf(world.ctx, scene.payment)).events).toEqual([
      '1 payment.completed',
      '2 payment.reversed',
      '3 payment.reversed',
    ])
  })

  test('that the gateway refunded is not reversed when its provider reports the refund', async () => {
    await refund(5)
    world.provider.lookup = async () => ({ ...paid(money(500n, 'USD')), outcome: 'refunded' })
    await callback()
    expect(await anomalies()).toEqual([])
    // The provider reversed the rest.
    world.provider.lookup = async () => ({ ...paid(scene.payment.amount), outcome: 'reversed' })
    await callback()
    expect(await rows('payment_anomalies')).toMatchObject([{ kind: 'reversed', amount_minor: 750n }])
  })

  test('reversed during a refund is reviewed after the refund has failed', async () => {
    world.provider.refund = async () => Promise.reject(unanswered())
    world.provider.lookupRefund = async () => Promise.reject(unanswered())
    await refund(12.5)
    world.provider.lookup = async () => ({ ...paid(scene.payment.amount), outcome: 'reversed' })
    expect(await callback()).toBe('again')
    expect(await anomalies()).toEqual([])
    world.provider.lookupRefund = async () => refused()
    for (const hours of [1, 2, 6, 24, 75]) await later(hours * HOUR)
    expect(await callback()).toBe('done')
    expect(await rows('payment_anomalies')).toMatchObject([{ kind: 'reversed', amount_minor: 1250n }])
  })

  test('reported as refunded by more than its completed refunds is reviewed at once, while a failed refund is watched', async () => {
    await refund(5)
    world.provider.refund = async () => refused()
    await expect(refund(3)).rejects.toMatchObject({ code: 'refund_declined' })
    const reported = async (minor: bigint) => {
      world.provider.lookup = async () => ({ ...paid(money(minor, 'USD')), outcome: 'refunded' })
      return callback()
    }
    expect(await reported(500n)).toBe('done')
    expect(await anomalies()).toEqual([])
    expect(await reported(800n)).toBe('done')
    expect(await rows('payment_anomalies')).toMatchObject([{ kind: 'reversed', amount_minor: 300n }])
  })

  test('reported as failed stays paid, and is listed for an operator once', async () => {
    world.provider.lookup = async () => refused()
    await Promise.all([callback(), callback(), callback()])
    expect(await anomalies()).toEqual(['contradicted'])
    expect(await now()).toMatchObject({ status: 'completed' })
    expect((await tracesOf(world.ctx, scene.payment)).events).toEqual([
      '1 payment.completed',
      '2 payment.reversed',
    ])
  })

  test('booked as reversed by an operator is not booked again, nor beyond its refunds', async () => {
    await refund(5)
    const book = (minor: bigint) =>
      resolveReview(world.ctx, operator, scene.payment.id, null, {
        kind: 'reversed',
        amount: money(minor, 'USD'),
        reason: 'Statement of 22 November',
      })
    world.provider.lookup = async () => refused()
    await callback()
    expect(await book(751n)).toBe('too_much')
    expect(await book(750n)).toBe('done')
    world.provider.lookup = async () => ({ ...paid(scene.payment.amount), outcome: 'reversed' })
    await callback()
    expect(await anomalies()).toEqual(['contradicted'])
    world.provider.lookup = async () => refused('declined')
    await callback()
    expect(await book(1n)).toBe('too_much')
  })

  test.each([
    ['does not know', notFound],
    ['calls pending', pending()],
  ])('keeps its callback open when its provider reports it and %s it', async (_what, reported) => {
    world.provider.lookup = async () => reported
    expect(await callback()).toBe('again')
    await refund(5)
    world.provider.lookupRefund = async () => reported
    expect(await refundCallback()).toBe('again')
    expect(await anomalies()).toEqual([])
  })

  test('keeps its callback open when its provider cannot be reached', async () => {
    world.provider.lookup = async () => Promise.reject(unanswered())
    expect(await callback()).toBe('again')
    await reviewCallback(world.ctx, tokenOf(world.provider.charges[0]?.callbackUrl))
    expect(await anomalies()).toEqual(['unanswered'])
  })
})

describe('the database refuses', () => {
  test.each([
    ['to lower what was taken back', 'amount_minor = 400'],
    ['to take back what was named', 'amount_minor = null'],
    ['to change what was said', "amount_minor = 600, provider_status = 'other'"],
    ['to raise what is resolved', "amount_minor = 600, resolved_at = now(), resolution = 'nothing_moved'"],
  ])('%s', async (_what, change) => {
    scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider)
    world.provider.lookup = async () => ({ ...paid(money(500n, 'USD')), outcome: 'reversed' })
    await callback()
    const update = world.ctx.db.pool.query(`update payment_anomalies set ${change} where payment_id = $1`, [
      uuidOf(scene.payment.id),
    ])
    await expect(update).rejects.toMatchObject({ code: '23001' })
  })

  test.each([
    "update payment_anomalies set kind = 'contradicted'",
    'update payment_anomalies set amount_minor = 1',
    'delete from payment_anomalies',
    'truncate payment_anomalies',
  ])('%s', async (statement) => {
    scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider)
    world.provider.lookup = async () => ({ ...paid(scene.payment.amount), outcome: 'reversed' })
    await callback()
    await expect(world.ctx.db.pool.query(statement)).rejects.toMatchObject({ code: '23001' })
  })
})
