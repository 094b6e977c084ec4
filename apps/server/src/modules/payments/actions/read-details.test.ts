import type { PaymentDetails, TimelineEntry } from '@muripo/contract/dashboard-payments'
import { describe, expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makeSession } from '../../identity/factory.ts'
import {
  clearDueCalls,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  pending,
  refused,
  unanswered,
} from '../factory.ts'
import type { Payment } from '../payment/payment.ts'
import { paymentUrlOf } from '../payment/wire.ts'
import { applyOutcome } from './apply-outcome.ts'
import { cancelPayment } from './cancel-payment.ts'
import { refundPayment } from './request-refund.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const by = { method: 'ecocash', phone: '077 *** 4567' }
const tried = { ...by, reference: null }

const test = base.extend('scene', ({ world, app }) => {
  async function details(payment: Payment): Promise<PaymentDetails> {
    // The session is new: the clock of these tests runs past the end of any other.
    const { authToken } = await makeSession(world.ctx, payment.accountId)
    const headers = { authorization: `Bearer ${authToken}` }
    const response = await app.inject({ url: `/v1/payments/${payment.id}`, headers })
    expect(response.statusCode).toBe(200)
    return response.json()
  }
  /** The kinds of entries with their minutes after the payment's creation, and their other fields. */
  async function timeline(payment: Payment): Promise<unknown[]> {
    const { timeline: entries } = await details(payment)
    return entries.map(({ at, kind, ...facts }: TimelineEntry) => [
      (Date.parse(at) - payment.createdAt.getTime()) / MINUTE,
      kind,
      ...(Object.keys(facts).length > 0 ? [facts] : []),
    ])
  }
  const later = (minutes: number) => world.ctx.clock.advance(minutes * MINUTE)
  const refund = (payment: Payment) =>
    refundPayment(world.ctx, byMerchant(payment.accountId), payment.accountId, payment.id, {
      amount: 12.5,
      currency: 'USD',
    })
  return { details, timeline, later, refund }
})

test.beforeEach(async ({ world, provider }) => {
  await clearDueCalls(world.ctx)
  provider.refundsBy = 'api-partial'
  provider.charge = async () => pending()
  provider.lookup = async () => pending()
  provider.refund = async ({ amount }) => paid(amount, 'RF1')
  provider.lookupRefund = async () => pending()
})

test('the details are the payment of the list, with its timeline', async ({ world, app, client, scene }) => {
  const payment = await makePaid(world.ctx, client.owner, world.provider)
  const list = await app.inject({ url: '/v1/payments/all', headers: client.withSession })
  const {
    timeline: entries,
    attempts,
    customer,
    paymentUrl,
    openAttempt,
    ...facts
  } = await scene.details(payment)
  expect(facts).toEqual(list.json().payments[0])
  expect(customer).toEqual(payment.customer)
  expect(entries.map(({ kind }) => kind)).toEqual(['created', 'prompt_sent', 'completed'])
  expect([paymentUrl, openAttempt]).toEqual([paymentUrlOf(world.ctx, payment), null])
  const at = payment.createdAt.toISOString()
  expect(attempts).toEqual([
    { ...by, startedAt: at, updatedAt: at, outcome: 'completed', reason: null, reference: 'MP1' },
  ])
})

