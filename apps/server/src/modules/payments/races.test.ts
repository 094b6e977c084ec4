import { CreatePayment } from '@muripo/contract/payments'
import { CreateRefund } from '@muripo/contract/refunds'
import { describe, expect } from 'vitest'
import { test as base } from '../../../test/fixtures.ts'
import { createBackgroundTasks } from '../../platform/async/background-tasks.ts'
import { createDatabase } from '../../platform/db/database.ts'
import { simulateTime } from '../../platform/db/simulated-time.ts'
import { uuidOf } from '../../platform/ids.ts'
import { aggregateLedgerBalances, balancesOf, trialBalance } from '../ledger/index.ts'
import { cancelPayment } from './actions/cancel-payment.ts'
import { createPayment } from './actions/create-payment.ts'
import { handleCallback } from './actions/handle-callback.ts'
import { createRefund } from './actions/request-refund.ts'
import { type PaymentsCtx, paymentsCtx } from './context.ts'
import {
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
  refused,
} from './factory.ts'
import { expireDue } from './jobs.ts'
import type { Payment } from './payment/payment.ts'
import { attemptsOf } from './payment/store-attempts.ts'

const HOUR = 3_600_000

type Operation = (gateway: PaymentsCtx) => Promise<unknown>

/** Refusals have error codes; any other error is a bug. */
function codesOf(results: readonly PromiseSettledResult<unknown>[]): Set<unknown> {
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  for (const reason of reasons) expect(reason).toHaveProperty('code')
  return new Set(reasons.map(({ code }) => code))
}

/** `gateways` are four processes with sixteen open sessions each. */
const test = base
  .extend('gateways', { scope: 'file' }, ({ world: { ctx } }, { onCleanup }) => {
    const gateways = Array.from({ length: 4 }, () => {
      const db = simulateTime(createDatabase(ctx.databaseUrl, { maxConnections: 16 }), ctx.clock)
      return paymentsCtx({ ...ctx, db }, ctx.providers, createBackgroundTasks(ctx.log))
    })
    onCleanup(async () => {
      await Promise.all(gateways.map(({ db }) => db.close()))
    })
    return gateways
  })
  .extend('scene', ({ world, gateways }) => {
    /** Runs sixty-four operations concurrently: each kind in turn, at every gateway. */
    function rush(...operations: readonly Operation[]): Promise<PromiseSettledResult<unknown>[]> {
      return Promise.allSettled(
        Array.from({ length: 64 }, (_, nth) => {
          const gateway = gateways[Math.floor(nth / operations.length) % gateways.length] ?? world.ctx
          return operations[nth % operations.length]?.(gateway)
        }),
      )
    }
    async function count(text: string, id: string): Promise<number> {
      const { rows } = await world.ctx.db.pool.query(`select count(*)::int as count from ${text} = $1`, [id])
      return rows[0].count
    }
    const captures = ({ id }: Payment) =>
      count("ledger_transfers where kind = 'capture' and payment_id", uuidOf(id))
    const eventOf = (type: string, { id }: Payment) =>
      count(`events where type = '${type}' and subject_id`, uuidOf(id))
    return { rush, count, captures, eventOf }
  })

test.beforeEach(async ({ provider, gateways }) => {
  provider.charges.length = 0
  provider.refunds.length = 0
  // All connections are opened before the race begins.
  await Promise.all(
    gateways.flatMap(({ db }) => Array.from({ length: 16 }, () => db.pool.query('select pg_sleep(0.05)'))),
  )
})

