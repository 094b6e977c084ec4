import { beforeEach, describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, operator, paymentScene, tokenOf } from '../../../../test/payment-scene.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { ProviderError, type Reply } from '../../providers/index.ts'
import { reviewCallback } from '../actions/handle-callback.ts'
import { resolveReview } from '../actions/resolve-anomaly.ts'
import { startAttempt } from '../actions/start-attempt.ts'
import {
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePayment,
  notFound,
  paid,
  pending,
  refused,
  tracesOf,
  unanswered,
} from '../factory.ts'
import { reportWatchLag } from '../jobs.ts'

const { world, scene, rows, attempt, later, failAfterLookUps, now, anomalies, callback } =
  await paymentScene()

beforeEach(async () => {
  scene.payment = await makePayment(world.ctx, scene.shop.owner, { expires_in: 1800 })
})

/** The reported delay of the look-ups; null when none is reported. */
async function reportedLag(): Promise<number | null> {
  let lag: number | null = null
  const error = (fields: { lagMs: number }) => {
    lag = fields.lagMs
  }
  await reportWatchLag({ ...world.ctx, log: { ...world.ctx.log, error } as never })
  return lag
}

describe('a charge that failed after look-ups', () => {
  beforeEach(failAfterLookUps)

  test('keeps its callback open while the look-up of a late success fails', async () => {
    for (const answer of [unanswered(), new TypeError('x is not a function')]) {
      world.provider.lookup = async () => Promise.reject(answer)
      expect(await callback()).toBe('again')
    }
    world.provider.lookup = async () => paid(scene.payment.amount)
    expect(await callback()).toBe('done')
    expect((await attempt()).status).toBe('completed')
    expect(await now()).toMatchObject({ status: 'completed' })
  })

  test('stores a report of pending, and is looked up until it is paid', async () => {
    world.provider.lookup = async () => ({ ...pending(), providerStatus: 'PENDING', state: { step: 1 } })
    expect(await callback()).toBe('done')
    expect(await attempt()).toMatchObject({ status: 'failed', providerState: { step: 1 }, notFoundChecks: 0 })
    world.provider.lookup = async () => paid(scene.payment.amount)
    await later(10 * MINUTE)
    expect((await attempt()).status).toBe('completed')
  })

  test('is looked up four times in 72 hours, and a late success without any callback completes the payment', async () => {
    const given = world.provider.lookups.length
    for (let hour = 0; hour < 80; hour += 2) await later(2 * HOUR)
    expect(world.provider.lookups.length - given).toBe(4)
    expect((await attempt()).status).toBe('failed')
    expect(await anomalies()).toEqual([])
    world.provider.lookup = async () => paid(scene.payment.amount)
    await later(DAY)
    expect((await attempt()).status).toBe('failed')
  })

  test.each([2, 20, 60])(
    'is completed by a scheduled look-up when it is paid after %d hours',
    async (hours) => {
      for (let hour = 0; hour < hours; hour += 2) await later(2 * HOUR)
      world.provider.lookup = async () => paid(scene.payment.amount)
      for (let hour = hours; hour < 80; hour += 4) await later(4 * HOUR)
      expect(await now()).toMatchObject({ status: 'completed' })
      expect(await tracesOf(world.ctx, scene.payment)).toMatchObject({ transfers: ['capture', 'fee'] })
      expect((await rows('payment_attempts'))[0].next_watch_at).toBeNull()
    },
  )

  test.each([
    ['it is pending', async () => pending(), 'still_pending'],
    ['nothing', async () => Promise.reject(unanswered()), 'unanswered'],
  ])(
    'is listed for an operator when its provider reports until the end that %s',
    async (_what, lookup, kind) => {
      world.provider.lookup = lookup
      for (let hour = 0; hour < 110; hour += 2) await later(2 * HOUR)
      expect(await anomalies()).toEqual([kind])
      const looks = world.provider.lookups.length
      await later(DAY)
      expect(world.provider.lookups).toHaveLength(looks)
    },
  )

  test('is looked up again when its provider reports it after the schedule ended', async () => {
    for (let hour = 0; hour < 80; hour += 2) await later(2 * HOUR)
    expect(await callback()).toBe('done')
    world.provider.lookup = async () => paid(scene.payment.amount)
    await later(2 * HOUR)
    expect((await attempt()).status).toBe('completed')
  })

  test('is listed for an operator once when look-ups fail for 72 hours after a callback', async () => {
    const token = tokenOf(world.provider.charges[0]?.callbackUrl)
    await reviewCallback(world.ctx, token)
    await reviewCallback(world.ctx, token)
    expect(await anomalies()).toEqual(['unanswered'])
  })

  test('takes no permit from open charges', async () => {
    const many = await Promise.all(Array.from({ length: 14 }, () => makePayment(world.ctx, scene.shop.owner)))
    world.provider.charge = async () => refused()
    for (const each of many) await makeAttempt(world.ctx, each)
    const open = await makePayment(world.ctx, scene.shop.owner)
    world.provider.charge = async () => pending()
    await makeAttempt(world.ctx, open)
    const lookupsBefore = world.provider.lookups.length
    await later(69 * MINUTE)
    // The open attempt, and ten of the failed ones.
    expect(world.provider.lookups.length - lookupsBefore).toBe(11)
    expect((await latestAttempt(world.ctx, open)).checks).toBe(1)
    expect(await reportedLag()).toBeNull()
  })

  test('is looked up with more permits while the look-ups are late, and the lag is reported', async () => {
    const many = await Promise.all(Array.from({ length: 54 }, () => makePayment(world.ctx, scene.shop.owner)))
    world.provider.charge = async () => refused()
    await Promise.all(many.map((each, nth) => makeAttempt(world.ctx, each, `0772${100_000 + nth}`)))
    world.provider.lookup = async () => notFound
    const looks = async () => {
      const before = world.provider.lookups.length
      await lookUpDue(world.ctx)
      return world.provider.lookups.length - before
    }
    world.ctx.clock.advance(3 * HOUR)
    expect(await reportedLag()).toBeGreaterThan(HOUR)
    // The attempt that was not found and the refused ones: at most fifty in a round.
    expect(await looks()).toBe(50)
    expect(await looks()).toBe(5)
    expect(await looks()).toBe(0)
    expect(await reportedLag()).toBeNull()
  })
})

