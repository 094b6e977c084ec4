import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { plusMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { isLockTaken } from '../../../platform/db/failures.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { latestAttempt, lockPayment, makeAttempt, makePayment, paymentNow, tracesOf } from '../factory.ts'
import { type ChangeSet, changePayment, commitChange } from './commit.ts'
import type { Payment } from './payment.ts'
import { type PaymentState, readState } from './state.ts'

/** A change of the payment, its attempt, the ledger and the events. */
function completion({ payment, attempts, at }: PaymentState, provider = 'scripted'): ChangeSet {
  const [before] = attempts
  if (!before) throw new Error('the payment has no attempt')
  const cause = { paymentId: payment.id, causeId: uuidOf(before.id) }
  const { amount } = payment
  return {
    payment,
    at,
    change: { status: 'completed', statusReason: null, fee: { ...amount, minor: 0n }, completedAt: at },
    attempt: { before, change: { status: 'completed', nextCheckAt: null } },
    transfers: [
      { kind: 'capture', debit: `clearing.${provider}`, credit: 'merchant.payable', amount, ...cause },
    ],
    events: [{ type: 'payment.completed' }],
  }
}

const completed = { transfers: ['capture'], events: ['1 payment.completed'] }
const nothing = { transfers: [], events: [] }

const test = base.extend('scene', ({ world, shop }) => {
  const { ctx } = world
  const now = (payment: Payment) => paymentNow(ctx, shop.owner, payment.id)
  async function stateOf(payment: Payment): Promise<PaymentState> {
    const state = await readState(ctx.db.kysely, payment.accountId, payment.id)
    if (state === null) throw new Error('the payment does not exist')
    return state
  }
  async function payable(): Promise<PaymentState> {
    const payment = await makePayment(ctx, shop.owner)
    await makeAttempt(ctx, payment)
    return stateOf(payment)
  }
  const traces = (payment: Payment) => tracesOf(ctx, payment)
  return { ctx, now, stateOf, payable, traces }
})

test('a change set is written whole, and returns the payment as it is then', async ({
  scene: { payable, ctx, now, traces },
}) => {
  const state = await payable()
  const after = await commitChange(ctx, completion(state))
  expect(after).toEqual(await now(state.payment))
  expect(after).toMatchObject({ status: 'completed', version: state.payment.version + 1, lastEvent: 1 })
  expect((await latestAttempt(ctx, state.payment)).status).toBe('completed')
  expect(await traces(state.payment)).toEqual(completed)
})

test('concurrent change sets are one statement', async ({ scene: { payable, ctx } }) => {
  const states = await Promise.all([payable(), payable(), payable()])
  const statement = vi.spyOn(ctx.db, 'commitStatement')
  const written = await Promise.all(states.map((state) => commitChange(ctx, completion(state))))
  expect(statement).toHaveBeenCalledTimes(1)
  expect(written.map((after) => after?.status)).toEqual(['completed', 'completed', 'completed'])
})

test('a change set from an outdated version of its payment writes nothing, and the others are written', async ({
  scene: { payable, ctx, traces },
}) => {
  const [stale, fresh] = await Promise.all([payable(), payable()])
  await commitChange(ctx, { payment: stale.payment, at: stale.at, change: { statusReason: 'checking' } })
  const [refused, written] = await Promise.all([
    commitChange(ctx, completion(stale)),
    commitChange(ctx, completion(fresh)),
  ])
  expect(refused).toBeNull()
  expect(written).toMatchObject({ status: 'completed' })
  expect(await traces(stale.payment)).toEqual(nothing)
  expect((await latestAttempt(ctx, stale.payment)).status).toBe('pending')
})

test('a change set from an outdated version of its attempt writes nothing', async ({
  scene: { payable, ctx, traces, now },
}) => {
  const stale = await payable()
  const [before] = stale.attempts
  if (!before) throw new Error('the payment has no attempt')
  const reply = { providerReference: 'MP1', nextCheckAt: plusMs(stale.at, 1000) }
  expect(
    await commitChange(ctx, { payment: stale.payment, at: stale.at, attempt: { before, change: reply } }),
  ).toEqual(stale.payment)
  expect(await commitChange(ctx, completion(stale))).toBeNull()
  expect(await traces(stale.payment)).toEqual(nothing)
  expect(await now(stale.payment)).toEqual(stale.payment)
})

test.for(['payments', 'payment_attempts'])(
  'a row of %s that another session has locked delays no other change set, and its own is not written',
  async (table, { scene: { payable, ctx } }) => {
    const [held, ...others] = await Promise.all([payable(), payable(), payable()])
    await ctx.db.tx(async (tx) => {
      const column = table === 'payments' ? 'id' : 'payment_id'
      await sql`select from ${sql.table(table)} where ${sql.ref(column)} = ${uuidOf(held.payment.id)} for update`.execute(
        tx,
      )
      const written = await Promise.all(
        [held, ...others].map((state) => commitChange(ctx, completion(state))),
      )
      expect(written.map((after) => after?.status)).toEqual([undefined, 'completed', 'completed'])
    })
  },
)

test('one of several change sets of one payment at the same moment is written', async ({
  scene: { payable, ctx, traces },
}) => {
  const state = await payable()
  const results = await Promise.all(Array.from({ length: 20 }, () => commitChange(ctx, completion(state))))
  expect(results.filter((after) => after !== null)).toHaveLength(1)
  expect(await traces(state.payment)).toEqual(completed)
})

test('one of several processes that decide from one version writes', async ({
  scene: { payable, ctx, traces },
}) => {
  const state = await payable()
  const processes = Array.from({ length: 8 }, () => ({ ...ctx, db: { ...ctx.db } }))
  const results = await Promise.all(processes.map((process) => commitChange(process, completion(state))))
  expect(results.filter((after) => after !== null)).toHaveLength(1)
  expect(await traces(state.payment)).toEqual(completed)
})

test('a change set does not fail with another of its payment', async ({ scene: { payable, ctx, now } }) => {
  const state = await payable()
  const { payment } = state
  const refused: ChangeSet = { ...completion(state), change: { fee: { ...payment.amount, minor: -1n } } }
  const [first, second] = await Promise.allSettled([
    commitChange(ctx, refused),
    commitChange(ctx, completion(state)),
  ])
  expect(first.status).toBe('rejected')
  expect(second).toEqual({ status: 'fulfilled', value: null })
  expect(await now(payment)).toEqual(payment)
})

test('a change set that the database refuses fails alone', async ({ scene: { payable, ctx, traces } }) => {
  const states = await Promise.all([payable(), payable(), payable()])
  const results = await Promise.allSettled(
    states.map((state, nth) => {
      const set = completion(state)
      return commitChange(ctx, nth === 1 ? { ...set, change: { status: 'failed' } } : set)
    }),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await Promise.all(states.map(({ payment }) => traces(payment)))).toEqual([
    completed,
    nothing,
    completed,
  ])
})

test.for([6000, -6000])(
  'a change set that was decided %d ms from the database’s time is not written',
  async (ms, { scene: { payable, ctx, traces } }) => {
    const state = await payable()
    expect(await commitChange(ctx, completion({ ...state, at: plusMs(state.at, ms) }))).toBeNull()
    expect(await traces(state.payment)).toEqual(nothing)
  },
)

test('what is written alongside is rolled back with a change set that is outdated', async ({
  scene: { payable, ctx, traces },
}) => {
  const state = await payable()
  await commitChange(ctx, { payment: state.payment, at: state.at, change: { statusReason: 'checking' } })
  const last = vi.fn(async () => undefined)
  let isFirst = false
  const first = async (tx: Tx): Promise<void> => {
    await sql`update payments set description = 'Changed' where id = ${uuidOf(state.payment.id)}`.execute(tx)
    isFirst = true
  }
  expect(await commitChange(ctx, completion(state), { first, last })).toBeNull()
  expect([isFirst, last.mock.calls]).toEqual([true, []])
  const now = await readState(ctx.db.kysely, state.payment.accountId, state.payment.id)
  expect(now?.payment.description).toBe(state.payment.description)
  expect(await traces(state.payment)).toEqual(nothing)
})

test('a change is decided again from the state that another one has left', async ({
  scene: { payable, ctx, traces, stateOf },
}) => {
  const known = await payable()
  await commitChange(ctx, { payment: known.payment, at: known.at, change: { statusReason: 'checking' } })
  const reasons: unknown[] = []
  const after = await changePayment(
    ctx,
    () => stateOf(known.payment),
    (state) => {
      reasons.push(state.payment.statusReason)
      return { effects: completion(state), result: (payment) => payment }
    },
    { known },
  )
  expect(reasons).toEqual(['awaiting_payer', 'checking'])
  expect(after).toMatchObject({ status: 'completed' })
  expect(await traces(known.payment)).toEqual(completed)
})

test('a change fails when another session keeps its payment locked', async ({
  scene: { payable, ctx, stateOf },
}) => {
  const known = await payable()
  await ctx.db.tx(async (tx) => {
    await lockPayment(tx, known.payment)
    const change = changePayment(
      ctx,
      () => stateOf(known.payment),
      (state) => ({ effects: completion(state), result: () => undefined }),
      { known },
    )
    expect(isLockTaken(await change.catch((error: unknown) => error))).toBe(true)
  })
})

test('a change by a transition that is in no table is a bug', async ({ scene: { payable, ctx } }) => {
  const { payment, attempts, at } = await payable()
  const [before] = attempts
  if (!before) throw new Error('the payment has no attempt')
  const refunded = commitChange(ctx, { payment, at, change: { status: 'refunded' } })
  await expect(refunded).rejects.toThrow('A pending payment cannot become refunded')
  const sent = commitChange(ctx, { payment, at, attempt: { before, change: { status: 'sending' } } })
  await expect(sent).rejects.toThrow('A pending attempt cannot become sending')
})
