import { CreateRefund } from '@muripo/contract/refunds'
import { describe, expect, test } from 'vitest'
import { applyOutcome } from '../../src/modules/payments/actions/apply-outcome.ts'
import { createPayment } from '../../src/modules/payments/actions/create-payment.ts'
import { createRefund } from '../../src/modules/payments/actions/request-refund.ts'
import type { PaymentsCtx } from '../../src/modules/payments/context.ts'
import {
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  notFound,
  paid,
  pending,
} from '../../src/modules/payments/factory.ts'
import type { Payment } from '../../src/modules/payments/payment/payment.ts'
import { isDatabaseAway } from '../../src/platform/db/failures.ts'
import { uuidOf } from '../../src/platform/ids.ts'
import { wiredGateway } from './wired-gateway.ts'

const MINUTE = 60_000

const { world, shop, proxy, wired, ping, order, madeUnder } = await wiredGateway()

/**
 * Runs an operation with the connection cut after its first message, another one with the cut after the second message, and so on, until
 * one succeeds without a cut. An operation that is cut may fail; `check` asserts the invariants.
 * @returns the number of messages after which the operation succeeded
 */
async function cutEverywhere<Thing, Result>(
  make: (nth: number) => Promise<Thing>,
  work: (thing: Thing) => Promise<Result>,
  check: (thing: Thing, result: Result | null) => Promise<void>,
  every = 1,
): Promise<number> {
  for (let nth = 1; ; nth += every) {
    const thing = await make(nth)
    // The pool replaces the session that was cut.
    await expect
      .poll(() =>
        ping().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    proxy.cutAfterMessage(nth)
    const result = await work(thing).catch((error: Error) => {
      expect(isDatabaseAway(error), error.message).toBe(true)
      return null
    })
    const wasCut = proxy.messages >= nth
    proxy.cutAfterMessage(Number.POSITIVE_INFINITY)
    if (!wasCut) expect(result).not.toBeNull()
    // The database has executed the statements from before the cut.
    await expect.poll(() => proxy.gone === proxy.cuts).toBe(true)
    await check(thing, result)
    if (!wasCut) return nth
  }
}

interface Facts {
  readonly status: string
  readonly attempts: string[]
  readonly transfers: string[]
  readonly events: string[]
  readonly refunds: string[]
}

async function factsOf({ id }: Pick<Payment, 'id'>): Promise<Facts> {
  const list = (column: string, table: string, of = 'payment_id', order = 'id') =>
    `(select coalesce(array_agg(${column} order by ${order}), '{}') from ${table} where ${of} = $1) as ${table}`
  const { rows } = await world.ctx.db.pool.query(
    `select status, ${list('status', 'payment_attempts')}, ${list('kind', 'ledger_transfers', 'payment_id', 'position, kind')},
       ${list('type', 'events', 'subject_id')}, ${list('status', 'refunds')} from payments where id = $1`,
    [uuidOf(id)],
  )
  const [{ status, payment_attempts: attempts, ledger_transfers: transfers, events, refunds }] = rows
  return { status, attempts, transfers, events, refunds }
}

/** The provider has paid every call that it received. */
function payWhatIsKnown(): void {
  const { provider } = world
  const find = (calls: typeof provider.charges | typeof provider.refunds, key: string) =>
    calls.find((call) => call.key === key)
  provider.lookup = async ({ key }) => {
    const call = find(provider.charges, key)
    return call ? paid(call.amount) : notFound
  }
  provider.lookupRefund = async ({ key }) => {
    const call = find(provider.refunds, key)
    return call ? paid(call.amount, 'RF1') : notFound
  }
}

/** Advances the clock past every lease, and past the time after which an unknown call fails. */
async function letTimePass(): Promise<void> {
  for (const minutes of [1, 11, 6]) {
    world.ctx.clock.advance(minutes * MINUTE)
    await lookUpDue(world.ctx)
  }
}

describe('[invariant] with the connection to the database cut after each message in turn,', () => {
  test('a payment that was created is found under its key, and one that was not is created then: one each', async () => {
    const answers = new Set<string>()
    const cuts = await cutEverywhere(
      async (nth) => `alone-${nth}`,
      (key) => createPayment(wired, shop.owner, order(key), { idempotencyKey: key }),
      async (key, first) => {
        const again = await createPayment(wired, shop.owner, order(key), { idempotencyKey: key })
        if (first === null) answers.add(again.replayed ? 'lost after the commit' : 'never made')
        else expect(again).toEqual({ ...first, replayed: true })
        expect(await madeUnder(key)).toEqual([uuidOf(JSON.parse(again.json).id)])
      },
    )
    expect(cuts).toBeGreaterThan(8)
    expect(answers).toEqual(new Set(['never made', 'lost after the commit']))
  })

  test('payments that share a commit exist all or none, and requested again are one each', async () => {
    const cuts = await cutEverywhere(
      async (nth) => [0, 1, 2].map((each) => `shared-${nth}-${each}`),
      (keys) =>
        Promise.all(keys.map((key) => createPayment(wired, shop.owner, order(key), { idempotencyKey: key }))),
      async (keys) => {
        const before = await Promise.all(keys.map(madeUnder))
        expect(new Set(before.map(({ length }) => length)).size).toBe(1)
        for (const key of keys) {
          const { json } = await createPayment(wired, shop.owner, order(key), { idempotencyKey: key })
          expect(await madeUnder(key)).toEqual([uuidOf(JSON.parse(json).id)])
        }
      },
    )
    expect(cuts).toBeGreaterThan(8)
  })

  test('[INV-09] an attempt is recorded before the call of its provider, is sent once if it was recorded, and ends', async () => {
    world.provider.charge = async () => pending()
    payWhatIsKnown()
    const ends = new Set<string>()
    await cutEverywhere(
      () => makePayment(world.ctx, shop.owner),
      (payment) => makeAttempt(wired, payment),
      async (payment) => {
        const { attempts } = await factsOf(payment)
        const [key] =
          attempts.length > 0 ? [(await latestAttempt(world.ctx, payment)).id.slice('att_'.length)] : []
        const requested = world.provider.charges.filter((charge) => charge.key === key)
        expect(requested.length).toBeLessThanOrEqual(1)
        await letTimePass()
        const end = await factsOf(payment)
        expect(end).toEqual(
          requested.length === 1
            ? {
                status: 'completed',
                attempts: ['completed'],
                transfers: ['capture', 'fee'],
                events: ['payment.completed'],
                refunds: [],
              }
            : {
                status: 'pending',
                attempts: attempts.map(() => 'failed'),
                transfers: [],
                events: [],
                refunds: [],
              },
        )
        ends.add(`${end.status} ${attempts.length}`)
      },
      2,
    )
    // Completed, or not even recorded: a committed attempt is sent although its commit was not confirmed.
    expect(ends).toEqual(new Set(['completed 1', 'pending 0']))
    expect(new Set(world.provider.charges.map(({ key }) => key)).size).toBe(world.provider.charges.length)
  })

  test('an outcome is applied completely or not at all, and applied once when repeated', async () => {
    world.provider.charge = async () => pending()
    const seen = new Set<string>()
    const done = {
      status: 'completed',
      attempts: ['completed'],
      transfers: ['capture', 'fee'],
      events: ['payment.completed'],
      refunds: [],
    }
    const open = { status: 'pending', attempts: ['pending'], transfers: [], events: [], refunds: [] }
    const apply = (ctx: PaymentsCtx, { payment, attempt }: Awaited<ReturnType<typeof makeOpen>>) =>
      applyOutcome(ctx, attempt, { kind: 'reply', reply: paid(payment.amount) })
    async function makeOpen() {
      const payment = await makePayment(world.ctx, shop.owner)
      return { payment, attempt: await makeAttempt(world.ctx, payment) }
    }
    const cuts = await cutEverywhere(
      makeOpen,
      (made) => apply(wired, made),
      async (made, result) => {
        const facts = await factsOf(made.payment)
        expect(facts).toEqual(facts.status === 'completed' ? done : open)
        if (result !== null) expect(facts).toEqual(done)
        seen.add(`${facts.status} ${result === null ? 'unheard' : 'heard'}`)
        await apply(wired, made)
        expect(await factsOf(made.payment)).toEqual(done)
      },
    )
    expect(cuts).toBeGreaterThan(20)
    // The commit whose confirmation was lost is among them.
    expect(seen).toEqual(new Set(['pending unheard', 'completed unheard', 'completed heard']))
  })

  test('[INV-09] a refund is one under its key, and is sent once after an unconfirmed commit', async () => {
    payWhatIsKnown()
    world.provider.refund = async ({ amount }) => paid(amount, 'RF1')
    const ends = new Set<string>()
    const request = ({ id }: Payment) => CreateRefund.parse({ payment: id, amount: 5 })
    await cutEverywhere(
      () => makePaid(world.ctx, shop.owner, world.provider),
      (payment) =>
        createRefund(wired, shop.owner, request(payment), { idempotencyKey: `refund-${payment.id}` }),
      async (payment) => {
        world.ctx.clock.advance(MINUTE)
        await createRefund(wired, shop.owner, request(payment), { idempotencyKey: `refund-${payment.id}` })
        await letTimePass()
        const { refunds, transfers } = await factsOf(payment)
        ends.add(refunds.join())
        expect(refunds).toHaveLength(1)
        const back = refunds[0] === 'completed' ? 'refund_paid' : 'refund_released'
        expect(transfers).toEqual(['capture', 'fee', 'refund_reserve', back])
      },
      2,
    )
    expect(ends).toEqual(new Set(['completed']))
    expect(new Set(world.provider.refunds.map(({ key }) => key)).size).toBe(world.provider.refunds.length)
  })
})