describe('the state that a provider has returned', () => {
  const word = (step: number) => ({ ...pending(), state: { step } })
  const stateOf = async () => (await attempt()).providerState

  /** The prompt is being sent, and its provider has not answered yet. */
  async function begin() {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    world.provider.charge = () => promise
    const input = { method: 'ecocash', phone: '0771234567' } as const
    const { answered } = await startAttempt(world.ctx, scene.shop.accountId, scene.payment.id, input)
    await expect.poll(() => world.provider.charges.length).toBe(1)
    return async (reply: Reply) => {
      resolve(reply)
      await answered
    }
  }

  test.each([
    ['is open', () => word(2), 'pending'],
    ['has failed', () => ({ ...refused(), state: { step: 2 } }), 'failed'],
    ['is paid', () => ({ ...paid(scene.payment.amount), state: { step: 2 } }), 'completed'],
  ])(
    'in a look-up of a charge that %s is not replaced by the reply to the charge',
    async (_how, reported, status) => {
      const reply = await begin()
      world.provider.lookup = async () => reported()
      await callback()
      await reply(word(1))
      expect(await attempt()).toMatchObject({ status, providerState: { step: 2 } })
    },
  )

  test('is that of the reply to the charge while nothing else is known', async () => {
    const reply = await begin()
    await reply(word(1))
    expect(await stateOf()).toEqual({ step: 1 })
    world.provider.lookup = async () => word(2)
    await callback()
    expect(await stateOf()).toEqual({ step: 2 })
  })

  test('is kept when an operator completes the charge, and the database refuses another', async () => {
    await failAfterLookUps()
    world.provider.lookup = async () => word(3)
    await callback()
    await reviewCallback(world.ctx, tokenOf(world.provider.charges[0]?.callbackUrl))
    const verdict = { kind: 'completed', reference: 'MP9' } as const
    expect(await resolveReview(world.ctx, operator, scene.payment.id, null, verdict)).toBe('done')
    expect(await attempt()).toMatchObject({ status: 'completed', providerState: { step: 3 } })
    const change = world.ctx.db.pool.query(
      "update payment_attempts set provider_state = '{}' where payment_id = $1",
      [uuidOf(scene.payment.id)],
    )
    await expect(change).rejects.toMatchObject({ code: '23001' })
  })
})

describe('a call that never reached its provider', () => {
  const neverSent = () => new ProviderError('unavailable', 'not reached', { neverSent: true })

  test('is a failed charge without look-ups, and a late callback completes it all the same', async () => {
    world.provider.charge = async () => Promise.reject(neverSent())
    await makeAttempt(world.ctx, scene.payment)
    expect(await rows('payment_attempts')).toMatchObject([{ status: 'failed', next_watch_at: null }])
    for (let hour = 0; hour < 80; hour += 2) await later(2 * HOUR)
    expect(world.provider.lookups).toHaveLength(0)
    world.provider.lookup = async () => paid(scene.payment.amount)
    expect(await callback()).toBe('done')
    expect((await attempt()).status).toBe('completed')
  })

  test('is another case than a call that its provider refused to process', async () => {
    world.provider.charge = async () => Promise.reject(new ProviderError('unavailable', '429'))
    await makeAttempt(world.ctx, scene.payment)
    expect((await rows('payment_attempts'))[0].next_watch_at).not.toBeNull()
  })
})

test('a charge that was refused and is paid after another one paid its payment is refunded to its payer', async () => {
  world.provider.charge = async () => refused()
  await makeAttempt(world.ctx, scene.payment)
  world.provider.charge = async () => paid(scene.payment.amount)
  await makeAttempt(world.ctx, scene.payment)
  world.provider.lookup = async () => paid(scene.payment.amount, 'MP2')
  await later(2 * HOUR)
  expect((await tracesOf(world.ctx, scene.payment)).transfers).toEqual([
    'capture',
    'fee',
    'duplicate_capture',
    'refund_paid',
  ])
})

describe('the database refuses', () => {
  test.each([
    [
      'a failed charge without a watch',
      'update payment_attempts set watch_until = null, next_watch_at = null',
      '23514',
    ],
    [
      'a watch of a charge that has not failed',
      "update payment_attempts set status = 'held', failure_reason = null",
      '23514',
    ],
  ])('%s', async (_what, statement, code) => {
    await failAfterLookUps()
    const change = world.ctx.db.pool.query(`${statement} where payment_id = $1`, [uuidOf(scene.payment.id)])
    await expect(change).rejects.toMatchObject({ code })
  })
})