describe('a payment whose result is awaited', () => {
  test('has the times of its open attempt', async ({ world, client, scene }) => {
    const payment = await makePayment(world.ctx, client.owner)
    expect(await scene.details(payment)).toMatchObject({ openAttempt: null })
    await makeAttempt(world.ctx, payment)
    const after = (minutes: number) => new Date(payment.createdAt.getTime() + minutes * MINUTE).toISOString()
    const open = { ...by, startedAt: after(0), silentAt: after(2), closesAt: after(10), isLast: false }
    expect((await scene.details(payment)).openAttempt).toEqual(open)
    await cancelPayment(world.ctx, payment.accountId, payment.id)
    expect((await scene.details(payment)).openAttempt).toEqual({ ...open, isLast: true })
  })

  test('is looked up for its merchant, ten times a minute', async ({ world, app, client, scene }) => {
    const payment = await makePayment(world.ctx, client.owner)
    await makeAttempt(world.ctx, payment)
    world.provider.lookups.length = 0
    const check = async () => {
      const { authToken } = await makeSession(world.ctx, payment.accountId)
      const headers = { authorization: `Bearer ${authToken}` }
      return app.inject({
        method: 'POST',
        url: '/v1/payments/check',
        headers,
        payload: { paymentId: payment.id },
      })
    }
    for (let time = 0; time < 10; time += 1)
      expect((await check()).json()).toMatchObject({ paymentId: payment.id, status: 'PENDING' })
    const refusal = await check()
    expect([refusal.statusCode, refusal.json().code]).toEqual([429, 'rate_limited'])
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(0)
    expect(world.provider.lookups).toHaveLength(10)
    scene.later(1)
    world.provider.lookup = async () => paid(payment.amount, 'MP1')
    expect((await check()).json()).toMatchObject({ status: 'COMPLETED', paymentMethodReference: 'MP1' })
    await check()
    expect(world.provider.lookups).toHaveLength(11)
  })

  test('is cancelled by its merchant, once', async ({ world, app, client, scene }) => {
    const payment = await makePayment(world.ctx, client.owner)
    const cancel = async () => {
      const { authToken } = await makeSession(world.ctx, payment.accountId)
      return app.inject({
        method: 'POST',
        url: '/v1/payments/cancel',
        headers: { authorization: `Bearer ${authToken}` },
        payload: { paymentId: payment.id },
      })
    }
    expect((await cancel()).json()).toMatchObject({ status: 'FAILED', statusReason: 'cancelled' })
    expect(await scene.timeline(payment)).toMatchObject([{}, [0, 'cancelled']])
    const again = await cancel()
    expect([again.statusCode, again.json().code]).toEqual([409, 'payment_not_cancellable'])
  })
})

