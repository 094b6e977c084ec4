import { money } from '@muripo/contract/money'
import { describe, expect } from 'vitest'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { makeShop, type World } from '../../../../test/world.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { testAccountIdOf } from '../../identity/index.ts'
import {
  freshReference,
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
  refused,
  tracesOf,
} from '../factory.ts'
import { expireDue } from '../jobs.ts'
import type { Payment } from '../payment/payment.ts'
import { attemptsOf } from '../payment/store-attempts.ts'
import { cancelPayment } from './cancel-payment.ts'
import { handleCallback } from './handle-callback.ts'
import { attemptsInReview, resolveAttempt, type Verdict } from './resolve-attempt.ts'

const HOUR = 3_600_000

const operator = operatorActor('tendai', 'till@counter')
const paidBy = (reference = freshReference()) => ({ outcome: 'completed', reference }) as const
const failed = { outcome: 'failed' } as const

const test = base.extend('scene', ({ world, shop }) => {
  const now = (payment: Payment) => paymentNow(world.ctx, shop.owner, payment.id)
  const resolve = (payment: Payment, verdict: Verdict) =>
    resolveAttempt(world.ctx, operator, payment.id, null, verdict)
  async function held(): Promise<Payment> {
    const payment = await makePayment(world.ctx, shop.owner)
    world.provider.charge = async () => paid(money(1249n, 'USD'))
    await makeAttempt(world.ctx, payment)
    world.provider.charge = async () => pending()
    return payment
  }
  /** An attempt that is open for a day, without a reply. */
  async function unanswered(): Promise<Payment> {
    const payment = await makePayment(world.ctx, shop.owner)
    await makeAttempt(world.ctx, payment)
    for (let hour = 0; hour < 26; hour += 1) {
      world.ctx.clock.advance(HOUR)
      await lookUpDue(world.ctx)
      await expireDue(world.ctx)
    }
    return payment
  }
  const traces = (payment: Payment) => tracesOf(world.ctx, payment)
  return { now, resolve, held, unanswered, traces }
})

test.beforeEach(async ({ world }) => {
  // Cases that earlier tests left for an operator are removed.
  await world.ctx.db.pool.query(
    "update payment_attempts set status = 'failed', failure_reason = 'declined', next_check_at = null, watch_until = now() where status not in ('failed', 'completed', 'duplicate')",
  )
})

describe('the list of attempts in review', () => {
  test('contains held charges and charges without a reply for a day, and nothing else', async ({
    world,
    shop,
    scene,
  }) => {
    const odd = await scene.held()
    const open = await scene.unanswered()
    await makePaid(world.ctx, shop.owner, world.provider)
    await makeAttempt(world.ctx, await makePayment(world.ctx, shop.owner))
    const found = await attemptsInReview(world.ctx, 10)
    expect(found.map(({ paymentId, heldBecause }) => [paymentId, heldBecause])).toEqual([
      [odd.id, 'the provider moved another amount than requested'],
      [open.id, null],
    ])
    expect(await scene.now(open)).toMatchObject({ status: 'pending', statusReason: 'under_review' })
  })

  test('marks the charges of test keys', async ({ world, shop, admin }) => {
    const real = await makePayment(world.ctx, shop.owner)
    await makeAttempt(world.ctx, real)
    const book = await world.ctx.db.tx((tx) => testAccountIdOf(world.ctx, tx, shop.accountId))
    const trial = await makePayment(world.ctx, (await makeShop(world.ctx, book)).owner)
    await makeAttempt(world.ctx, trial)
    await world.ctx.db.pool.query("update payment_attempts set next_check_at = null where status = 'pending'")
    const found = await attemptsInReview(world.ctx, 10)
    expect(found.map((each) => [each.paymentId, each.isTest])).toEqual([
      [real.id, false],
      [trial.id, true],
    ])
    const [first, second] = (await admin('payments', 'review')).output.split(/\n\n(?=pay_)/)
    expect(first).not.toContain('test key')
    expect(second).toContain('a test key created the payment: no money has moved')
  })

  test('is read by an index that contains nothing else', async ({ world }) => {
    const client = await world.ctx.db.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local enable_seqscan = off')
      const { rows } = await client.query(
        `explain select from payment_attempts
         where (index_status = 'held' or (index_status = 'underway' and index_due_at is null)) order by created_at limit 50`,
      )
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('payment_attempts_in_review')
    } finally {
      await client.query('rollback')
      client.release()
    }
  })
})

