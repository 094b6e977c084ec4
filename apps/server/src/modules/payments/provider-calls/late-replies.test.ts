import { money } from '@muripo/contract/money'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { freshShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { ProviderError, type Reply } from '../../providers/index.ts'
import { startAttempt } from '../attempts/actions/start-attempt.ts'
import {
  clearDueCalls,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  notFound,
  paid,
  paymentNow,
  pending,
  refused,
  tracesOf,
  unanswered,
} from '../factory.ts'
import { reportWatchLag } from '../jobs.ts'
import type { Payment } from '../payment.ts'
import { refundPayment } from '../refunds/actions/refund-by-dashboard.ts'
import { resolveReview } from '../review/actions/resolve-anomaly.ts'
import { handleCallback, reviewCallback } from './actions/handle-callback.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

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
  payment = await makePayment(world.ctx, shop.owner, { expires_in: 1800 })
})

const now = () => paymentNow(world.ctx, shop.owner, payment.id)
const attempt = () => latestAttempt(world.ctx, payment)
const tokenOf = (url = '') => url.split('/').at(-1) ?? ''
const callback = () =>
  handleCallback(world.ctx, 'scripted', tokenOf(world.provider.charges.at(-1)?.callbackUrl))
const refundCallback = () =>
  handleCallback(world.ctx, 'scripted', tokenOf(world.provider.refunds.at(-1)?.callbackUrl))

async function later(ms: number): Promise<void> {
  world.ctx.clock.advance(ms)
  await lookUpDue(world.ctx)
}

async function rows(table: 'payment_attempts' | 'refunds' | 'payment_anomalies') {
  const { rows } = await world.ctx.db.pool.query(`select * from ${table} where payment_id = $1`, [
    uuidOf(payment.id),
  ])
  return rows
}
/** The reported delay of the watch; null when none is reported. */
async function reportedLag(): Promise<number | null> {
  let lag: number | null = null
  const error = (fields: { lagMs: number }) => {
    lag = fields.lagMs
  }
  await reportWatchLag({ ...world.ctx, log: { ...world.ctx.log, error } as never })
  return lag
}

const anomalies = async () => (await rows('payment_anomalies')).map(({ kind }) => kind)

/** The charge is not found until it fails. */
async function giveUp(): Promise<void> {
  world.provider.charge = async () => Promise.reject(unanswered())
  world.provider.lookup = async () => notFound
  await makeAttempt(world.ctx, payment)
  await later(HOUR)
  await later(2 * HOUR)
  expect((await attempt()).status).toBe('failed')
}

