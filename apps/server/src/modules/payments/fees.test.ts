import { type Money, money } from '@muripo/contract/money'
import { expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { makeAttempt, makePaid, makePayment, paid, paymentNow, standingOf, tracesOf } from './factory.ts'
import { toDashboard, toPublic } from './payment/wire.ts'

test.for([
  // 3.5 % and 0.40: 87.5 cents are rounded to the even 88.
  [25, 'USD', { fee: 1.28, net: 23.72 }],
  [12.5, 'USD', { fee: 0.84, net: 11.66 }],
  // The fixed part is the same number of minor units in every currency.
  [100, 'ZAR', { fee: 3.9, net: 96.1 }],
  // A fee is never more than the amount.
  [0.3, 'USD', { fee: 0.3, net: 0 }],
] as const)(
  'a wallet pays %s %s: the payment contains fee and net amount',
  async ([amount, currency, amounts], { world, shop }) => {
    const payment = await makePaid(world.ctx, shop.owner, world.provider, { amount, currency })
    expect(toPublic(world.ctx, payment)).toMatchObject({ amount, ...amounts })
    expect(toDashboard(payment, 'Shop')).toMatchObject({ amount, ...amounts })
  },
)

test('an unpaid payment has neither', async ({ world, shop }) => {
  const { id } = await makePayment(world.ctx, shop.owner)
  const payment = await paymentNow(world.ctx, shop.owner, id)
  expect(toPublic(world.ctx, payment)).toMatchObject({ fee: null, net: null })
  expect(toDashboard(payment, 'Shop')).toMatchObject({ fee: null, net: null })
})

test.for([
  ['zero', () => money(0n, 'USD'), ['capture'], { 'clearing.scripted': 1250n, 'merchant.payable': -1250n }],
  [
    'the whole amount',
    (_method: string, amount: Money) => amount,
    ['capture', 'fee'],
    { 'clearing.scripted': 1250n, 'fee.revenue': -1250n, 'merchant.payable': 0n },
  ],
] as const)(
  '[INV-21] a payment with a fee of %s completes, and only a transfer that moves money is booked',
  async ([_what, feeFor, transfers, standing], { world, shop }) => {
    const payment = await makePaid({ ...world.ctx, feeFor }, shop.owner, world.provider)
    const fee = feeFor('ecocash', payment.amount)
    expect(payment).toMatchObject({ status: 'completed', fee })
    expect(await tracesOf(world.ctx, payment)).toEqual({ transfers, events: ['1 payment.completed'] })
    expect(await standingOf(world.ctx, shop.accountId)).toEqual(standing)
    const { rows } = await world.ctx.db.pool.query('select * from payment_ledger_drift')
    expect(rows).toEqual([])
  },
)

test('the fee is that of the method which the payer has chosen at a page of the provider', async ({
  world,
  shop,
}) => {
  const payment = await makePayment(world.ctx, shop.owner, { amount: 25 })
  world.provider.charge = async ({ amount }) => ({ ...paid(amount), method: 'visa' })
  await makeAttempt(world.ctx, payment)
  expect(toPublic(world.ctx, await paymentNow(world.ctx, shop.owner, payment.id))).toMatchObject({
    method: 'visa',
    fee: 1.02,
    net: 23.98,
  })
})
