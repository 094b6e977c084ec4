import { changePassword } from '@muripo/contract/account'
import { createApplication } from '@muripo/contract/applications'
import type { RouteSpec } from '@muripo/contract/route'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { changeMerchantStatus, KeyCache } from '../src/modules/applications/index.ts'
import { createCheckout } from '../src/modules/checkout/index.ts'
import { ownerCaller } from '../src/modules/identity/factory.ts'
import { type merchantMoves, sessionAuth } from '../src/modules/identity/index.ts'
import { createPayment } from '../src/modules/payments/actions/create-payment.ts'
import { createRefund } from '../src/modules/payments/actions/request-refund.ts'
import { startAttempt } from '../src/modules/payments/actions/start-attempt.ts'
import {
  holdKey,
  lookUpDue,
  makePaid,
  makePayment,
  paid,
  paymentNow,
  pending,
} from '../src/modules/payments/factory.ts'
import type { Payment } from '../src/modules/payments/payment/payment.ts'
import { operatorActor } from '../src/platform/audit/actor.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { withRoutes } from './mounted-routes.ts'
import { makeWorld } from './world.ts'

const world = await makeWorld()
const { ctx, provider } = world
// Two processes on one database, each with cached keys.
const caches = [new KeyCache(), new KeyCache()] as const
for (const cache of caches) await cache.connect(ctx, ctx.databaseUrl)
const { app: here, routes } = await withRoutes(() => makeApp(ctx, caches[0]))
const elsewhere = await makeApp(ctx, caches[1])
const checkout = createCheckout(ctx)
afterAll(async () => {
  for (const app of [here, elsewhere]) await app.close()
  for (const cache of caches) await cache.close()
  await ctx.backgroundTasks.drain()
  await ctx.close()
})

let caller: Caller
beforeEach(async () => {
  caller = await makeCaller(ctx)
  provider.charge = async () => pending()
  provider.lookup = async () => pending()
})

const order = (move: keyof typeof merchantMoves) =>
  changeMerchantStatus(ctx, operatorActor('rudo', 'rudo@till'), {
    merchantId: caller.merchantId,
    move,
    reason: 'As decided',
    seen: null,
  })

type Status = 'new' | 'approved' | 'suspended' | 'closed'
const waysTo: Readonly<Record<Status, readonly (keyof typeof merchantMoves)[]>> = {
  new: [],
  approved: ['approve'],
  suspended: ['suspend'],
  closed: ['close'],
}
async function become(status: Status): Promise<void> {
  for (const move of waysTo[status]) expect(await order(move)).toEqual({ result: 'done', status })
}

/** The console has no merchant as a caller. */
const sessionless = ['/v1/auth/', '/v1/contact', '/v1/files/', '/console/']
const withCaller = routes.flatMap(({ method, url, spec }) =>
  spec === null ||
  spec.access === 'anyone' ||
  sessionless.some((start) => url.startsWith(start)) ||
  ['/v1/config', '/v1/status'].includes(url)
    ? []
    : [{ method, url, spec }],
)
const codeOf = async ({ method, url }: { method: string; url: string }): Promise<unknown> => {
  const answer = await here.inject({
    method: method as 'POST',
    url: url.replace(/:\w+/g, 'nothing'),
    headers: url.startsWith('/api/') ? caller.withKey : caller.withSession,
    ...(method !== 'GET' && { payload: {} }),
  })
  return answer.body.startsWith('{') ? answer.json().code : answer.statusCode
}

