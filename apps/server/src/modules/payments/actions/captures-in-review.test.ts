import { expect } from 'vitest'
import { driftOf, test, usd } from '../../../../test/authorised-payment.ts'
import type { Shop } from '../../../../test/world.ts'
import { systemActor } from '../../../platform/audit/actor.ts'
import { aggregateLedgerBalances } from '../../ledger/index.ts'
import type { PaymentsCtx } from '../context.ts'
import {
  authorised,
  freshReference,
  latestAttempt,
  makeAttempt,
  makePayment,
  paid,
  standingOf,
} from '../factory.ts'
import { findInReview } from '../review/store-in-review.ts'
import { applyOutcome } from './apply-outcome.ts'
import { checkAttempt } from './check-attempt.ts'
import { reviewCallback } from './handle-callback.ts'
import { resolveReview } from './resolve-anomaly.ts'
import { resolveAttempt } from './resolve-attempt.ts'

const operator = systemActor('rudo')
const standing = async (ctx: PaymentsCtx, { accountId }: Shop) => {
  await aggregateLedgerBalances(ctx)
  return standingOf(ctx, accountId)
}
const moved = (minor: bigint) => ({ amount: usd(minor), reason: 'Statement of 22 November' })

test.for([
  [1250n, 750n],
  [300n, -200n],
  [500n, 0n],
] as const)(
  'an operator confirms a capture of 5.00 of which the provider took %d: the difference is on suspense',
  async ([taken, difference], { scene, world: { ctx, provider }, shop }) => {
    const { lookup } = provider
    provider.lookup = async (request) => {
      await lookup(request)
      return paid(usd(taken === 500n ? 501n : taken))
    }
    await scene.capture(5)
    expect(await scene.now()).toMatchObject({ status: 'authorized', statusReason: 'under_review' })
    const [listed] = await findInReview(ctx.db.kysely, { paymentId: scene.payment.id, limit: 1 })
    expect(listed).toMatchObject({ amount: usd(1250n), instruction: usd(500n) })
    await expect(scene.cancel()).rejects.toMatchObject({ code: 'payment_not_cancellable' })
    const verdict = { outcome: 'completed', reference: freshReference(), moved: moved(taken) } as const
    expect(await resolveAttempt(ctx, operator, scene.payment.id, null, verdict)).toMatchObject({
      kind: 'done',
      status: 'completed',
    })
    expect(await scene.now()).toMatchObject({ captured: usd(500n), fee: ctx.feeFor('ecocash', usd(500n)) })
    const { suspense = 0n, ...accounts } = await standing(ctx, shop)
    expect(accounts).toMatchObject({ 'clearing.scripted': taken })
    expect(-suspense).toBe(difference)
    expect(await driftOf(ctx, shop)).toEqual([])
  },
)

test('an operator decides an amount that was captured without an instruction, and the payment is not cancelled meanwhile', async ({
  scene,
  world: { ctx, provider },
  shop,
}) => {
  provider.lookup = async () => paid(usd(1250n))
  await checkAttempt(ctx, shop.accountId, (await latestAttempt(ctx, scene.payment)).id)
  await expect(scene.cancel()).rejects.toMatchObject({ code: 'payment_not_cancellable' })
  await expect(scene.capture()).rejects.toMatchObject({ code: 'payment_not_capturable' })
  const verdict = { outcome: 'completed', reference: freshReference() } as const
  expect(await resolveAttempt(ctx, operator, scene.payment.id, null, verdict)).toMatchObject({ kind: 'done' })
  expect(await scene.now()).toMatchObject({ status: 'completed', captured: usd(1250n) })
  expect(await driftOf(ctx, shop)).toEqual([])
})

test('an operator confirms a refused capture that was paid after all, with its amount', async ({
  scene,
  world: { ctx, provider },
  shop,
}) => {
  provider.lookup = async () => ({ ...authorised(null), outcome: 'failed', reason: 'declined' })
  await scene.capture(7)
  const attempt = await latestAttempt(ctx, scene.payment)
  await reviewCallback(ctx, ctx.attemptLinks.tokenOf(shop.accountId, attempt.id))
  const verdict = { kind: 'completed', reference: freshReference() } as const
  expect(await resolveReview(ctx, operator, scene.payment.id, null, verdict)).toBe('done')
  expect(await scene.now()).toMatchObject({ status: 'completed', captured: usd(700n) })
  expect(await standing(ctx, shop)).toMatchObject({ 'clearing.scripted': 700n })
  expect(await driftOf(ctx, shop)).toEqual([])
})

test('an operator confirms that a voided authorisation was captured: it becomes an attempt to decide, and books nothing', async ({
  scene,
  world: { ctx },
  shop,
}) => {
  await scene.cancel()
  const attempt = await latestAttempt(ctx, scene.payment)
  await reviewCallback(ctx, ctx.attemptLinks.tokenOf(shop.accountId, attempt.id))
  const reference = freshReference()
  const verdict = { kind: 'completed', reference } as const
  expect(await resolveReview(ctx, operator, scene.payment.id, null, verdict)).toBe('done')
  expect((await latestAttempt(ctx, scene.payment)).status).toBe('held')
  expect((await scene.traces()).transfers).toEqual([])
  const resolved = { outcome: 'completed', reference, moved: moved(500n) } as const
  expect(await resolveAttempt(ctx, operator, scene.payment.id, null, resolved)).toMatchObject({
    status: 'completed',
  })
  expect(await standing(ctx, shop)).toMatchObject({ 'clearing.scripted': 500n, suspense: 750n })
  expect(await driftOf(ctx, shop)).toEqual([])
})

test('an operator does not complete a payment by a second capture, and books its amount on suspense', async ({
  scene,
  world: { ctx, provider },
  shop,
}) => {
  const payment = await makePayment(ctx, shop.owner, { capture: 'manual' })
  const { lookup } = provider
  const left = await makeAttempt(ctx, payment)
  await applyOutcome(ctx, left, { kind: 'failed', reason: 'user_cancelled', providerStatus: 'left' })
  await checkAttempt(ctx, shop.accountId, (await makeAttempt(ctx, payment)).id)
  await scene.capture(5, undefined, payment)
  provider.lookup = async () => paid(usd(1250n))
  await checkAttempt(ctx, shop.accountId, left.id)
  const completed = { outcome: 'completed', reference: freshReference() } as const
  expect(await resolveAttempt(ctx, operator, payment.id, null, completed)).toEqual({ kind: 'paid_already' })
  const failed = { outcome: 'failed', moved: moved(1250n) } as const
  expect(await resolveAttempt(ctx, operator, payment.id, null, failed)).toMatchObject({ kind: 'done' })
  expect(await scene.now(payment)).toMatchObject({ status: 'completed', captured: usd(500n) })
  expect(await standing(ctx, shop)).toMatchObject({ 'clearing.scripted': 1750n, suspense: -1250n })
  expect(await driftOf(ctx, shop)).toEqual([])
  provider.lookup = lookup
})
