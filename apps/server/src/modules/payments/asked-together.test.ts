import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeShop, makeWorld, type World } from '../../../test/world.ts'
import { findApplicationName } from '../applications/index.ts'
import { attemptsOf, findAttempt } from './attempts/store-attempts.ts'
import { latestAttempt, makeAttempt, makePayment } from './factory.ts'
import { findPayment, lockPayment } from './store.ts'

let world: World

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())

test('a stranger who asks at the same moment as the owner is told nothing of the owner’s', async () => {
  const { db } = world.ctx
  const owner = await makeShop(world.ctx)
  const stranger = await makeShop(world.ctx)
  const payment = await makePayment(world.ctx, owner.owner)
  await makeAttempt(world.ctx, payment)
  const attempt = await latestAttempt(world.ctx, payment)

  const both = <Found>(ask: (merchantId: typeof owner.merchantId) => Promise<Found>) =>
    Promise.all([ask(stranger.merchantId), ask(owner.merchantId), ask(stranger.merchantId)])
  const [no, yes, neither] = await both((merchantId) => findPayment(db.kysely, merchantId, payment.id))
  expect([no, yes?.id, neither]).toEqual([null, payment.id, null])
  const attempts = await both((merchantId) => attemptsOf(db.kysely, merchantId, payment.id))
  expect(attempts.map(({ length }) => length)).toEqual([0, 1, 0])
  const found = await both((merchantId) => findAttempt(db.kysely, merchantId, attempt.id))
  expect(found.map((each) => each?.id)).toEqual([undefined, attempt.id, undefined])
  const locked = await db.tx((tx) => both((merchantId) => lockPayment(tx, merchantId, payment.id)))
  expect(locked.map((each) => each?.id)).toEqual([undefined, payment.id, undefined])
  const names = await Promise.allSettled([
    findApplicationName(db.kysely, stranger.merchantId, owner.applicationId),
    findApplicationName(db.kysely, owner.merchantId, owner.applicationId),
  ])
  expect(names.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