describe.each(['suspended', 'closed'] as const)('a %s merchant', (status) => {
  test('can call nothing that writes, on either surface, except calls that protect the account', async () => {
    await become(status)
    const writing = withCaller.filter(({ method, spec }) => method !== 'GET' && !spec.protectsAccount)
    expect(writing.length).toBeGreaterThan(20)
    for (const call of writing) {
      await expect
        .poll(() => codeOf(call), { message: `${call.method} ${call.url}` })
        .toBe('merchant_not_active')
      expect(call.spec.errors, call.url).toContain('merchant_not_active')
    }
  })

  test('can read everything, end sessions and change the password', async () => {
    await become(status)
    for (const call of withCaller.filter(({ method, spec }) => method === 'GET' || spec.protectsAccount)) {
      if (call.url === '/v1/live' || call.url === '/v1/account/sessions') continue
      expect(await codeOf(call), `${call.method} ${call.url}`).not.toBe('merchant_not_active')
    }
    expect(await codeOf({ method: 'DELETE', url: '/v1/account/sessions' })).toBe(204)
  })

  test('reads the status and its reason with the account', async () => {
    await become(status)
    const { body } = await here.inject({ url: '/v1/account', headers: caller.withSession })
    expect(JSON.parse(body)).toMatchObject({ status, statusReason: 'As decided', gatewayMode: 'test' })
  })
})

test.each(['new', 'approved'] as const)(
  'a merchant that is %s is refused nothing for its status',
  async (status) => {
    await become(status)
    for (const call of withCaller) {
      if (call.url === '/v1/live' || call.url === '/v1/account/sessions') continue
      expect(await codeOf(call), `${call.method} ${call.url}`).not.toBe('merchant_not_active')
    }
  },
)

const create = (app: typeof here) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/payments',
    headers: caller.withKey,
    payload: { amount: 12.5, currency: 'USD', description: 'Order 1001' },
  })
const keysOf = (cache: KeyCache) => (cache as unknown as { owners: Map<string, unknown> }).owners.size

test('a suspension is active in every process from its commit on, and a resumption soon after', async () => {
  for (const app of [here, elsewhere]) expect((await create(app)).statusCode).toBe(201)
  await order('suspend')
  for (const app of [here, elsewhere]) {
    const answer = await create(app)
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'merchant_not_active'])
  }
  await order('resume')
  for (const app of [here, elsewhere]) {
    await expect.poll(async () => (await create(app)).statusCode).toBe(201)
  }
})

test('every process deletes the cached keys of a suspended merchant', async () => {
  for (const app of [here, elsewhere]) await create(app)
  const before = caches.map(keysOf)
  await order('suspend')
  await expect.poll(() => caches.map(keysOf)).toEqual(before.map((count) => count - 1))
})

