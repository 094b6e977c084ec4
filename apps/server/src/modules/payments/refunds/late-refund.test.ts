import { money } from '@muripo/contract/money'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { byMerchant } from '../../../../test/audit-entries.ts'
import { freshShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { makePaid, paid, paymentNow, pending, refused, standingOf } from '../factory.ts'
import type { Payment } from '../payment.ts'
import { handleCallback } from '../provider-calls/actions/handle-callback.ts'
import { refundPayment } from './actions/refund-by-dashboard.ts'

let world: World
let shop: Shop
let payment: Payment
let token: string

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())

// Each test begins with a refund that its provider refused and may still pay.
beforeEach(async () => {
  shop = await freshShop(world)
  payment = await makePaid(world.ctx, shop.owner, world.provider)
  world.provider.refund = async () => refused('declined')
  await expect(refund()).rejects.toMatchObject({ code: 'refund_declined' })
  token = world.provider.refunds[0]?.callbackUrl.split('/').at(-1) ?? ''
  world.provider.lookupRefund = async ({ key }) =>
    token && key ? paid(money(1250n, 'USD'), 'RF9') : pending()
})

const refund = async () => {
  const { accountId, id } = payment
  const input = { amount: 12.5, currency: 'USD' } as const
  return (await refundPayment(world.ctx, byMerchant(accountId), accountId, id, input)).payment
}
const callback = () => handleCallback(world.ctx, 'scripted', token)
/** The balances: the provider holds nothing, the merchant owes the fee, and no payer is owed anything. */
const afterwards = {
  'clearing.scripted': 0n,
  'fee.revenue': -84n,
  'merchant.payable': 84n,
  'refunds.payable': 0n,
}
const now = () => paymentNow(world.ctx, shop.owner, payment.id)
const balances = () => standingOf(world.ctx, shop.accountId)

test('a callback from another provider than that of the refund is ignored', async () => {
  expect(await handleCallback(world.ctx, 'other', token)).toBe('unknown token')
  expect((await now()).status).toBe('completed')
})

test('a refund paid after its refusal is taken from the merchant, once', async () => {
  await Promise.all([callback(), callback(), callback()])
  await callback()
  expect(await now()).toMatchObject({ status: 'refunded', refunded: money(1250n, 'USD') })
  expect(await balances()).toEqual(afterwards)
  expect(world.errors).toEqual(['a provider paid a refund that it had refused'])
})

test('a refund that its provider reports as paid without an amount is booked with its amount', async () => {
  const { lookupRefund } = world.provider
  world.provider.lookupRefund = async () => paid(null, 'RF9')
  const before = [await now(), await balances()]
  await callback()
  expect([await now(), await balances()]).toEqual(before)
  world.provider.lookupRefund = lookupRefund
  await callback()
  expect(await now()).toMatchObject({ status: 'refunded', refunded: money(1250n, 'USD') })
})

test('when a later refund was paid, an operator has to decide', async () => {
  world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
  expect((await refund()).status).toBe('refunded')
  const before = await now()
  await callback()
  expect(await now()).toEqual(before)
  expect(await balances()).toEqual(afterwards)
  expect(world.errors).toEqual(['a provider paid a refund that it had refused'])
})

test('when a later refund is in progress, neither is undone', async () => {
  world.provider.refund = async () => pending()
  expect((await refund()).status).toBe('completed')
  await callback()
  expect(await now()).toMatchObject({ status: 'completed', refundPending: money(1250n, 'USD') })
  expect(world.errors).toEqual(['a provider paid a refund that it had refused'])
})

test('beside a partial refund that was paid meanwhile it is booked when both fit, and awaits an operator when they do not', async () => {
  const part = (amount: number) =>
    refundPayment(world.ctx, byMerchant(payment.accountId), payment.accountId, payment.id, {
      amount,
      currency: 'USD',
    })
  world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
  await part(5)
  await callback()
  expect(await now()).toMatchObject({ status: 'completed', refunded: money(500n, 'USD') })

  world.provider.refund = async () => refused('declined')
  await expect(part(2.5)).rejects.toMatchObject({ code: 'refund_declined' })
  token = world.provider.refunds.at(-1)?.callbackUrl.split('/').at(-1) ?? ''
  world.provider.lookupRefund = async () => paid(money(250n, 'USD'), 'RF9')
  await callback()
  expect(await now()).toMatchObject({ status: 'completed', refunded: money(750n, 'USD') })
  expect(world.errors).toEqual(Array(2).fill('a provider paid a refund that it had refused'))
})
