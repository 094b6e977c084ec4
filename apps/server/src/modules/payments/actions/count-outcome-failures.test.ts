import { money } from '@muripo/contract/money'
import { expect } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { test as base } from '../../../../test/fixtures.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import {
  latestAttempt,
  lookUpDue,
  makeAttempt,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
  refused,
  unanswered,
} from '../factory.ts'
import { MOST_OUTCOME_FAILURES } from '../payment/outcome.ts'
import { handleCallback } from './handle-callback.ts'
import { refundPayment } from './request-refund.ts'
import { openAnomalies } from './resolve-anomaly.ts'
import { attemptsInReview, resolveAttempt } from './resolve-attempt.ts'
import { waitingRefunds } from './resolve-refund.ts'

const MINUTE = 60_000

const test = base.extend('scene', ({ world }) => {
  /** A gateway in which no payment can be completed. */
  const broken = {
    ...world.ctx,
    feeFor: () => {
      throw new Error('the price list has no price')
    },
  }
  return { broken }
})

test('an attempt whose outcome cannot be recorded is listed for an operator after a few failures, who decides it', async ({
  world,
  shop,
  scene: { broken },
}) => {
  const payment = await makePayment(world.ctx, shop.owner)
  const attempt = await makeAttempt(world.ctx, payment)
  world.provider.lookup = async () => paid(payment.amount)
  for (let minute = 0; minute < 3 * MOST_OUTCOME_FAILURES; minute += 1) {
    world.ctx.clock.advance(MINUTE)
    await lookUpDue(broken)
  }
  expect(world.provider.lookups).toHaveLength(MOST_OUTCOME_FAILURES)
  expect(await paymentNow(world.ctx, shop.owner, payment.id)).toMatchObject({
    status: 'pending',
    statusReason: 'under_review',
  })
  expect(world.errors).toContain(
    'the outcome of a provider call cannot be recorded; an operator has to decide',
  )
  expect(await attemptsInReview(world.ctx, 10)).toMatchObject([
    { id: attempt.id, outcomeFailures: MOST_OUTCOME_FAILURES },
  ])

  // A reply that changes nothing does not schedule a look-up.
  world.provider.lookup = async () => pending()
  await handleCallback(world.ctx, 'scripted', world.ctx.attemptLinks.tokenOf(shop.accountId, attempt.id))
  expect(await attemptsInReview(world.ctx, 10)).toMatchObject([{ id: attempt.id }])

  const operator = operatorActor('tendai', 'till@counter')
  const verdict = { outcome: 'completed', reference: 'MP77' } as const
  await resolveAttempt(world.ctx, operator, payment.id, null, verdict)
  expect(await paymentNow(world.ctx, shop.owner, payment.id)).toMatchObject({ status: 'completed' })
})

test('a late success that cannot be recorded is listed for an operator after a few failures', async ({
  world,
  shop,
  scene: { broken },
}) => {
  const payment = await makePayment(world.ctx, shop.owner)
  world.provider.charge = async () => refused()
  const attempt = await makeAttempt(world.ctx, payment)
  world.provider.lookup = async () => paid(payment.amount)
  for (let hour = 0; hour < 48; hour += 1) {
    world.ctx.clock.advance(60 * MINUTE)
    await lookUpDue(broken)
  }
  expect(world.provider.lookups).toHaveLength(MOST_OUTCOME_FAILURES)
  expect(await latestAttempt(world.ctx, payment)).toMatchObject({ id: attempt.id, status: 'failed' })
  expect(await openAnomalies(world.ctx, 10)).toMatchObject([{ paymentId: payment.id, kind: 'unanswered' }])
})

test('a failure that passes leaves the attempt on its schedule', async ({
  world,
  shop,
  scene: { broken },
}) => {
  const payment = await makePayment(world.ctx, shop.owner)
  await makeAttempt(world.ctx, payment)
  world.provider.lookup = async () => paid(payment.amount)
  for (const ctx of [broken, broken, world.ctx]) {
    world.ctx.clock.advance(MINUTE)
    await lookUpDue(ctx)
  }
  expect(await paymentNow(world.ctx, shop.owner, payment.id)).toMatchObject({ status: 'completed' })
  expect(await latestAttempt(world.ctx, payment)).toMatchObject({ outcomeFailures: 2 })
})

test('a refund whose outcome cannot be recorded is listed for an operator after a few failures', async ({
  world,
  shop,
}) => {
  const payment = await makePaid(world.ctx, shop.owner, world.provider)
  world.provider.refund = () => Promise.reject(unanswered())
  await refundPayment(world.ctx, byMerchant(shop.merchantId), shop.accountId, payment.id, {
    amount: 5,
    currency: 'USD',
  })
  const [opened] = await waitingRefunds(world.ctx, 10)
  expect(opened).toBeUndefined()
  // The database refuses the booking.
  await world.ctx.db.pool.query(
    "alter table ledger_transfers add constraint no_refund check (kind <> 'refund_paid') not valid",
  )
  world.provider.lookupRefund = async () => paid(money(500n, 'USD'), 'RF1')
  for (let minute = 0; minute < 3 * MOST_OUTCOME_FAILURES; minute += 1) {
    world.ctx.clock.advance(MINUTE)
    await lookUpDue(world.ctx)
  }
  expect(await waitingRefunds(world.ctx, 10)).toMatchObject([{ paymentId: payment.id, status: 'unknown' }])
})
