import { money } from '@muripo/contract/money'
import { beforeEach, describe, expect, test } from 'vitest'
import { HOUR, MINUTE, operator, paymentScene, tokenOf } from '../../../../test/payment-scene.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { ProviderError } from '../../providers/index.ts'
import { reviewCallback } from '../actions/handle-callback.ts'
import { resolveReview } from '../actions/resolve-anomaly.ts'
import { makePaid, paid, pending, refused, unanswered } from '../factory.ts'

const { world, scene, rows, later, now, refundCallback, refund } = await paymentScene()

describe('a failed refund', () => {
  beforeEach(async () => {
    scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider)
    world.provider.refund = async () => Promise.reject(unanswered())
    world.provider.lookupRefund = async () => refused()
    await refund(5)
    await later(HOUR)
    expect((await rows('refunds'))[0]).toMatchObject({ status: 'failed' })
  })

  test('that is paid late without any callback is booked', async () => {
    await later(2 * HOUR)
    world.provider.lookupRefund = async () => paid(money(500n, 'USD'), 'RF1')
    for (let hour = 0; hour < 80; hour += 2) await later(2 * HOUR)
    expect((await rows('refunds'))[0]).toMatchObject({ status: 'completed', next_watch_at: null })
    expect(await now()).toMatchObject({ refunded: { minor: 500n } })
  })

  test('keeps its callback open while its look-up fails', async () => {
    world.provider.lookupRefund = async () => Promise.reject(unanswered())
    expect(await refundCallback()).toBe('again')
    world.provider.lookupRefund = async () => pending()
    expect(await refundCallback()).toBe('done')
    world.provider.lookupRefund = async () => paid(money(500n, 'USD'), 'RF1')
    await later(10 * MINUTE)
    expect((await rows('refunds'))[0]).toMatchObject({ status: 'completed' })
  })
})

test('a refund that never reached its provider is failed and not looked up', async () => {
  scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider)
  world.provider.refund = async () =>
    Promise.reject(new ProviderError('unavailable', 'not reached', { neverSent: true }))
  await expect(refund(5)).rejects.toMatchObject({ code: 'refund_declined' })
  expect(await rows('refunds')).toMatchObject([{ status: 'failed', watch_until: null, next_watch_at: null }])
})

test('the state that a provider has returned is kept when an operator completes a refund, and the database refuses another', async () => {
  scene.payment = await makePaid(world.ctx, scene.shop.owner, world.provider)
  world.provider.refund = async () => ({ ...refused(), state: { step: 1 } })
  await expect(refund(5)).rejects.toMatchObject({ code: 'refund_declined' })
  await reviewCallback(world.ctx, tokenOf(world.provider.refunds.at(-1)?.callbackUrl))
  const verdict = { kind: 'completed', reference: 'RF9' } as const
  expect(await resolveReview(world.ctx, operator, scene.payment.id, null, verdict)).toBe('done')
  expect(await rows('refunds')).toMatchObject([{ status: 'completed', provider_state: { step: 1 } }])
  const change = world.ctx.db.pool.query("update refunds set provider_state = '{}' where payment_id = $1", [
    uuidOf(scene.payment.id),
  ])
  await expect(change).rejects.toMatchObject({ code: '23001' })
})
