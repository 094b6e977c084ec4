import { describe, expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { skipOnCitus } from '../../../test/on-citus.ts'
import type { WorldCtx } from '../../../test/world.ts'
import { createDatabase } from '../../platform/db/database.ts'
import { simulateTime } from '../../platform/db/simulated-time.ts'
import { uuidOf } from '../../platform/ids.ts'
import { applyOutcome } from './actions/apply-outcome.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import {
  clearDueCalls,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  refused,
  unanswered,
} from './factory.ts'
import { expireDue } from './jobs.ts'
import type { Payment } from './payment/payment.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** `atGateway` spreads calls over four gateways with connections of their own. */
const test = base
  .extend('atGateway', { scope: 'file' }, async ({ world: { ctx } }, { onCleanup }) => {
    const gateways = [0, 1, 2, 3].map(() => ({
      ...ctx,
      db: simulateTime(createDatabase(ctx.databaseUrl, { maxConnections: 6 }), ctx.clock),
    }))
    onCleanup(async () => {
      await Promise.all(gateways.map(({ db }) => db.close()))
    })
    // All connections are opened before the race begins.
    await Promise.all(
      gateways.flatMap(({ db }) => Array.from({ length: 6 }, () => db.pool.query('select pg_sleep(0.1)'))),
    )
    return (nth: number): WorldCtx => gateways[nth % 4] ?? ctx
  })
  .extend('scene', ({ world, shop }) => {
    const now = (payment: Payment) => paymentNow(world.ctx, shop.owner, payment.id)
    const cancel = (payment: Payment) => cancelPayment(world.ctx, payment.accountId, payment.id)
    const rows = async (text: string, values: unknown[]) => (await world.ctx.db.pool.query(text, values)).rows
    async function later(ms: number): Promise<void> {
      world.ctx.clock.advance(ms)
      await lookUpDue(world.ctx)
      await expireDue(world.ctx)
    }
    /** The events of a payment in order, each with its reason. */
    async function eventTypes(payment: Payment): Promise<string[]> {
      const events = await rows('select type, data from events where subject_id = $1 order by sequence', [
        uuidOf(payment.id),
      ])
      return events.map(({ type, data }) => [type, data.status_reason].filter(Boolean).join(' '))
    }
    return { now, cancel, rows, later, eventTypes }
  })

test.beforeEach(({ world }) => clearDueCalls(world.ctx))

const half = { expires_in: 1800 }