describe('a charge that was failed after look-ups', () => {
  beforeEach(giveUp)

  test('and is paid late while its look-up fails: the callback stays open until the look-up answers', async () => {
    for (const answer of [unanswered(), new TypeError('x is not a function')]) {
      world.provider.lookup = async () => Promise.reject(answer)
      expect(await callback()).toBe('again')
    }
    world.provider.lookup = async () => paid(payment.amount)
    expect(await callback()).toBe('done')
    expect((await attempt()).status).toBe('completed')
    expect(await now()).toMatchObject({ status: 'completed' })
  })

  test('and that its provider reports as pending: the report is stored, and look-ups continue until it is paid', async () => {
    world.provider.lookup = async () => ({ ...pending(), providerStatus: 'PENDING', state: { step: 1 } })
    expect(await callback()).toBe('done')
    expect(await attempt()).toMatchObject({ status: 'failed', providerState: { step: 1 }, notFoundChecks: 0 })
    world.provider.lookup = async () => paid(payment.amount)
    await later(10 * MINUTE)
    expect((await attempt()).status).toBe('completed')
  })

  test('is looked up four times in 72 hours, and a late success without any callback completes the payment', async () => {
    const given = world.provider.lookups.length
    for (let hour = 0; hour < 80; hour += 2) await later(2 * HOUR)
    expect(world.provider.lookups.length - given).toBe(4)
    expect((await attempt()).status).toBe('failed')
    expect(await anomalies()).toEqual([])
    world.provider.lookup = async () => paid(payment.amount)
    await later(DAY)
    expect((await attempt()).status).toBe('failed')
  })

  test.each([2, 20, 60])(
    'is completed by a scheduled look-up when it is paid after %d hours',
    async (hours) => {
      for (let hour = 0; hour < hours; hour += 2) await later(2 * HOUR)
      world.provider.lookup = async () => paid(payment.amount)
      for (let hour = hours; hour < 80; hour += 4) await later(4 * HOUR)
      expect(await now()).toMatchObject({ status: 'completed' })
      expect(await tracesOf(world.ctx, payment)).toMatchObject({ transfers: ['capture', 'fee'] })
      expect((await rows('payment_attempts'))[0].next_watch_at).toBeNull()
    },
  )

  test.each([
    ['it is pending', async () => pending(), 'still_pending'],
    ['nothing', async () => Promise.reject(unanswered()), 'unanswered'],
  ])(
    'and whose provider reports until the end that %s is listed for an operator',
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
    world.provider.lookup = async () => paid(payment.amount)
    await later(2 * HOUR)
    expect((await attempt()).status).toBe('completed')
  })

  test('and that could not be looked up for 72 hours after a callback is listed for an operator once', async () => {
    const token = tokenOf(world.provider.charges[0]?.callbackUrl)
    await reviewCallback(world.ctx, token)
    await reviewCallback(world.ctx, token)
    expect(await anomalies()).toEqual(['unanswered'])
  })

  test('takes no permit from open charges', async () => {
    const many = await Promise.all(Array.from({ length: 14 }, () => makePayment(world.ctx, shop.owner)))
    world.provider.charge = async () => refused()
    for (const each of many) await makeAttempt(world.ctx, each)
    const open = await makePayment(world.ctx, shop.owner)
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
    const many = await Promise.all(Array.from({ length: 54 }, () => makePayment(world.ctx, shop.owner)))
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
    const { answered } = await startAttempt(world.ctx, shop.accountId, payment.id, input)
    await expect.poll(() => world.provider.charges.length).toBe(1)
    return async (reply: Reply) => {
      resolve(reply)
      await answered
    }
  }

  test.each([
    ['is open', () => word(2), 'pending'],
    ['has failed', () => ({ ...refused(), state: { step: 2 } }), 'failed'],
    ['is paid', () => ({ ...paid(payment.amount), state: { step: 2 } }), 'completed'],
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

  test('is kept when a person completes the charge, and the database refuses another', async () => {
    await giveUp()
    world.provider.lookup = async () => word(3)
    await callback()
    await reviewCallback(world.ctx, tokenOf(world.provider.charges[0]?.callbackUrl))
    const operator = operatorActor('tendai', 'till@counter')
    const verdict = { kind: 'completed', reference: 'MP9' } as const
    expect(await resolveReview(world.ctx, operator, payment.id, null, verdict)).toBe('done')
    expect(await attempt()).toMatchObject({ status: 'completed', providerState: { step: 3 } })
    const change = world.ctx.db.pool.query(
      "update payment_attempts set provider_state = '{}' where payment_id = $1",
      [uuidOf(payment.id)],
    )
    await expect(change).rejects.toMatchObject({ code: '23001' })
  })

  test('is kept when a person completes a refund, and the database refuses another', async () => {
    payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.refund = async () => ({ ...refused(), state: { step: 1 } })
    const input = { amount: 5, currency: 'USD' } as const
    const refund = refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, input)
    await expect(refund).rejects.toMatchObject({ code: 'refund_declined' })
    await reviewCallback(world.ctx, tokenOf(world.provider.refunds.at(-1)?.callbackUrl))
    const operator = operatorActor('tendai', 'till@counter')
    const verdict = { kind: 'completed', reference: 'RF9' } as const
    expect(await resolveReview(world.ctx, operator, payment.id, null, verdict)).toBe('done')
    expect(await rows('refunds')).toMatchObject([{ status: 'completed', provider_state: { step: 1 } }])
    const change = world.ctx.db.pool.query("update refunds set provider_state = '{}' where payment_id = $1", [
      uuidOf(payment.id),
    ])
    await expect(change).rejects.toMatchObject({ code: '23001' })
  })
})

describe('a call that never reached its provider', () => {
  const neverSent = () => new ProviderError('unavailable', 'not reached', { neverSent: true })

  test('is a failed charge without look-ups, and a late callback completes it all the same', async () => {
    world.provider.charge = async () => Promise.reject(neverSent())
    await makeAttempt(world.ctx, payment)
    expect(await rows('payment_attempts')).toMatchObject([{ status: 'failed', next_watch_at: null }])
    for (let hour = 0; hour < 80; hour += 2) await later(2 * HOUR)
    expect(world.provider.lookups).toHaveLength(0)
    world.provider.lookup = async () => paid(payment.amount)
    expect(await callback()).toBe('done')
    expect((await attempt()).status).toBe('completed')
  })

  test('is not one that its provider refused to process', async () => {
    world.provider.charge = async () => Promise.reject(new ProviderError('unavailable', '429'))
    await makeAttempt(world.ctx, payment)
    expect((await rows('payment_attempts'))[0].next_watch_at).not.toBeNull()
  })

  test('is a failed refund without look-ups', async () => {
    payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.refund = async () => Promise.reject(neverSent())
    await expect(
      refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
        amount: 5,
        currency: 'USD',
      }),
    ).rejects.toMatchObject({ code: 'refund_declined' })
    expect(await rows('refunds')).toMatchObject([
      { status: 'failed', watch_until: null, next_watch_at: null },
    ])
  })
})