describe('the timeline', () => {
  test('of a payment without attempts is its creation', async ({ world, client, scene }) => {
    expect(await scene.timeline(await makePayment(world.ctx, client.owner))).toEqual([[0, 'created']])
  })

  test('lists each prompt with the reason of its refusal, then the success', async ({
    world,
    client,
    scene,
  }) => {
    const payment = await makePayment(world.ctx, client.owner)
    scene.later(1)
    world.provider.charge = async () => refused('wrong_pin')
    await makeAttempt(world.ctx, payment)
    scene.later(1)
    world.provider.charge = async () => pending()
    await makeAttempt(world.ctx, payment)
    expect(await scene.timeline(payment)).toEqual([
      [0, 'created'],
      [1, 'prompt_sent', by],
      [1, 'attempt_failed', { ...tried, reason: 'wrong_pin' }],
      [2, 'prompt_sent', by],
      [2, 'waiting', tried],
    ])
    scene.later(3)
    world.provider.lookup = async () => paid(payment.amount, 'MP1')
    await lookUpDue(world.ctx)
    expect(await scene.timeline(payment)).toEqual([
      [0, 'created'],
      [1, 'prompt_sent', by],
      [1, 'attempt_failed', { ...tried, reason: 'wrong_pin' }],
      [2, 'prompt_sent', by],
      [5, 'completed', { method: 'ecocash', reference: 'MP1' }],
    ])
  })

  test('reports an unknown outcome, and the time of the last look-up', async ({ world, client, scene }) => {
    const payment = await makePayment(world.ctx, client.owner)
    world.provider.charge = async () => Promise.reject(unanswered())
    world.provider.lookup = async () => Promise.reject(unanswered())
    await makeAttempt(world.ctx, payment)
    scene.later(2)
    await lookUpDue(world.ctx)
    expect(await scene.timeline(payment)).toEqual([
      [0, 'created'],
      [0, 'prompt_sent', by],
      [2, 'checking', tried],
    ])
  })

  test('reports that an operator reviews a mismatched amount, and a charge that stays open', async ({
    world,
    client,
    scene,
  }) => {
    const odd = await makePayment(world.ctx, client.owner)
    world.provider.charge = async () => paid({ minor: 1n, currency: 'USD' })
    await makeAttempt(world.ctx, odd)
    const open = await makePayment(world.ctx, client.owner)
    world.provider.charge = async () => pending()
    await makeAttempt(world.ctx, open)
    for (let hour = 0; hour < 26; hour += 1) {
      scene.later(60)
      await lookUpDue(world.ctx)
    }
    expect(await scene.timeline(odd)).toEqual([
      [0, 'created'],
      [0, 'prompt_sent', by],
      [0, 'under_review', { ...by, reference: 'MP1' }],
    ])
    expect((await scene.timeline(open)).at(-1)).toEqual([expect.any(Number), 'under_review', tried])
  })

  test('reports a cancellation, and that it was requested during an attempt', async ({
    world,
    client,
    scene,
  }) => {
    const untried = await makePayment(world.ctx, client.owner)
    scene.later(1)
    await cancelPayment(world.ctx, untried.accountId, untried.id)
    expect(await scene.timeline(untried)).toEqual([
      [0, 'created'],
      [1, 'cancelled'],
    ])
    const open = await makePayment(world.ctx, client.owner)
    await makeAttempt(world.ctx, open)
    scene.later(1)
    await cancelPayment(world.ctx, open.accountId, open.id)
    expect((await scene.timeline(open)).at(-1)).toEqual([1, 'cancel_requested'])
  })

  test('reports a second payment and its refund, with distinct attempts', async ({
    world,
    client,
    scene,
  }) => {
    const payment = await makePayment(world.ctx, client.owner)
    world.provider.charge = async () => refused('wrong_pin')
    const first = await makeAttempt(world.ctx, payment)
    world.provider.charge = async ({ amount }) => paid(amount, 'MP1')
    await makeAttempt(world.ctx, payment)
    scene.later(1)
    const reply = paid(first.amount, 'MP2')
    await applyOutcome(world.ctx, first, { kind: 'reply', reply })
    expect((await scene.timeline(payment)).at(-1)).toEqual([1, 'paid_twice', { ...by, reference: 'MP2' }])
    const { attempts, amountRefunded } = await scene.details(payment)
    expect(amountRefunded).toBe(0)
    expect(attempts.map(({ outcome, reason, reference }) => [outcome, reason, reference])).toEqual([
      ['duplicate', null, 'MP2'],
      ['completed', null, 'MP1'],
    ])
  })

  test('ends with the expiry of a payment without open attempts', async ({ world, client, scene }) => {
    const input = { expires_in: HOUR / 1000 }
    const untouched = await makePayment(world.ctx, client.owner, input)
    const open = await makePayment(world.ctx, client.owner, input)
    await makeAttempt(world.ctx, open)
    const refusedOnce = await makePayment(world.ctx, client.owner, input)
    world.provider.charge = async () => refused('expired')
    await makeAttempt(world.ctx, refusedOnce)
    const done = await makePaid(world.ctx, client.owner, world.provider, input)
    scene.later(59)
    expect(await scene.timeline(untouched)).toEqual([[0, 'created']])
    scene.later(1)
    expect(await scene.timeline(untouched)).toEqual([
      [0, 'created'],
      [60, 'expired'],
    ])
    const ends = await Promise.all(
      [open, refusedOnce, done].map(async (each) => (await scene.timeline(each)).at(-1)),
    )
    expect(ends.map((end) => (end as unknown[])[1])).toEqual(['waiting', 'expired', 'completed'])
  })

  test('lists each refund: requested, refused, requested again, unknown, paid', async ({
    world,
    client,
    scene,
  }) => {
    const payment = await makePaid(world.ctx, client.owner, world.provider)
    scene.later(1)
    world.provider.refund = async () => refused('barred')
    await expect(scene.refund(payment)).rejects.toMatchObject({ code: 'refund_declined' })
    scene.later(1)
    world.provider.refund = async () => Promise.reject(unanswered())
    await scene.refund(payment)
    const amount = 12.5
    const before = [
      [1, 'refund_requested', { amount }],
      [1, 'refund_failed', { amount, reason: 'barred', explanation: null }],
      [2, 'refund_requested', { amount }],
    ]
    expect((await scene.timeline(payment)).slice(3)).toEqual([...before, [2, 'refund_checking', { amount }]])
    scene.later(3)
    world.provider.lookupRefund = async () => paid(payment.amount, 'RF7')
    await lookUpDue(world.ctx)
    expect((await scene.timeline(payment)).slice(3)).toEqual([
      ...before,
      [5, 'refunded', { amount, reference: 'RF7' }],
    ])
  })
})

test('the timeline reports that a refund is with the operator', async ({ world, client, scene }) => {
  world.provider.refundsBy = 'manual'
  const payment = await makePaid(world.ctx, client.owner, world.provider)
  scene.later(1)
  await scene.refund(payment)
  expect((await scene.timeline(payment)).slice(3)).toEqual([
    [1, 'refund_requested', { amount: 12.5 }],
    [1, 'refund_with_operator', { amount: 12.5 }],
  ])
})

test('the refunds of a payment are found by an index, however many the merchant has', async ({
  world,
  client,
}) => {
  const payment = await makePaid(world.ctx, client.owner, world.provider)
  const session = await world.ctx.db.pool.connect()
  try {
    await session.query('begin')
    await session.query('set local enable_seqscan = off')
    const { rows } = await session.query(
      `explain select * from refunds where account_id = '${uuidOf(payment.accountId)}'
       and payment_id = '${uuidOf(payment.id)}' order by id desc`,
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('refunds_of_payment')
  } finally {
    await session.query('rollback')
    session.release()
  }
})