describe('[PAY-41] a payment whose time is over', () => {
  test('fails as expired, once, and is reported', async ({
    world,
    shop,
    scene: { now, later, eventTypes },
  }) => {
    const payment = await makePayment(world.ctx, shop.owner, half)
    await later(30 * MINUTE - 1)
    expect(await now(payment)).toMatchObject({ status: 'pending', statusReason: 'awaiting_payer' })
    await later(1)
    await later(HOUR)
    expect(await now(payment)).toMatchObject({ status: 'failed', statusReason: 'expired' })
    expect(await eventTypes(payment)).toEqual(['payment.failed expired'])
    await expect(makeAttempt(world.ctx, payment)).rejects.toMatchObject({ code: 'payment_not_payable' })
  })

  test('fails as expired after refused attempts too, whatever their reasons', async ({
    world,
    shop,
    scene: { now, later, eventTypes },
  }) => {
    const payment = await makePayment(world.ctx, shop.owner, half)
    for (const reason of ['wrong_pin', 'insufficient_funds'] as const) {
      world.provider.charge = async () => refused(reason)
      await makeAttempt(world.ctx, payment)
      expect(await now(payment)).toMatchObject({ status: 'pending', statusReason: reason })
    }
    expect(await eventTypes(payment)).toEqual([])
    await later(HOUR)
    expect(await now(payment)).toMatchObject({ status: 'failed', statusReason: 'expired' })
  })

  test.for([
    ['refused', refused(), 'failed', 'expired'],
    ['paid', paid({ minor: 1250n, currency: 'USD' }), 'completed', null],
  ] as const)(
    'waits for the attempt in progress: %s',
    async ([, answer, status, statusReason], { world, shop, scene: { now, later, eventTypes } }) => {
      const payment = await makePayment(world.ctx, shop.owner, half)
      world.provider.charge = async () => Promise.reject(unanswered())
      world.provider.lookup = async () => Promise.reject(unanswered())
      await makeAttempt(world.ctx, payment)
      await later(HOUR)
      expect(await now(payment)).toMatchObject({ status: 'pending', statusReason: 'checking' })
      await expect(makeAttempt(world.ctx, payment)).rejects.toMatchObject({ code: 'payment_not_payable' })
      world.provider.lookup = async () => answer
      await later(2 * HOUR)
      expect(await now(payment)).toMatchObject({ status, statusReason })
      expect(await eventTypes(payment)).toHaveLength(1)
    },
  )

  test('is not paid, cancelled or ended twice by ten rounds at once', async ({
    world,
    shop,
    scene: { eventTypes },
  }) => {
    const due = await Promise.all(Array.from({ length: 30 }, () => makePayment(world.ctx, shop.owner, half)))
    world.ctx.clock.advance(HOUR)
    await Promise.all(Array.from({ length: 10 }, () => expireDue(world.ctx)))
    for (const payment of due) expect(await eventTypes(payment)).toEqual(['payment.failed expired'])
  })

  test('is ended although a hundred older ones cannot be, which are retried', async ({
    world,
    shop,
    scene: { now },
  }) => {
    const stuck = await Promise.all(
      Array.from({ length: 100 }, () => makePayment(world.ctx, shop.owner, half)),
    )
    world.ctx.clock.advance(1)
    const behind = await Promise.all(
      Array.from({ length: 101 }, () => makePayment(world.ctx, shop.owner, half)),
    )
    world.ctx.clock.advance(HOUR)
    const { db } = world.ctx
    const ids = new Set(stuck.map(({ id }) => uuidOf(id)))
    const invalidData = Object.assign(new Error('cannot be written'), { code: '22000' })
    const failing: typeof db = {
      ...db,
      async commitStatement(statement) {
        const rows = JSON.parse(String(statement.values[0])) as { id: string }[]
        if (rows.some(({ id }) => ids.has(id))) throw invalidData
        return db.commitStatement(statement)
      },
    }
    await expireDue({ ...world.ctx, db: failing })
    const expired = async (payments: readonly Payment[]) =>
      (await Promise.all(payments.map(now))).filter(({ status }) => status === 'failed').length
    expect(await expired(behind)).toBe(101)
    expect(await expired(stuck)).toBe(0)
    expect(world.errors).toEqual(Array.from({ length: 100 }, () => 'a payment could not be expired'))
    await expireDue(world.ctx)
    expect(await expired(stuck)).toBe(100)
  })

  test(
    'is found by an index that holds only what can still expire',
    skipOnCitus('the plan is that of a view'),
    async ({ world, shop }) => {
      await makePayment(world.ctx, shop.owner, half)
      const client = await world.ctx.db.pool.connect()
      try {
        await client.query('begin')
        await client.query('set local enable_seqscan = off')
        const { rows: plan } = await client.query(
          `explain select account_id, id from payments where status = 'pending' and termination_reason is null
         and expires_at <= now() and expires_at >= '2020-01-01' order by expires_at, account_id, id limit 100`,
        )
        expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using payments_to_expire/)
        // Only payments with the same expiry are sorted among themselves.
        expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Presorted Key: expires_at/)
      } finally {
        await client.query('rollback')
        client.release()
      }
    },
  )
})

describe('[PAY-41] a payment that is cancelled', () => {
  test('fails at once without an open attempt, also after refused ones', async ({
    world,
    shop,
    scene: { cancel, later, eventTypes },
  }) => {
    const untried = await makePayment(world.ctx, shop.owner)
    const tried = await makePayment(world.ctx, shop.owner)
    world.provider.charge = async () => refused()
    await makeAttempt(world.ctx, tried)
    for (const payment of [untried, tried]) {
      expect(await cancel(payment)).toMatchObject({ status: 'failed', statusReason: 'cancelled' })
      expect(await eventTypes(payment)).toEqual(['payment.failed cancelled'])
      await expect(cancel(payment)).rejects.toMatchObject({ code: 'payment_not_cancellable' })
      await expect(makeAttempt(world.ctx, payment)).rejects.toMatchObject({ code: 'payment_not_payable' })
    }
    await later(25 * HOUR)
    expect(await eventTypes(untried)).toEqual(['payment.failed cancelled'])
  })

  test.for([
    ['refused', refused(), 'failed', 'cancelled'],
    ['paid', paid({ minor: 1250n, currency: 'USD' }), 'completed', null],
  ] as const)(
    'waits for the attempt in progress: %s',
    async ([, answer, status, statusReason], { world, shop, scene: { now, cancel, later, eventTypes } }) => {
      const payment = await makePayment(world.ctx, shop.owner)
      await makeAttempt(world.ctx, payment)
      for (let press = 0; press < 2; press += 1) {
        expect(await cancel(payment)).toMatchObject({
          status: 'pending',
          statusReason: 'awaiting_payer',
          termination: { reason: 'cancelled', since: payment.createdAt },
        })
      }
      expect(await eventTypes(payment)).toEqual([])
      // After its expiry the payment is still recorded as cancelled.
      await later(25 * HOUR)
      world.provider.lookup = async () => answer
      await later(24 * HOUR)
      await applyOutcome(world.ctx, await latestAttempt(world.ctx, payment), { kind: 'reply', reply: answer })
      expect(await now(payment)).toMatchObject({ status, statusReason })
      expect(await eventTypes(payment)).toHaveLength(1)
    },
  )

  test('stays pending while an operator has to decide about a mismatched amount', async ({
    world,
    shop,
    scene: { now, cancel, later },
  }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    world.provider.charge = async () => paid({ minor: 1n, currency: 'USD' })
    await makeAttempt(world.ctx, payment)
    expect(await cancel(payment)).toMatchObject({ status: 'pending', statusReason: 'under_review' })
    await later(25 * HOUR)
    expect(await now(payment)).toMatchObject({ status: 'pending', statusReason: 'under_review' })
  })

  test('is not a paid one', async ({ world, shop, scene: { now, cancel } }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider)
    await expect(cancel(payment)).rejects.toMatchObject({ code: 'payment_not_cancellable' })
    expect(await now(payment)).toEqual(payment)
  })
})