test('a charge that was refused and is paid after another one paid its payment is refunded to its payer', async () => {
  world.provider.charge = async () => refused()
  await makeAttempt(world.ctx, payment)
  world.provider.charge = async () => paid(payment.amount)
  await makeAttempt(world.ctx, payment)
  world.provider.lookup = async () => paid(payment.amount, 'MP2')
  await later(2 * HOUR)
  expect((await tracesOf(world.ctx, payment)).transfers).toEqual([
    'capture',
    'fee',
    'duplicate_capture',
    'refund_paid',
  ])
})

describe('a refund that failed', () => {
  beforeEach(async () => {
    payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.refund = async () => Promise.reject(unanswered())
    world.provider.lookupRefund = async () => refused()
    await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      amount: 5,
      currency: 'USD',
    })
    await later(HOUR)
    expect((await rows('refunds'))[0]).toMatchObject({ status: 'failed' })
  })

  test('and is paid late without any callback is booked', async () => {
    await later(2 * HOUR)
    world.provider.lookupRefund = async () => paid(money(500n, 'USD'), 'RF1')
    for (let hour = 0; hour < 80; hour += 2) await later(2 * HOUR)
    expect((await rows('refunds'))[0]).toMatchObject({ status: 'completed', next_watch_at: null })
    expect(await now()).toMatchObject({ refunded: { minor: 500n } })
  })

  test('and is reported by a callback while its look-up fails stays open', async () => {
    world.provider.lookupRefund = async () => Promise.reject(unanswered())
    expect(await refundCallback()).toBe('again')
    world.provider.lookupRefund = async () => pending()
    expect(await refundCallback()).toBe('done')
    world.provider.lookupRefund = async () => paid(money(500n, 'USD'), 'RF1')
    await later(10 * MINUTE)
    expect((await rows('refunds'))[0]).toMatchObject({ status: 'completed' })
  })
})

