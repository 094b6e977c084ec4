import { money } from '@muripo/contract/money'
import { expect } from 'vitest'
import { test as base } from '../../../../test/fixtures.ts'
import { violatedConstraint } from '../../../platform/db/failures.ts'
import { uuidOf } from '../../../platform/ids.ts'
import {
  lookUpDue,
  makeAttempt,
  makeDuplicateRefund,
  makePayment,
  notFound,
  paid,
  paymentNow,
  refused,
  standingOf,
} from '../factory.ts'
import { sendRefund } from './send-refund.ts'

const MINUTE = 60_000

/** The balances after one payment of 12.50, whatever happened to a second one. */
const once = { 'clearing.scripted': 1250n, 'fee.revenue': -84n, 'merchant.payable': -1166n }

const test = base
  // The first attempt is refused, a second one is paid, and then the first one is paid late.
  .extend('scene', async ({ world, provider, shop }) => {
    provider.lookupRefund = async () => notFound
    const made = await makePayment(world.ctx, shop.owner)
    provider.charge = async () => refused()
    const second = { ...(await makeAttempt(world.ctx, made)), providerReference: 'MP2' }
    provider.charge = async ({ amount }) => paid(amount)
    await makeAttempt(world.ctx, made)
    const payment = await paymentNow(world.ctx, shop.owner, made.id)
    const open = () => makeDuplicateRefund(world.ctx, second)
    const statuses = async () => {
      const { rows } = await world.ctx.db.pool.query(
        'select status, origin from refunds where payment_id = $1 order by id',
        [uuidOf(payment.id)],
      )
      return rows.map(({ status, origin }) => `${origin} ${status}`)
    }
    const balances = () => standingOf(world.ctx, shop.accountId)
    return { payment, open, statuses, balances }
  })

test('the second amount is owed to the payer and refunded; the merchant’s amount does not change', async ({
  world,
  shop,
  scene,
}) => {
  const opened = await scene.open()
  expect(await scene.balances()).toEqual({ ...once, 'clearing.scripted': 2500n, 'refunds.payable': -1250n })
  await sendRefund(world.ctx, opened)
  expect(world.provider.refunds).toMatchObject([
    { originalReference: 'MP2', amount: money(1250n, 'USD'), reason: 'Paid twice' },
  ])
  expect(await scene.balances()).toEqual({ ...once, 'refunds.payable': 0n })
  expect(await scene.statuses()).toEqual(['duplicate completed'])
  const now = await paymentNow(world.ctx, shop.owner, scene.payment.id)
  expect(now).toEqual({ ...scene.payment, version: scene.payment.version + 2 })
})

test('one second success is refunded once', async ({ scene }) => {
  await scene.open()
  const again = await scene.open().catch(violatedConstraint)
  expect(again).toBe('refunds_one_of_duplicate')
  expect(await scene.balances()).toMatchObject({ 'refunds.payable': -1250n })
})

test('a duplicate that the provider does not refund awaits an operator, and stays the payer’s', async ({
  world,
  scene,
}) => {
  world.provider.refund = async () => refused('declined')
  await sendRefund(world.ctx, await scene.open())
  expect(await scene.statuses()).toEqual(['duplicate awaiting_operator'])
  expect(await scene.balances()).toMatchObject({ 'refunds.payable': -1250n, 'merchant.payable': -1166n })
  expect(world.errors).toEqual([
    'a payment was paid twice; the second amount is refunded',
    'the provider did not refund a duplicate charge; an operator has to send the refund',
  ])
})

test('a refund that was opened and never sent is resolved by an operator', async ({ world, scene }) => {
  world.provider.refundLookup = 'proved'
  await scene.open()
  for (const age of [2 * MINUTE, 10 * MINUTE, MINUTE]) {
    world.ctx.clock.advance(age)
    await lookUpDue(world.ctx)
  }
  expect(await scene.statuses()).toEqual(['duplicate awaiting_operator'])
  expect(world.provider.refunds).toEqual([])
})

test('a provider without refunds leaves it to an operator at once', async ({ world, scene }) => {
  world.provider.refundsBy = 'manual'
  await sendRefund(world.ctx, await scene.open())
  expect(await scene.statuses()).toEqual(['duplicate awaiting_operator'])
  expect(world.provider.refunds).toEqual([])
})
