import { money } from '@muripo/contract/money'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { freshShop, makeWorld, type Shop, type World } from '../../../../../test/world.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import {
  lookUpDue,
  makeAttempt,
  makePayment,
  notFound,
  paid,
  paymentNow,
  refused,
  standingOf,
} from '../../factory.ts'
import type { Attempt, Payment } from '../../payment.ts'
import { lockPayment } from '../../store.ts'
import { openDuplicateRefund } from './open-duplicate-refund.ts'
import { sendRefund } from './send-refund.ts'

const MINUTE = 60_000

let world: World
let shop: Shop
let payment: Payment
let second: Attempt

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  shop = await freshShop(world)
  world.provider.lookupRefund = async () => notFound
  // The first attempt is refused, a second one is paid, and then the first one is paid late.
  const made = await makePayment(world.ctx, shop.owner)
  world.provider.charge = async () => refused()
  const late = await makeAttempt(world.ctx, made)
  world.provider.charge = async ({ amount }) => paid(amount)
  await makeAttempt(world.ctx, made)
  payment = await paymentNow(world.ctx, shop.owner, made.id)
  second = { ...late, providerReference: 'MP2' }
})

const open = () =>
  world.ctx.db.tx(async (tx) => {
    const locked = await lockPayment(tx, payment.accountId, payment.id)
    if (!locked) throw new Error('there is no payment')
    return openDuplicateRefund(world.ctx, tx, locked, second)
  })
const statuses = async () => {
  const { rows } = await world.ctx.db.pool.query(
    'select status, origin from refunds where payment_id = $1 order by id',
    [uuidOf(payment.id)],
  )
  return rows.map(({ status, origin }) => `${origin} ${status}`)
}
const balances = () => standingOf(world.ctx, shop.accountId)
/** The balances after one payment of 12.50, whatever happened to a second one. */
const once = { 'clearing.scripted': 1250n, 'fee.revenue': -84n, 'merchant.payable': -1166n }

test('the second amount is owed to the payer and refunded; the merchant’s amount does not change', async () => {
  const opened = await open()
  expect(await balances()).toEqual({ ...once, 'clearing.scripted': 2500n, 'refunds.payable': -1250n })
  await sendRefund(world.ctx, opened)
  expect(world.provider.refunds).toMatchObject([
    { originalReference: 'MP2', amount: money(1250n, 'USD'), reason: 'Paid twice' },
  ])
  expect(await balances()).toEqual({ ...once, 'refunds.payable': 0n })
  expect(await statuses()).toEqual(['duplicate completed'])
  expect(await paymentNow(world.ctx, shop.owner, payment.id)).toEqual(payment)
})

test('one second success is refunded once', async () => {
  await open()
  await expect(open()).rejects.toMatchObject({ constraint: 'refunds_one_duplicate' })
  expect(await balances()).toMatchObject({ 'refunds.payable': -1250n })
})

test('a duplicate that the provider does not refund awaits an operator, and stays the payer’s', async () => {
  world.provider.refund = async () => refused('declined')
  await sendRefund(world.ctx, await open())
  expect(await statuses()).toEqual(['duplicate awaiting_operator'])
  expect(await balances()).toMatchObject({ 'refunds.payable': -1250n, 'merchant.payable': -1166n })
  expect(world.errors).toEqual([
    'what was paid twice was not taken back by its provider; an operator has to send it',
  ])
})

test('one that was opened and never sent is resolved by an operator', async () => {
  await open()
  for (const age of [2 * MINUTE, 10 * MINUTE, MINUTE]) {
    world.ctx.clock.advance(age)
    await lookUpDue(world.ctx)
  }
  expect(await statuses()).toEqual(['duplicate awaiting_operator'])
  expect(world.provider.refunds).toEqual([])
})

test('a provider without refunds leaves it to an operator at once', async () => {
  world.provider.refundsBy = 'manual'
  await sendRefund(world.ctx, await open())
  expect(await statuses()).toEqual(['duplicate awaiting_operator'])
  expect(world.provider.refunds).toEqual([])
})
