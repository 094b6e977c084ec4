import { RefundId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { makeApp } from '../../../../test/app.ts'
import { freshShop, makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { violatedConstraint } from '../../../platform/db/failures.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { lookUpDue, makePaid, makePayment, notFound, paid, pending, refused } from '../factory.ts'
import { commitChange } from '../payment/commit.ts'
import { openRefund } from '../payment/decide/open-refund.ts'
import type { Payment } from '../payment/payment.ts'
import { readWhole } from '../payment/state.ts'

let world: World
let app: FastifyInstance
let shop: Shop
let payment: Payment

beforeAll(async () => {
  world = await makeWorld()
  app = await makeApp(world.ctx)
})
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})
beforeEach(async () => {
  shop = await freshShop(world)
  world.provider.lookupRefund = async () => notFound
  payment = await makePaid(world.ctx, shop.owner, world.provider)
})

const call = (method: 'GET' | 'POST', url: string, body?: object, key?: string, of = shop) =>
  app.inject({
    method,
    url: `/api/v1${url}`,
    headers: { authorization: `Bearer ${of.applicationKey}`, ...(key && { 'idempotency-key': key }) },
    ...(body && { payload: body }),
  })
const request = (body: object = {}, key?: string) =>
  call('POST', '/refunds', { payment: payment.id, ...body }, key)

test('a refund is refused when its key is replaced while another session holds the payment', async () => {
  const { pool } = world.ctx.db
  const commit = vi.spyOn(world.ctx.db, 'commitStatement')
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query('select from payments where id = $1 for update', [uuidOf(payment.id)])
    const requested = request({ amount: 5 }, 'held-by-a-lock')
    await expect.poll(() => commit.mock.calls.length).toBeGreaterThan(1)
    await pool.query('update application_keys set revoked_at = now() where account_id = $1', [
      uuidOf(payment.accountId),
    ])
    await holder.query('rollback')
    const refusedRefund = await requested
    expect(refusedRefund.statusCode).toBe(401)
    expect(refusedRefund.json()).toMatchObject({ code: 'invalid_key' })
    const { rowCount } = await pool.query('select from refunds where payment_id = $1', [uuidOf(payment.id)])
    expect(rowCount).toBe(0)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})

test('a partial refund, and then the remaining amount', async () => {
  const first = await request({ amount: 5, reason: 'One shirt too many' })
  expect(first.statusCode).toBe(201)
  const refund = first.json()
  expect(refund).toEqual({
    id: expect.stringMatching(/^rfd_/),
    object: 'refund',
    payment: payment.id,
    status: 'completed',
    failure_reason: null,
    amount: 5,
    currency: 'USD',
    reason: 'One shirt too many',
    reference: 'RF1',
    created_at: '2026-11-20T09:30:00.000Z',
    updated_at: '2026-11-20T09:30:00.000Z',
  })
  expect(world.provider.refunds[0]?.reason).toBe('One shirt too many')
  expect((await call('GET', `/payments/${payment.id}`)).json()).toMatchObject({
    status: 'completed',
    amount_refunded: 5,
  })
  expect((await request()).json()).toMatchObject({ amount: 7.5, status: 'completed', reason: null })
  expect((await call('GET', `/payments/${payment.id}`)).json()).toMatchObject({
    status: 'refunded',
    amount_refunded: 12.5,
  })
  expect((await call('GET', `/refunds/${refund.id}`)).json()).toEqual(refund)
})

test('a refund without a reply of its provider is pending, and is read again after it completes', async () => {
  world.provider.refund = async () => pending()
  const { id, status } = (await request({ amount: 5 })).json()
  expect(status).toBe('pending')
  world.provider.lookupRefund = async () => paid(payment.amount && { minor: 500n, currency: 'USD' })
  world.ctx.clock.advance(5000)
  await lookUpDue(world.ctx)
  expect((await call('GET', `/refunds/${id}`)).json()).toMatchObject({ status: 'completed' })
})

test('a refused refund has its reason', async () => {
  world.provider.refund = async () => refused('declined')
  const refund = (await request()).json()
  expect(refund).toMatchObject({ status: 'failed', failure_reason: 'declined' })
  expect((await call('GET', `/payments/${payment.id}`)).json()).toMatchObject({ amount_refunded: 0 })
})

describe('under an Idempotency-Key', () => {
  test('the same request is one refund, with the same response to the byte', async () => {
    const first = await request({ amount: 5 }, 'k1')
    const again = await request({ amount: 5 }, 'k1')
    expect(again.body).toBe(first.body)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(world.provider.refunds).toHaveLength(1)
    expect((await request({ amount: 5 }, 'k2')).json().id).not.toBe(first.json().id)
  })

  test('another request is refused', async () => {
    await request({ amount: 5 }, 'k1')
    expect((await request({ amount: 2.5 }, 'k1')).json()).toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('64 at once are one refund', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => request({ amount: 5 }, 'rush')))
    const given = answers.filter(({ statusCode }) => statusCode === 201)
    expect(new Set(given.map(({ body }) => body)).size).toBe(1)
    for (const { statusCode, body } of answers) {
      if (statusCode !== 201) expect(JSON.parse(body).code).toBe('idempotency_in_flight')
    }
    expect(world.provider.refunds).toHaveLength(1)
  })

  test('a request that was refused before a refund opened leaves the key free', async () => {
    expect((await request({ amount: 13 }, 'k1')).statusCode).toBe(422)
    expect((await request({ amount: 5 }, 'k1')).json().code).toBeUndefined()
  })
})