describe('of everything that may end a payment, 64 at a time and by four gateways,', () => {
  test('one wins: expiry, cancel and the beginning of an attempt', async ({
    world,
    shop,
    atGateway,
    scene: { now, eventTypes },
  }) => {
    for (let round = 0; round < 8; round += 1) {
      world.provider.charges.length = 0
      const payment = await makePayment(world.ctx, shop.owner, half)
      world.ctx.clock.advance(30 * MINUTE - 1)
      const starts = Array.from({ length: 21 }, (_, nth) => makeAttempt(atGateway(nth), payment))
      const cancels = Array.from({ length: 21 }, (_, nth) =>
        cancelPayment(atGateway(nth), payment.accountId, payment.id),
      )
      world.ctx.clock.advance(1)
      const expiries = Array.from({ length: 22 }, (_, nth) => expireDue(atGateway(nth)))
      await Promise.allSettled([...starts, ...cancels, ...expiries])
      const { status, termination } = await now(payment)
      const attempts = world.provider.charges.length
      // Either an attempt started and is open, or the payment has failed and no attempt started.
      expect([status, attempts]).toEqual(attempts === 1 ? ['pending', 1] : ['failed', 0])
      expect(termination).not.toBeNull()
      expect(await eventTypes(payment)).toEqual(
        attempts === 1 ? [] : [`payment.failed ${termination?.reason}`],
      )
    }
  })

  test('one wins: completion, refusal, cancel and expiry; received money is never lost', async ({
    world,
    shop,
    atGateway,
    scene: { now, rows, eventTypes },
  }) => {
    for (let round = 0; round < 8; round += 1) {
      const payment = await makePayment(world.ctx, shop.owner, half)
      const attempt = await makeAttempt(world.ctx, payment)
      world.ctx.clock.advance(HOUR)
      const apply = (reply: ReturnType<typeof refused>) => (gateway: WorldCtx) =>
        applyOutcome(gateway, attempt, { kind: 'reply', reply })
      const auditEntries: ((gateway: WorldCtx) => Promise<unknown>)[] = [
        apply(refused()),
        (gateway) => cancelPayment(gateway, payment.accountId, payment.id),
        expireDue,
      ]
      if (round % 2 === 0) auditEntries.push(apply(paid(attempt.amount)))
      await Promise.allSettled(
        // Each operation runs at each gateway.
        Array.from({ length: 64 }, (_, nth) =>
          auditEntries[nth % auditEntries.length]?.(atGateway(Math.floor(nth / 4))),
        ),
      )
      const { status, lastEvent } = await now(payment)
      const captures = await rows("select from ledger_transfers where kind = 'capture' and payment_id = $1", [
        uuidOf(payment.id),
      ])
      const events = (await eventTypes(payment)).map((each) => each.split(' ')[0])
      expect(lastEvent).toBe(events.length)
      if (round % 2 === 0) {
        expect([status, captures.length]).toEqual(['completed', 1])
        // A refusal after the success is reported as a reversal.
        const beforeReversal = events.filter((event) => event !== 'payment.reversed')
        expect([['payment.completed'], ['payment.failed', 'payment.completed']]).toContainEqual(
          beforeReversal,
        )
      } else {
        expect([status, captures.length, events]).toEqual(['failed', 0, ['payment.failed']])
      }
    }
  })
})