describe('a charge that is paid', () => {
  beforeEach(async () => {
    payment = await makePaid(world.ctx, shop.owner, world.provider)
  })

  test.each(['reversed', 'refunded'] as const)(
    'and that its provider reports as %s opens one review and one payment.reversed, and nothing is booked',
    async (outcome) => {
      world.provider.lookup = async () => ({ ...paid(payment.amount), outcome })
      expect(await callback()).toBe('done')
      expect(await callback()).toBe('done')
      expect(await rows('payment_anomalies')).toMatchObject([
        { kind: 'reversed', amount_minor: 1250n, provider_status: 'scripted', resolved_at: null },
      ])
      expect(await now()).toMatchObject({ status: 'completed' })
      expect(await tracesOf(world.ctx, payment)).toEqual({
        transfers: ['capture', 'fee'],
        events: ['1 payment.completed', '2 payment.reversed'],
      })
      const { rows: events } = await world.ctx.db.pool.query(
        "select data->'reversal' as reversal, data->>'status' as status from events where type = 'payment.reversed' and subject_id = $1",
        [uuidOf(payment.id)],
      )
      expect(events).toEqual([{ reversal: { amount: 12.5 }, status: 'completed' }])
    },
  )

  test('and that its provider reversed without an amount has no amount in its review', async () => {
    world.provider.lookup = async () => ({ ...paid(null), outcome: 'reversed' })
    await callback()
    expect(await rows('payment_anomalies')).toMatchObject([{ kind: 'reversed', amount_minor: null }])
  })

  test('and of which its provider reverses more during a review raises that review by the difference', async () => {
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
      [uuidOf(payment.id)],
    )
    expect(events.map(({ amount }) => amount)).toEqual([5, 3, 4.5])
    const refund = { amount: 1, currency: 'USD' } as const
    const { accountId } = shop
    await expect(
      refundPayment(world.ctx, byMerchant(accountId), accountId, payment.id, refund),
    ).rejects.toMatchObject({ code: 'refund_exceeds_remaining' })
  })

  test('and of which 8 concurrent callbacks report a larger reversal raises its review once', async () => {
    for (const minor of [500n, 800n]) {
      world.provider.lookup = async () => ({ ...paid(money(minor, 'USD')), outcome: 'reversed' })
      await Promise.all(Array.from({ length: 8 }, callback))
    }
    expect(await rows('payment_anomalies')).toMatchObject([{ kind: 'reversed', amount_minor: 800n }])
    expect((await tracesOf(world.ctx, payment)).events).toEqual([
      '1 payment.completed',
      '2 payment.reversed',
      '3 payment.reversed',
    ])
  })

  test('and that the gateway refunded is not reversed when its provider reports it as refunded', async () => {
    await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      amount: 5,
      currency: 'USD',
    })
    world.provider.lookup = async () => ({ ...paid(payment.amount), outcome: 'refunded' })
    await callback()
    expect(await anomalies()).toEqual([])
    // The provider reversed the rest.
    world.provider.lookup = async () => ({ ...paid(payment.amount), outcome: 'reversed' })
    await callback()
    expect(await rows('payment_anomalies')).toMatchObject([{ kind: 'reversed', amount_minor: 750n }])
  })

  test('and that its provider reports as failed stays paid and is listed for an operator once', async () => {
    world.provider.lookup = async () => refused()
    await Promise.all([callback(), callback(), callback()])
    expect(await anomalies()).toEqual(['contradicted'])
    expect(await now()).toMatchObject({ status: 'completed' })
    expect((await tracesOf(world.ctx, payment)).events).toEqual(['1 payment.completed'])
  })

  test('and that an operator has booked as reversed is not booked again, nor beyond its refunds', async () => {
    await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      amount: 5,
      currency: 'USD',
    })
    const operator = operatorActor('tendai', 'till@counter')
    const book = (minor: bigint) =>
      resolveReview(world.ctx, operator, payment.id, null, {
        kind: 'reversed',
        amount: money(minor, 'USD'),
        reason: 'Statement of 22 November',
      })
    world.provider.lookup = async () => refused()
    await callback()
    expect(await book(751n)).toBe('too_much')
    expect(await book(750n)).toBe('done')
    world.provider.lookup = async () => ({ ...paid(payment.amount), outcome: 'reversed' })
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
    await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
      amount: 5,
      currency: 'USD',
    })
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
    payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.lookup = async () => ({ ...paid(money(500n, 'USD')), outcome: 'reversed' })
    await callback()
    const update = world.ctx.db.pool.query(`update payment_anomalies set ${change} where payment_id = $1`, [
      uuidOf(payment.id),
    ])
    await expect(update).rejects.toMatchObject({ code: '23001' })
  })

  test.each([
    [
      'a failed charge without a watch',
      'update payment_attempts set watch_until = null, next_watch_at = null',
      '23514',
    ],
    [
      'a watch of what has not failed',
      "update payment_attempts set status = 'held', failure_reason = null",
      '23514',
    ],
  ])('%s', async (_what, statement, code) => {
    await giveUp()
    const change = world.ctx.db.pool.query(`${statement} where payment_id = $1`, [uuidOf(payment.id)])
    await expect(change).rejects.toMatchObject({ code })
  })

  test.each([
    "update payment_anomalies set kind = 'contradicted'",
    'update payment_anomalies set amount_minor = 1',
    'delete from payment_anomalies',
    'truncate payment_anomalies',
  ])('%s', async (statement) => {
    payment = await makePaid(world.ctx, shop.owner, world.provider)
    world.provider.lookup = async () => ({ ...paid(payment.amount), outcome: 'reversed' })
    await callback()
    await expect(world.ctx.db.pool.query(statement)).rejects.toMatchObject({ code: '23001' })
  })
})