describe('64 connections', () => {
  test('[invariant] on one payment: one charge is sent; paid once or failed once, and received money is booked once', async ({
    world,
    shop,
    scene,
  }) => {
    const ends = new Set<string>()
    for (let round = 0; round < 6; round += 1) {
      world.provider.charges.length = 0
      world.provider.charge = async () => pending()
      const word =
        round % 2 === 0 ? async () => paid({ minor: 1250n, currency: 'USD' }) : async () => refused()
      world.provider.lookup = word
      const payment = await makePayment(world.ctx, shop.owner, { expires_in: 1800 })
      await makeAttempt(world.ctx, payment)
      const token = world.provider.charges[0]?.callbackUrl.split('/').at(-1) ?? ''
      world.ctx.clock.advance(HOUR / 2 - 1)
      const callback: Operation = (gateway) => handleCallback(gateway, 'scripted', token)
      const results = await scene.rush(
        callback,
        (gateway) => makeAttempt(gateway, payment),
        (gateway) => cancelPayment(gateway, payment.accountId, payment.id),
        lookUpDue,
        // The payment expires during the race.
        (gateway) => {
          world.ctx.clock.advance(1)
          return expireDue(gateway)
        },
      )
      expect(codesOf(results).isSubsetOf(new Set(['payment_not_payable', 'payment_not_cancellable']))).toBe(
        true,
      )
      // Callbacks of attempts that started during the race are still outstanding.
      for (const { callbackUrl } of world.provider.charges) {
        await handleCallback(world.ctx, 'scripted', callbackUrl.split('/').at(-1) ?? '')
      }
      await expireDue(world.ctx)
      const { status } = await paymentNow(world.ctx, shop.owner, payment.id)
      ends.add(status)
      const times = status === 'completed' ? 1 : 0
      expect(await scene.captures(payment)).toBe(times)
      expect(await scene.eventOf('payment.completed', payment)).toBe(times)
      expect(await scene.eventOf('payment.failed', payment)).toBeLessThanOrEqual(1)
      if (round % 2 === 0) expect([status, world.provider.charges.length]).toEqual(['completed', 1])
      else expect(status).toBe('failed')
    }
    expect(ends).toEqual(new Set(['completed', 'failed']))
  })

  test('[invariant] on one idempotency key: one payment, one response', async ({ shop, scene }) => {
    const order = CreatePayment.parse({ amount: 12.5, currency: 'USD', description: 'Order 1001' })
    for (const key of ['one', 'two', 'three']) {
      const results = await scene.rush((gateway) =>
        createPayment(gateway, shop.owner, order, { idempotencyKey: key }),
      )
      const answers = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])) as {
        json: string
        replayed: boolean
      }[]
      expect(codesOf(results)).toEqual(new Set())
      expect(new Set(answers.map(({ json }) => json)).size).toBe(1)
      expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
    }
    expect(await scene.count('payments where account_id', uuidOf(shop.accountId))).toBe(3)
  })

  test('[invariant] on one refund: opened once, sent once, booked once, under one key and under many', async ({
    world,
    shop,
    scene,
  }) => {
    world.provider.refund = async ({ amount }) => paid(amount, 'RF1')
    for (const keyOf of [() => 'one', (nth: number) => `own-${nth}`]) {
      world.provider.refunds.length = 0
      const payment = await makePaid(world.ctx, shop.owner, world.provider)
      const whole = CreateRefund.parse({ payment: payment.id })
      let nth = 0
      const results = await scene.rush((gateway) => {
        nth += 1
        return createRefund(gateway, shop.owner, whole, { idempotencyKey: `${payment.id}-${keyOf(nth)}` })
      })
      const refusals = ['idempotency_in_flight', 'payment_not_refundable', 'refund_exceeds_remaining']
      expect(codesOf(results).isSubsetOf(new Set(refusals))).toBe(true)
      expect(world.provider.refunds).toHaveLength(1)
      expect(await scene.count('refunds where payment_id', uuidOf(payment.id))).toBe(1)
      expect(await scene.eventOf('payment.refunded', payment)).toBe(1)
      const { status, refunded } = await paymentNow(world.ctx, shop.owner, payment.id)
      expect([status, refunded.minor]).toEqual(['refunded', 1250n])
    }
  })

  test("[invariant] on one merchant's balance: it is the captures less fees and refunds, during the aggregation", async ({
    world,
    shop,
    scene,
  }) => {
    world.provider.charge = async ({ amount }) => paid(amount)
    world.provider.refund = async ({ amount }) => paid(amount, 'RF1')
    const old = await Promise.all(
      Array.from({ length: 24 }, () => makePaid(world.ctx, shop.owner, world.provider)),
    )
    world.provider.charge = async ({ amount }) => paid(amount)
    const fresh = await Promise.all(Array.from({ length: 24 }, () => makePayment(world.ctx, shop.owner)))
    let [refunds, attempts] = [0, 0]
    const results = await scene.rush(
      (gateway) => {
        const payment = old[refunds++ % old.length] as Payment
        return createRefund(gateway, shop.owner, CreateRefund.parse({ payment: payment.id, amount: 5 }))
      },
      (gateway) => makeAttempt(gateway, fresh[attempts++] as Payment),
      (gateway) => aggregateLedgerBalances(gateway),
    )
    expect(codesOf(results)).toEqual(new Set())
    await aggregateLedgerBalances(world.ctx)
    const { rows } = await world.ctx.db.pool.query(
      `select sum(amount_minor - fee_minor - refunded_minor)::int as owed from payments where account_id = $1 and fee_minor is not null`,
      [uuidOf(shop.accountId)],
    )
    const sums = await balancesOf(world.ctx.db.kysely, shop.accountId)
    expect(Number(sums.find(({ code }) => code === 'merchant.payable')?.balanceMinor)).toBe(-rows[0].owed)
    expect(sums.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)).toBe(0n)
    expect(
      (await trialBalance([world.ctx], { merchantId: shop.merchantId, tests: false })).discrepancies,
    ).toEqual([])
    // All operations ran, not only a part of them.
    expect([refunds, attempts]).toEqual([22, 21])
  })
})

test('an attempt that starts after another one has ended has the later id, also when it was decided before', async ({
  world,
  shop,
}) => {
  const payment = await makePayment(world.ctx, shop.owner)
  const { db } = world.ctx
  let isFirst = true
  const overtaken: PaymentsCtx = {
    ...world.ctx,
    db: {
      ...db,
      commitStatement: async (statement) => {
        if (isFirst) {
          isFirst = false
          world.provider.charge = async () => refused()
          await makeAttempt(world.ctx, payment)
          world.provider.charge = async () => pending()
        }
        return db.commitStatement(statement)
      },
    },
  }
  await makeAttempt(overtaken, payment)
  const attempts = await attemptsOf(db.kysely, payment.accountId, payment.id)
  expect(attempts.map(({ status }) => status)).toEqual(['pending', 'failed'])
})
