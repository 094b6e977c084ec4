import { money } from '@muripo/contract/money'
import { problemOf } from '@muripo/locales/form-problems'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freshShop, makeWorld, type Shop, type World, type WorldCtx } from '../../../../test/world.ts'
import { ProviderError } from '../../providers/index.ts'
import { registryOf } from '../../providers/registry.ts'
import {
  makeAttempt,
  makePayment,
  paid,
  paymentNow,
  refused,
  renew,
  type ScriptedProvider,
  scriptedProvider,
  unanswered,
} from '../factory.ts'
import type { Payment } from '../payment/payment.ts'
import { attemptsOf } from '../payment/store-attempts.ts'
import { cancelPayment } from './cancel-payment.ts'

let world: World
let ctx: WorldCtx
let second: ScriptedProvider
let shop: Shop
let payment: Payment

beforeAll(async () => {
  world = await makeWorld()
  second = scriptedProvider()
  const other = { ...second.connector, id: 'second' }
  ctx = { ...world.ctx, providers: registryOf([world.provider.connector, other]) }
})
afterAll(async () => {
  await world.ctx.backgroundTasks.drain()
  await world.ctx.close()
})
beforeEach(async () => {
  shop = await freshShop(world)
  renew(second)
  second.charge = async ({ amount }) => paid(amount)
  payment = await makePayment(ctx, shop.owner)
})

const unreachable = () => new ProviderError('unavailable', 'no connection', { neverSent: true })
const failFirst = (error: Error) => {
  world.provider.charge = async () => Promise.reject(error)
}
const traces = async () =>
  (await attemptsOf(ctx.db.kysely, shop.accountId, payment.id)).map(
    ({ provider, status }) => `${provider} ${status}`,
  )

test('a charge that provably was not sent goes to the next provider, as an attempt with a key of its own', async () => {
  failFirst(unreachable())
  await makeAttempt(ctx, payment)
  expect(await traces()).toEqual(['second completed', 'scripted failed'])
  expect(await paymentNow(ctx, shop.owner, payment.id)).toMatchObject({ status: 'completed' })
  expect(second.charges[0]?.key).not.toBe(world.provider.charges[0]?.key)
  expect(second.charges[0]).toMatchObject({ msisdn: '263771234567', amount: payment.amount })
})

describe('the next provider is not called after', () => {
  test.each<[string, Error]>([
    ['an unknown outcome', unanswered()],
    ['a refusal of the payer', new ProviderError('declined', 'no money', { reason: 'insufficient_funds' })],
    ['a refusal of the request', new ProviderError('invalid', 'wrong merchant')],
    ['an answer that it is too busy', new ProviderError('unavailable', 'HTTP 429')],
  ])('%s', async (_name, error) => {
    failFirst(error)
    await makeAttempt(ctx, payment)
    expect(second.charges).toEqual([])
  })

  test('a failure in the reply', async () => {
    world.provider.charge = async () => refused()
    await makeAttempt(ctx, payment)
    expect(second.charges).toEqual([])
  })
})

test('when no provider can be reached the payer may start another attempt, and both attempts have failed', async () => {
  failFirst(unreachable())
  second.charge = async () => Promise.reject(unreachable())
  await makeAttempt(ctx, payment)
  expect(await traces()).toEqual(['second failed', 'scripted failed'])
  expect(await paymentNow(ctx, shop.owner, payment.id)).toMatchObject({ status: 'pending' })
})

test('a provider that cannot prompt this number is left out', async () => {
  failFirst(unreachable())
  const picky = { ...second.connector, id: 'picky', refuseNumber: () => problemOf('phoneNotMobile') }
  const route = { ...ctx, providers: registryOf([world.provider.connector, picky]) }
  await makeAttempt(route, payment)
  expect(await traces()).toEqual(['scripted failed'])
})

test('a provider that does not take the amount is left out, and without another one the attempt is refused', async () => {
  const { amount } = payment
  const small = {
    ...world.provider.connector,
    limits: { USD: { least: null, most: money(amount.minor - 1n, 'USD') } },
  }
  await makeAttempt(
    { ...ctx, providers: registryOf([small, { ...second.connector, id: 'second' }]) },
    payment,
  )
  expect(await traces()).toEqual(['second completed'])
  const other = await makePayment(ctx, shop.owner)
  await expect(makeAttempt({ ...ctx, providers: registryOf([small]) }, other)).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [{ field: 'method', message: 'EcoCash takes at most USD 12.49' }],
  })
})

test('a payment that is cancelled during the first call is not charged by the next provider', async () => {
  world.provider.charge = async () => {
    await cancelPayment(ctx, shop.accountId, payment.id)
    throw unreachable()
  }
  await makeAttempt(ctx, payment)
  expect(second.charges).toEqual([])
  expect(await paymentNow(ctx, shop.owner, payment.id)).toMatchObject({ status: 'failed' })
})
