import { expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { makeShop } from '../../../test/world.ts'
import { findApplicationName } from '../applications/index.ts'
import { latestAttempt, makeAttempt, makePayment } from './factory.ts'
import { readState, readStateOf, readWhole } from './payment/state.ts'
import { attemptsOf, findAttempt } from './payment/store-attempts.ts'
import { findPayment } from './payment/store-payment.ts'
import { findSameOrder } from './store-same-order.ts'

test('another merchant that reads at the same moment as the owner receives nothing of the owner’s', async ({
  world,
}) => {
  const { db } = world.ctx
  const owner = await makeShop(world.ctx)
  const other = await makeShop(world.ctx)
  const payment = await makePayment(world.ctx, owner.owner)
  await makeAttempt(world.ctx, payment)
  const attempt = await latestAttempt(world.ctx, payment)

  const both = <Found>(request: (accountId: typeof owner.accountId) => Promise<Found>) =>
    Promise.all([request(other.accountId), request(owner.accountId), request(other.accountId)])
  const [no, yes, neither] = await both((accountId) => findPayment(db.kysely, accountId, payment.id))
  expect([no, yes?.id, neither]).toEqual([null, payment.id, null])
  const attempts = await both((accountId) => attemptsOf(db.kysely, accountId, payment.id))
  expect(attempts.map(({ length }) => length)).toEqual([0, 1, 0])
  const found = await both((accountId) => findAttempt(db.kysely, accountId, attempt.id))
  expect(found.map((each) => each?.id)).toEqual([undefined, attempt.id, undefined])
  const states = [
    await both((accountId) => readState(db.kysely, accountId, payment.id)),
    await both((accountId) => readStateOf(db.kysely, accountId, attempt.id)),
    await both((accountId) => readWhole(db.kysely, accountId, payment.id)),
  ]
  for (const state of states)
    expect(state.map((each) => each?.attempts.map(({ id }) => id))).toEqual([
      undefined,
      [attempt.id],
      undefined,
    ])
  const names = await Promise.allSettled([
    findApplicationName(db.kysely, other.accountId, owner.applicationId),
    findApplicationName(db.kysely, owner.accountId, owner.applicationId),
  ])
  expect(names.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

test('readers of one payment at the same moment receive each attempt once', async ({ world }) => {
  const { db } = world.ctx
  const { owner } = await makeShop(world.ctx)
  const payment = await makePayment(world.ctx, owner)
  await makeAttempt(world.ctx, payment)
  const read = () => attemptsOf(db.kysely, payment.accountId, payment.id)
  const found = await Promise.all(Array.from({ length: 4 }, read))
  expect(found.map(({ length }) => length)).toEqual([1, 1, 1, 1])
})

test('payers of one payment with different phones at the same moment are compared with their own orders', async ({
  world,
}) => {
  const { db } = world.ctx
  const { owner } = await makeShop(world.ctx)
  const order = { reference: 'order-1' }
  const first = await makePayment(world.ctx, owner, order)
  await makeAttempt(world.ctx, first)
  const second = await makePayment(world.ctx, owner, order)
  const phones = ['+263771234567', '+263772345678', '+263771234567']
  const found = await Promise.all(
    phones.map((phone) => findSameOrder(db.kysely, second.accountId, second.id, phone)),
  )
  expect(found.map((each) => each?.reference)).toEqual(['order-1', undefined, 'order-1'])
})

test('only the twenty newest payments with a reference are compared', async ({ world }) => {
  const { db } = world.ctx
  const { owner } = await makeShop(world.ctx)
  const order = { reference: 'till-1' }
  await makeAttempt(world.ctx, await makePayment(world.ctx, owner, order))
  for (let nth = 0; nth < 18; nth++) await makePayment(world.ctx, owner, order)
  const find = async () => {
    const { accountId, id } = await makePayment(world.ctx, owner, order)
    return findSameOrder(db.kysely, accountId, id, '+263771234567')
  }
  expect(await find()).toEqual({ reference: 'till-1', isPaid: false })
  expect(await find()).toBeNull()
})
