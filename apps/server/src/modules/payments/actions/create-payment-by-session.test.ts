import { ApplicationId } from '@muripo/contract/ids'
import type { CreatedPayment } from '@muripo/contract/payment-actions'
import { CreateDashboardPayment } from '@muripo/contract/payment-actions'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { makeShop, makeWorld, type Shop, type World } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { regenerateKey } from '../../applications/actions/regenerate-key.ts'
import { registryOf } from '../../providers/registry.ts'
import { paymentNow } from '../factory.ts'
import { createPayment } from './create-payment.ts'
import { createPaymentBySession } from './create-payment-by-session.ts'

let world: World
let shop: Shop

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.ctx.close())
beforeEach(async () => {
  shop = await makeShop(world.ctx)
})

const order = (change: object = {}) =>
  CreateDashboardPayment.parse({
    applicationId: shop.applicationId,
    amount: 25,
    currency: 'USD',
    purposeDescription: 'Woven basket',
    ...change,
  })

const member = () => ({ merchantId: shop.merchantId, applications: null })

async function create(change: object = {}, idempotencyKey?: string, confirm = vi.fn(async () => undefined)) {
  const actor = byMerchant(shop.merchantId)
  const { json, replayed } = await createPaymentBySession(world.ctx, member(), order(change), {
    actor,
    idempotencyKey,
    confirm,
  })
  return { json, replayed, payment: JSON.parse(json) as CreatedPayment }
}

async function paymentsMade(): Promise<number> {
  const { rows } = await world.ctx.db.pool.query(
    'select count(*)::int as made from payments where account_id = $1',
    [uuidOf(shop.accountId)],
  )
  return rows[0].made
}

test('a payment has its link, the customer’s phone and an audit entry', async () => {
  const { payment } = await create({ customerPhoneNumber: '077 123 4567' })
  expect(payment).toMatchObject({
    status: 'PENDING',
    amount: 25,
    applicationName: shop.owner.applicationName,
    customerPhoneNumber: '077 123 4567',
    paymentUrl: expect.stringMatching(/^http.*\/pay\//),
    paymentQr: { size: expect.any(Number), path: expect.stringMatching(/^M0 0h7/) },
  })
  const stored = await paymentNow(world.ctx, shop.owner, payment.paymentId)
  expect(stored).toMatchObject({ description: 'Woven basket', customer: { phone: '077 123 4567' } })
  expect(stored.customer.id).not.toBeNull()
  expect(await auditEntriesOn(world.ctx, payment.paymentId)).toMatchObject([
    { actor: shop.merchantId, action: 'payment.created', details: { amount: 25, currency: 'USD' } },
  ])
})

test('repeated and concurrent requests with one key are one payment, one response and one audit entry', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create({}, 'tap')))
  expect(new Set(answers.map(({ json }) => json)).size).toBe(1)
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
  await expect(create({ amount: 26 }, 'tap')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  expect(await paymentsMade()).toBe(1)
  expect(await auditEntriesOn(world.ctx, answers[0]?.payment.paymentId ?? '')).toHaveLength(1)
})

test('a repetition is confirmed before it shows the link, also while new payments are refused', async () => {
  await create({}, 'kept')
  const ended = vi.fn(async () => {
    throw new Error('the session has ended')
  })
  await expect(create({}, 'kept', ended)).rejects.toThrow('the session has ended')
  const without = { ...world.ctx, providers: registryOf([]) }
  const repeat = createPaymentBySession(without, member(), order(), {
    actor: byMerchant(shop.merchantId),
    idempotencyKey: 'kept',
    confirm: ended,
  })
  await expect(repeat).rejects.toThrow('the session has ended')
  expect(await paymentsMade()).toBe(1)
})

test.each([
  ['currency', { currency: 'GBP' }],
  ['customerPhoneNumber', { customerPhoneNumber: '12' }],
])('a wrong %s is named as the form names it', async (field, change) => {
  await expect(create(change)).rejects.toMatchObject({ code: 'validation_failed', fields: [{ field }] })
  expect(await paymentsMade()).toBe(0)
})

test('a payment is created after its application’s key was replaced, and not for an application that may not write', async () => {
  const { merchantId, applicationId } = shop
  await regenerateKey(world.ctx, byMerchant(merchantId), { merchantId, applicationId }, async () => undefined)
  await create()
  const { pool } = world.ctx.db
  const id = uuidOf(applicationId)
  const other = await makeShop(world.ctx)
  for (const unknown of [other.applicationId, world.ctx.ids.next(ApplicationId), 'nonsense'])
    await expect(create({ applicationId: unknown })).rejects.toMatchObject({ code: 'not_found' })
  await pool.query("update applications set status = 'inactive' where id = $1", [id])
  await expect(create()).rejects.toMatchObject({ code: 'application_inactive' })
  await pool.query("update applications set status = 'active' where id = $1", [id])
  await pool.query('update application_keys set revoked_at = now() where application_id = $1', [id])
  await expect(create()).rejects.toMatchObject({ code: 'application_inactive' })
  await pool.query('delete from application_keys where application_id = $1', [id])
  await expect(create()).rejects.toMatchObject({
    code: 'merchant_not_active',
    message: 'Live payments are possible once your account is approved',
  })
  expect(await paymentsMade()).toBe(1)
})

test('the keys of a session and of an application’s server are one space', async () => {
  await createPayment(
    world.ctx,
    shop.owner,
    { amount: 25, currency: 'USD', description: 'Woven basket' },
    { idempotencyKey: 'order-1' },
  )
  await expect(create({}, 'order-1')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
})
