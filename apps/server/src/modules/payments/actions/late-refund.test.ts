import { money } from '@muripo/contract/money'
import { expect } from 'vitest'
import { test as base } from '../../../../test/paid-payment.ts'
import { tokenOf } from '../../../../test/payment-scene.ts'
import { paid, pending, refused } from '../factory.ts'
import type { Payment } from '../payment/payment.ts'
import { handleCallback } from './handle-callback.ts'

/** `callback` reports the first refund, or a later one. */
const test = base.extend(
  'callback',
  ({ world }) =>
    (nth = 0, from = 'scripted') =>
      handleCallback(world.ctx, from, tokenOf(world.provider.refunds[nth]?.callbackUrl)),
)

// Each test begins with a refund that its provider refused and may still pay.
test.beforeEach(async ({ provider, refund }) => {
  provider.refund = async () => refused('declined')
  await expect(refund(12.5)).rejects.toMatchObject({ code: 'refund_declined' })
  provider.lookupRefund = async () => paid(money(1250n, 'USD'), 'RF9')
})

/** The balances: the provider holds nothing, the merchant owes the fee, and no payer is owed anything. */
const afterwards = {
  'clearing.scripted': 0n,
  'fee.revenue': -84n,
  'merchant.payable': 84n,
  'refunds.payable': 0n,
}

test('a callback from another provider than that of the refund is ignored', async ({ callback, now }) => {
  expect(await callback(0, 'other')).toBe('unknown token')
  expect((await now()).status).toBe('completed')
})

test('a refund paid after its refusal is taken from the merchant, once', async ({
  world,
  callback,
  now,
  balances,
}) => {
  await Promise.all([callback(), callback(), callback()])
  await callback()
  expect(await now()).toMatchObject({ status: 'refunded', refunded: money(1250n, 'USD') })
  expect(await balances()).toEqual(afterwards)
  expect(world.errors).toEqual(['a provider paid a refund that it had refused'])
})

/** The version orders the changes of a payment's refunds too. */
const withoutVersion = ({ version, ...seen }: Payment) => seen

test('a refund that its provider reports as paid without an amount is booked with its amount', async ({
  provider,
  callback,
  now,
  balances,
}) => {
  const { lookupRefund } = provider
  provider.lookupRefund = async () => paid(null, 'RF9')
  const before = [withoutVersion(await now()), await balances()]
  await callback()
  expect([withoutVersion(await now()), await balances()]).toEqual(before)
  provider.lookupRefund = lookupRefund
  await callback()
  expect(await now()).toMatchObject({ status: 'refunded', refunded: money(1250n, 'USD') })
})

test('when a later refund was paid, an operator has to decide', async ({
  world,
  callback,
  refund,
  now,
  balances,
}) => {
  world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
  expect((await refund(12.5)).payment.status).toBe('refunded')
  const before = withoutVersion(await now())
  await callback()
  expect(withoutVersion(await now())).toEqual(before)
  expect(await balances()).toEqual(afterwards)
  expect(world.errors).toEqual(['a provider paid a refund that it had refused'])
})

test('when a later refund is in progress, neither is undone', async ({ world, callback, refund, now }) => {
  world.provider.refund = async () => pending()
  expect((await refund(12.5)).payment.status).toBe('completed')
  await callback()
  expect(await now()).toMatchObject({ status: 'completed', refundPending: money(1250n, 'USD') })
  expect(world.errors).toEqual(['a provider paid a refund that it had refused'])
})

test('beside a partial refund that was paid meanwhile it is booked when both fit, and awaits an operator when they do not', async ({
  world,
  callback,
  refund,
  now,
}) => {
  world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
  await refund(5)
  await callback()
  expect(await now()).toMatchObject({ status: 'completed', refunded: money(500n, 'USD') })

  world.provider.refund = async () => refused('declined')
  await expect(refund(2.5)).rejects.toMatchObject({ code: 'refund_declined' })
  world.provider.lookupRefund = async () => paid(money(250n, 'USD'), 'RF9')
  await callback(2)
  expect(await now()).toMatchObject({ status: 'completed', refunded: money(750n, 'USD') })
  expect(world.errors).toEqual(Array(2).fill('a provider paid a refund that it had refused'))
})