describe('without an Idempotency-Key', () => {
  const TEN_MINUTES = 10 * 60_000

  test.each([
    ['a part', { amount: 5 }],
    ['all that remains', {}],
  ])('the same request of %s within ten minutes is one refund', async (_what, body) => {
    const first = await request(body)
    world.ctx.clock.advance(TEN_MINUTES - 1)
    const again = await request(body)
    expect([again.statusCode, again.body]).toEqual([201, first.body])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    expect(world.provider.refunds).toHaveLength(1)
  })

  test('the remaining amount is another refund than a partial one of the same amount, and can be repeated', async () => {
    const part = await request({ amount: 6.25 })
    const rest = await request()
    expect([rest.statusCode, rest.json()]).toMatchObject([201, { amount: 6.25, status: 'completed' }])
    expect(rest.json().id).not.toBe(part.json().id)
    const again = await request()
    expect([again.statusCode, again.body]).toEqual([201, rest.body])
    expect(world.provider.refunds).toHaveLength(2)
  })

  test('a repetition that reaches the database is refused there', async () => {
    const { ctx } = world
    const requestedBy = uuidOf(ctx.ids.next(RefundId))
    const open = async () => {
      const state = await readWhole(ctx.db.kysely, shop.accountId, payment.id)
      if (state === null) throw new Error('there is no such payment')
      const amount = money(500n, 'USD')
      const { effects } = openRefund(ctx, state, {
        id: ctx.ids.next(RefundId),
        amount,
        reason: null,
        requestedBy,
      })
      return commitChange(ctx, { payment: state.payment, at: state.at, ...effects })
    }
    await open()
    expect(await open().catch(violatedConstraint)).toBe('refunds_no_repetition')
  })

  test('after ten minutes, of another amount and under a key it is another refund', async () => {
    const ids = [(await request({ amount: 2 })).json().id]
    ids.push((await request({ amount: 3 })).json().id)
    ids.push((await request({ amount: 2 }, 'k1')).json().id)
    world.ctx.clock.advance(TEN_MINUTES)
    ids.push((await request({ amount: 2 })).json().id)
    expect(new Set(ids).size).toBe(4)
  })

  test('a refused refund may be requested again at once', async () => {
    world.provider.refund = async () => refused('declined')
    const first = (await request({ amount: 5 })).json()
    world.provider.refund = async ({ amount }) => paid(amount, 'RF2')
    expect((await request({ amount: 5 })).json()).toMatchObject({ status: 'completed' })
    expect(first).toMatchObject({ status: 'failed' })
  })

  test('64 at once are one refund', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => request({ amount: 5 })))
    const given = answers.filter(({ statusCode }) => statusCode === 201)
    expect(given.length).toBeGreaterThan(0)
    expect(new Set(given.map((answer) => answer.json().id)).size).toBe(1)
    expect(world.provider.refunds).toHaveLength(1)
  })
})

test.each([
  ['more than the payment', { amount: 12.51 }, 422, 'refund_mismatch'],
  ['a part of a cent', { amount: 0.001 }, 422, 'refund_mismatch'],
  ['nothing', { amount: 0 }, 422, 'validation_failed'],
  ['less than nothing', { amount: -1 }, 422, 'validation_failed'],
  ['in words', { amount: '5' }, 422, 'validation_failed'],
  ['a field that is not known', { currency: 'USD' }, 422, 'validation_failed'],
  ['an empty reason', { reason: ' ' }, 422, 'validation_failed'],
])('%s is refused, and no provider is called', async (_what, body, status, code) => {
  const answer = await request(body)
  expect([answer.statusCode, answer.json().code]).toEqual([status, code])
  expect(world.provider.refunds).toEqual([])
})

test('more than remains, and a payment that is not paid or no longer, are conflicts', async () => {
  await request({ amount: 5 })
  expect((await request({ amount: 7.51 })).json()).toMatchObject({
    status: 409,
    code: 'refund_exceeds_remaining',
  })
  await request()
  world.ctx.clock.advance(10 * 60_000)
  expect((await request()).json()).toMatchObject({ status: 409, code: 'payment_not_refundable' })
  payment = await makePayment(world.ctx, shop.owner)
  expect((await request()).json()).toMatchObject({ status: 409, code: 'payment_not_refundable' })
})

test('a list, the newest first, page by page, of one payment or of all, and of no other application', async () => {
  const ids: string[] = []
  for (const amount of [1, 2, 3]) ids.unshift((await request({ amount })).json().id)
  const other = await makePaid(world.ctx, shop.owner, world.provider)
  const last = (await call('POST', '/refunds', { payment: other.id })).json().id
  const list = async (query: string, of = shop) =>
    (await call('GET', `/refunds${query}`, undefined, undefined, of)).json()
  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
  expect(idsOf(await list(''))).toEqual([last, ...ids])
  expect(idsOf(await list(`?payment=${payment.id}`))).toEqual(ids)
  const page = await list('?limit=3')
  expect(page).toMatchObject({ has_more: true, next_cursor: ids[1] })
  expect(await list(`?limit=3&cursor=${page.next_cursor}`)).toMatchObject({
    data: [{ id: ids[2] }],
    has_more: false,
    next_cursor: null,
  })
  const beside = await makeShop(world.ctx, shop.merchantId)
  expect(idsOf(await list('', beside))).toEqual([])
  expect((await call('GET', `/refunds/${last}`, undefined, undefined, beside)).statusCode).toBe(404)
  expect((await call('POST', '/refunds', { payment: other.id }, undefined, beside)).statusCode).toBe(404)
})