describe('a call that a process admits before the notification of the suspension', () => {
  const input = { amount: 12.5, currency: 'USD', description: 'Order 1001', customer: undefined } as never
  const rowsOf = async (table: string): Promise<number> => {
    const { rows } = await ctx.db.pool.query(
      `select count(*)::int as n from ${table} where account_id = $1`,
      [uuidOf(caller.merchantId)],
    )
    return rows[0].n
  }

  test('is refused by the statement that creates a payment, alone and in a batch, and the other creates are not', async () => {
    const other = await makeCaller(ctx)
    await order('suspend')
    const alone = createPayment(ctx, caller.owner, input)
    await expect(alone).rejects.toMatchObject({ code: 'merchant_not_active' })
    const results = await Promise.allSettled([
      createPayment(ctx, caller.owner, input, { idempotencyKey: 'a' }),
      createPayment(ctx, other.owner, input, { idempotencyKey: 'b' }),
      createPayment(ctx, caller.owner, input, { idempotencyKey: 'c' }),
    ])
    expect(results).toMatchObject([
      { reason: { code: 'merchant_not_active' } },
      { status: 'fulfilled' },
      { reason: { code: 'merchant_not_active' } },
    ])
    expect(await rowsOf('payments')).toBe(0)
  })

  test('is refused by its own statement when it is a create that waits for its batch while the suspension commits', async () => {
    // The first request waits for another one with its key, which has not committed; the second one waits for the batch of the first.
    const client = await ctx.db.pool.connect()
    await client.query('begin')
    await holdKey(client, caller.owner, 'k')
    const first = createPayment(ctx, caller.owner, input, { idempotencyKey: 'k' })
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await ctx.db.pool.query(waiting)).rowCount).toBe(1)
    const behind = Promise.allSettled([createPayment(ctx, caller.owner, input, { idempotencyKey: 'other' })])
    await order('suspend')
    await client.query('rollback')
    client.release()
    expect(await behind).toMatchObject([{ reason: { code: 'merchant_not_active' } }])
    // The statement began before the suspension.
    expect(await first).toMatchObject({ replayed: false })
    expect(await rowsOf('payments')).toBe(1)
  })

  test('is refused by the transaction that opens a refund, and nothing is reserved', async () => {
    const payment = await makePaid(ctx, caller.owner, provider)
    await order('suspend')
    const refund = createRefund(ctx, caller.owner, { payment: payment.id } as never, { idempotencyKey: 'r' })
    await expect(refund).rejects.toMatchObject({ code: 'merchant_not_active' })
    expect(await paymentNow(ctx, caller.owner, payment.id)).toMatchObject({ status: 'completed' })
    expect(await rowsOf('refunds')).toBe(0)
  })

  test('is refused by the transaction of a session’s write, unless it protects the account', async () => {
    const { confirm } = sessionAuth(ctx)
    const session = await ownerCaller(ctx, caller.merchantId)
    const confirmed = (spec: RouteSpec) => ctx.db.tx(async (tx) => confirm?.(session, spec, tx))
    await confirmed(createApplication)
    await order('suspend')
    await expect(confirmed(createApplication)).rejects.toMatchObject({ code: 'merchant_not_active' })
    await confirmed(changePassword)
  })

  test('is refused by the database when an attempt begins, after any earlier reading', async () => {
    const payment = await makePayment(ctx, caller.owner)
    await order('suspend')
    const insert = ctx.db.pool.query(
      `insert into payment_attempts (account_id, id, payment_id, provider, method, msisdn, amount_minor, currency, status,
         next_check_at, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'scripted', 'ecocash', '263771234567', 1250, 'USD', 'sending', now(), now(), now())`,
      [uuidOf(caller.merchantId), uuidOf(payment.id)],
    )
    await expect(insert).rejects.toMatchObject({ constraint: 'payment_attempts_merchant_active' })
  })
})

describe('the payer of a suspended merchant', () => {
  const tokenOf = (payment: Payment) => ctx.checkoutLinks.tokenOf(payment.accountId, payment.id)
  const stageOf = async (payment: Payment) => {
    const seen = await checkout.view(tokenOf(payment), '203.0.113.7')
    return seen && 'stage' in seen ? seen.stage : seen
  }
  const form = new URLSearchParams({ method: 'ecocash', phone: '0771234567' })

  test('sees that it cannot be paid now, gets no prompt, and can pay when the merchant is resumed', async () => {
    const payment = await makePayment(ctx, caller.owner)
    await order('suspend')
    const before = provider.charges.length
    expect(await stageOf(payment)).toBe('unavailable')
    expect(await checkout.submit(tokenOf(payment), form)).toBeNull()
    await expect(
      startAttempt(ctx, payment.accountId, payment.id, { method: 'ecocash', phone: '0771234567' }),
    ).rejects.toMatchObject({ code: 'merchant_not_active' })
    expect(provider.charges.length).toBe(before)
    await order('resume')
    expect(await stageOf(payment)).toBe('choose')
    await checkout.submit(tokenOf(payment), form)
    expect(provider.charges.length).toBe(before + 1)
  })

  test('finishes an attempt that began before: it is looked up and the payment completed', async () => {
    const payment = await makePayment(ctx, caller.owner)
    await checkout.submit(tokenOf(payment), form)
    await order('suspend')
    expect(await stageOf(payment)).toBe('waiting')
    provider.lookup = async () => paid(payment.amount)
    ctx.clock.advance(5000)
    await lookUpDue(ctx)
    expect(await stageOf(payment)).toBe('completed')
  })
})