describe('an operator resolves', () => {
  test.for([
    ['held', 'held'],
    ['unheard of', 'unanswered'],
  ] as const)(
    'a charge that is %s as paid, once: with its capture, its event and an audit entry',
    async ([_how, make], { world, scene }) => {
      const payment = await scene[make]()
      const completed = paidBy()
      expect(await scene.resolve(payment, completed)).toEqual({
        kind: 'done',
        status: 'completed',
        isDuplicate: false,
      })
      expect(await scene.resolve(payment, completed)).toEqual({ kind: 'none' })
      expect(await scene.now(payment)).toMatchObject({
        statusReason: null,
        providerReference: completed.reference,
      })
      expect(await scene.traces(payment)).toEqual({
        transfers: ['capture', 'fee'],
        events: ['1 payment.completed'],
      })
      expect(await auditEntriesOn(world.ctx, payment.id)).toMatchObject([
        {
          action: 'payment.attempt_resolved',
          actor: 'tendai',
          actor_kind: 'operator',
          details: { ...completed, attemptId: (await latestAttempt(world.ctx, payment)).id },
        },
      ])
    },
  )

  test('a charge as not paid, and the payer may start another attempt', async ({ world, scene }) => {
    const payment = await scene.held()
    await expect(makeAttempt(world.ctx, payment)).rejects.toMatchObject({ code: 'payment_not_payable' })
    expect(await scene.resolve(payment, failed)).toMatchObject({ kind: 'done', status: 'pending' })
    expect(await scene.now(payment)).toMatchObject({ statusReason: 'declined' })
    world.provider.charge = async ({ amount }) => paid(amount)
    await makeAttempt(world.ctx, payment)
    expect(await scene.now(payment)).toMatchObject({ status: 'completed' })
  })

  test.for([
    [
      'has been cancelled',
      'cancelled',
      ({ ctx }: World, { accountId, id }: Payment) => cancelPayment(ctx, accountId, id),
    ],
    ['has expired', 'expired', async ({ ctx }: World) => ctx.clock.advance(25 * HOUR)],
  ] as const)(
    'a charge as not paid when the payment %s, and the payment fails',
    async ([_how, statusReason, close], { world, scene }) => {
      const payment = await scene.held()
      await close(world, payment)
      await expireDue(world.ctx)
      expect((await scene.now(payment)).status).toBe('pending')
      await scene.resolve(payment, failed)
      expect(await scene.now(payment)).toMatchObject({ status: 'failed', statusReason })
      expect((await scene.traces(payment)).events).toEqual(['1 payment.failed'])
    },
  )

  test('a mismatched late success as failed only, and the payment keeps the reason of its failure', async ({
    world,
    shop,
    scene,
  }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    world.provider.charge = async () => refused()
    await makeAttempt(world.ctx, payment)
    await cancelPayment(world.ctx, payment.accountId, payment.id)
    world.provider.lookup = async () => paid(money(1n, 'USD'))
    await handleCallback(
      world.ctx,
      'scripted',
      world.provider.charges[0]?.callbackUrl.split('/').at(-1) ?? '',
    )
    expect(await scene.now(payment)).toMatchObject({ status: 'failed', statusReason: 'under_review' })
    await scene.resolve(payment, failed)
    expect(await scene.now(payment)).toMatchObject({ status: 'failed', statusReason: 'cancelled' })
    expect((await scene.traces(payment)).events).toEqual(['1 payment.failed'])
  })

  test('one of several charges only when its id is named', async ({ world, shop, scene }) => {
    const payment = await makePayment(world.ctx, shop.owner)
    world.provider.charge = async () => refused()
    for (let nth = 0; nth < 2; nth += 1) await makeAttempt(world.ctx, payment)
    world.provider.lookup = async () => paid(money(1n, 'USD'))
    for (const { callbackUrl } of world.provider.charges)
      await handleCallback(world.ctx, 'scripted', callbackUrl.split('/').at(-1) ?? '')
    const [latest, first] = await attemptsOf(world.ctx.db.kysely, payment.accountId, payment.id)
    expect(await scene.resolve(payment, failed)).toEqual({
      kind: 'several',
      attempts: [first?.id, latest?.id],
    })
    await resolveAttempt(world.ctx, operator, payment.id, latest?.id ?? null, failed)
    expect(await scene.now(payment)).toMatchObject({ status: 'pending', statusReason: 'under_review' })
    await scene.resolve(payment, paidBy())
    expect(await scene.now(payment)).toMatchObject({ status: 'completed' })
  })

  test('a charge once, when 64 concurrent decisions contradict one another', async ({ world, scene }) => {
    const payment = await scene.held()
    const completed = paidBy()
    await Promise.allSettled(
      Array.from({ length: 64 }, (_, nth) => scene.resolve(payment, nth % 2 ? completed : failed)),
    )
    const { status } = await scene.now(payment)
    const { transfers, events } = await scene.traces(payment)
    expect([
      ['pending', [], []],
      ['completed', ['capture', 'fee'], ['1 payment.completed']],
    ]).toContainEqual([status, transfers, events])
    expect(await auditEntriesOn(world.ctx, payment.id)).toHaveLength(1)
  })
})

test('at the terminal: a pending attempt is listed with the facts for the provider, and resolved by the printed command', async ({
  world,
  admin,
  shop,
  scene,
}) => {
  const payment = await scene.held()
  const { code, output } = await admin('payments', 'review')
  expect(code).toBe(0)
  expect(output).toContain(payment.id)
  expect(output).toMatch(/Reason +the provider moved another amount than requested/)
  expect(output).toMatch(/Amount +USD 12\.50/)
  expect(output).toMatch(/Number +\+263771234567/)
  expect(output).toContain(`npm run admin -- payments resolve ${payment.id} completed --reference REFERENCE`)
  for (const [args, exit, words] of [
    [['nothing', 'failed'], 2, 'is not the id of a payment'],
    [[payment.id, 'paid'], 2, 'The outcome is completed with --reference, or failed'],
    [[payment.id, 'completed'], 2, "Give the provider's reference"],
    [[payment.id, 'completed', '--reference', ' '], 2, "Give the provider's reference"],
    [[payment.id, 'failed', '--attempt', 'x'], 2, 'is not the id of an attempt'],
    [[(await makePayment(world.ctx, shop.owner)).id, 'failed'], 1, 'waits for a decision: payments review'],
  ] as const) {
    const refusal = await admin('payments', 'resolve', ...args)
    expect([refusal.code, refusal.output]).toEqual([exit, expect.stringContaining(words)])
  }
  expect((await scene.now(payment)).status).toBe('pending')
})
