import {
  type ConsolePermission,
  consolePermissionsOf,
  operatorRoles,
} from '@muripo/contract/console-permissions'
import type { MerchantId } from '@muripo/contract/ids'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, makeApp, makeCaller } from '../../../../test/app.ts'
import { auditEntriesOn, byMerchant } from '../../../../test/audit-entries.ts'
import { type AtConsole, operatorAt } from '../../../../test/console.ts'
import { withRoutes } from '../../../../test/mounted-routes.ts'
import { makeWorld } from '../../../../test/world.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { freshReference, makeAttempt, makePaid, makePayment, paid } from '../../payments/factory.ts'
import { refundPayment, refundsOf } from '../../payments/index.ts'
import { sendTestEvent } from '../../webhooks/deliveries/actions/send-on-request.ts'
import { makeEndpoint } from '../../webhooks/factory.ts'

const world = await makeWorld()
/** Runs once, before the next transaction of a call. */
let beforeTransaction: (() => Promise<void>) | null = null
const interrupted = <C extends Ctx>(ctx: C): C => ({
  ...ctx,
  db: {
    ...ctx.db,
    tx: async (work) => {
      const run = beforeTransaction
      beforeTransaction = null
      await run?.()
      return ctx.db.tx(work)
    },
  },
})
const { ctx } = world
const { app, routes } = await withRoutes(() => makeApp(interrupted(ctx)))
const atConsole = routes
  .filter(({ url, spec }) => url.startsWith('/console/api/') && spec !== null)
  .map(({ method, url, spec }) => ({ method: method as 'GET', path: url.slice('/console/api'.length), spec }))
const guarded = atConsole.filter(({ spec }) => spec?.access.startsWith('console.'))

let admin: AtConsole
let second: AtConsole
let caller: Caller

beforeAll(async () => {
  admin = await operatorAt(app, ctx, 'admin')
  second = await operatorAt(app, ctx, 'admin')
  caller = await makeCaller(ctx)
})
afterAll(async () => {
  await app.close()
  await ctx.close()
})

const plain = (path: string) => path.replace(/:\w+/g, 'x')

describe.each(operatorRoles)('%s', (role) => {
  test('may make exactly the calls whose permission the role has', async () => {
    const operator = await operatorAt(app, ctx, role)
    const wrong: string[] = []
    for (const { method, path, spec } of guarded) {
      const has = consolePermissionsOf[role].has(spec?.access as ConsolePermission)
      const { status, body } = await operator.call(method, plain(path))
      if ((body?.code === 'not_permitted') === has || status === 500)
        wrong.push(`${method} ${path}: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(guarded.length).toBeGreaterThan(12)
  })
})

test('neither a key nor a session of a merchant reaches a call of the console', async () => {
  for (const { method, path, spec } of atConsole.filter(({ spec }) => spec?.access !== 'anyone')) {
    for (const headers of [caller.withKey, caller.withSession]) {
      const answer = await app.inject({
        method,
        url: `/console/api${plain(path)}`,
        headers: { ...headers, origin: ctx.config.consoleUrl },
      })
      expect([spec?.path, answer.statusCode, answer.json().detail]).toEqual([
        spec?.path,
        404,
        'Nothing has this address',
      ])
    }
  }
})

test('the cookie of an operator opens no call of a merchant', async () => {
  for (const url of ['/v1/account', '/api/v1/payments'])
    expect((await app.inject({ url, headers: { cookie: admin.cookie } })).statusCode).toBe(401)
})

test('personal data is masked until it is revealed with a reason, for 15 minutes and for one operator', async () => {
  const { merchantId, email } = await makeMerchant(ctx)
  const shown = async (by: AtConsole) => (await by.call('GET', `/merchants/${merchantId}`)).body
  expect(await shown(admin)).toMatchObject({
    email: 'm•••@example.com',
    phone: '077 *** 4567',
    revealedUntil: null,
  })
  expect((await admin.call('GET', `/merchants/${merchantId}/document`)).body.code).toBe('not_permitted')
  const without = await admin.call('POST', '/reveal', { subject: merchantId, reason: ' ' })
  expect(without.body.code).toBe('validation_failed')

  expect((await admin.call('POST', '/reveal', { subject: merchantId, reason: 'A call' })).status).toBe(201)
  expect(await shown(admin)).toMatchObject({ email, phone: '+263771234567' })
  expect((await shown(second)).email).toBe('m•••@example.com')
  const entries = await auditEntriesOn(ctx, merchantId)
  expect(entries.at(-1)).toMatchObject({
    actor: admin.email,
    action: 'operator.revealed',
    details: { reason: 'A call' },
  })

  ctx.clock.advance(14 * 60_000)
  await admin.call('GET', '/me')
  await second.call('GET', '/me')
  expect((await shown(admin)).email).toBe(email)
  ctx.clock.advance(60_000)
  expect((await shown(admin)).email).toBe('m•••@example.com')
})

test('the audit log masks emails, phones and addresses of merchants until they are revealed', async () => {
  const { merchantId } = await makeMerchant(ctx)
  const details = { email: 'sekai@example.com', reason: 'Called 0772 345 678' }
  await ctx.db.tx((tx) =>
    audit(ctx, tx, byMerchant(merchantId), {
      action: 'team.invited',
      subject: merchantId,
      accountId: merchantId,
      details,
    }),
  )
  const entry = async (by: AtConsole) =>
    (await by.call('GET', `/audit?about=${merchantId}`)).body.entries.at(-1)
  const masked = {
    address: '203.0.•••',
    details: { email: 's•••@example.com', reason: 'Called 077 *** 5678' },
  }
  expect(await entry(admin)).toMatchObject(masked)
  await admin.call('POST', '/reveal', { subject: merchantId, reason: 'A call' })
  expect(await entry(admin)).toMatchObject({ address: '203.0.113.7', details })
  expect(await entry(second)).toMatchObject(masked)
})

test("a payment has no address of the payer's page, and masks what its texts say about the payer", async () => {
  const payment = await makePayment(ctx, caller.owner)
  await ctx.db.pool.query('update payments set description = $1 where id = $2', [
    'Basket for 0772 345 678',
    uuidOf(payment.id),
  ])
  const shown = async () =>
    (await admin.call('GET', `/payments/${caller.merchantId}/${payment.id}`)).body.payment
  expect(await shown()).toMatchObject({ purposeDescription: 'Basket for 077 *** 5678' })
  await admin.call('POST', '/reveal', { subject: payment.id, reason: 'A call' })
  const revealed = await shown()
  expect(revealed.purposeDescription).toBe('Basket for 0772 345 678')
  expect(revealed).not.toHaveProperty('paymentUrl')
})

test('merchants are found by id, email and phone, and listed by pages', async () => {
  const { merchantId, email } = await makeMerchant(ctx, { phone: '+263772999111' })
  for (const search of [merchantId, email.toUpperCase(), '0772 999 111']) {
    const { body } = await admin.call('GET', `/merchants?search=${encodeURIComponent(search)}`)
    expect(body.merchants.map(({ id }: { id: string }) => id)).toEqual([merchantId])
  }
  for (let n = 0; n < 50; n += 1) await makeMerchant(ctx)
  const first = (await admin.call('GET', '/merchants?status=new')).body
  const next = (await admin.call('GET', `/merchants?status=new&cursor=${first.nextCursor}`)).body
  expect(first.merchants).toHaveLength(50)
  expect(next.merchants[0].id > first.merchants[49].id).toBe(true)
  const shared = encodeURIComponent('0771 234 567')
  const found = (await admin.call('GET', `/merchants?search=${shared}`)).body
  const more = (await admin.call('GET', `/merchants?search=${shared}&cursor=${found.nextCursor}`)).body
  expect(found.merchants).toHaveLength(50)
  expect(more.merchants[0].id > found.merchants[49].id).toBe(true)
  expect((await admin.call('GET', '/merchants?search=nobody@example.com')).body.merchants).toEqual([])
})

test('payments of any merchant are found by id and by the references of both sides', async () => {
  const other = await makeCaller(ctx)
  const payment = await makePaid(ctx, other.owner, world.provider)
  await ctx.db.pool.query('update payments set reference = $1 where id = $2', ['INV-77', uuidOf(payment.id)])
  const providerReference = String(payment.providerReference)
  for (const search of [payment.id, 'INV-77', providerReference]) {
    const { body } = await admin.call('GET', `/payments?search=${encodeURIComponent(search)}`)
    expect(body.payments).toContainEqual(
      expect.objectContaining({ id: payment.id, merchantId: other.merchantId }),
    )
  }
  const { status, body } = await admin.call('GET', `/payments/${other.merchantId}/${payment.id}`)
  expect(status).toBe(200)
  expect(body.payment.timeline.map(({ kind }: { kind: string }) => kind)).toContain('completed')
  expect(JSON.stringify(body)).not.toContain('263771234567')
  expect((await admin.call('GET', `/payments/${caller.merchantId}/${payment.id}`)).status).toBe(404)
})

test('today counts what waits, and reviews list it', async () => {
  const payment = await makePayment(ctx, caller.owner)
  world.provider.charge = async () => paid({ minor: 1n, currency: 'USD' })
  await makeAttempt(ctx, payment)
  const { body: today } = await admin.call('GET', '/today')
  expect(today.waiting).toContainEqual({ kind: 'attempts', count: 1, oldestAt: expect.any(String) })
  expect(today.unwell).toEqual([{ id: 'worker', name: 'Worker', status: 'down' }])
  const { body: reviews } = await admin.call('GET', '/reviews')
  expect(reviews.attempts).toEqual([
    expect.objectContaining({ paymentId: payment.id, phone: expect.stringContaining('***'), isTest: false }),
  ])

  const reference = freshReference()
  const { status, body: proposal } = await admin.call('POST', '/proposals', {
    kind: 'attempt.resolve',
    subject: payment.id,
    outcome: 'completed',
    reference,
    reason: 'The statement has it',
  })
  expect(status).toBe(201)
  const open = await admin.call('GET', `/payments/${caller.merchantId}/${payment.id}`)
  expect(open.body.payment.status).toBe('PENDING')
  expect(open.body.proposals).toEqual([expect.objectContaining({ id: proposal.id })])
  expect((await second.approve(proposal.id)).body).toMatchObject({ state: 'approved' })
  const resolved = await admin.call('GET', `/payments/${caller.merchantId}/${payment.id}`)
  expect(resolved.body.payment).toMatchObject({ status: 'COMPLETED', paymentMethodReference: reference })
  const { body: log } = await admin.call('GET', `/audit?about=${payment.id}`)
  expect(log.entries[0]).toMatchObject({ actor: second.email, details: { proposal: proposal.id, reference } })
})

test('the proposal about a payment is shown however many others the merchant has', async () => {
  const other = await makeCaller(ctx)
  const payment = await makePayment(ctx, other.owner)
  world.provider.charge = async () => paid({ minor: 1n, currency: 'USD' })
  await makeAttempt(ctx, payment)
  const asked = { kind: 'attempt.resolve', outcome: 'failed', reason: 'Nothing arrived' }
  const { body: proposal } = await admin.call('POST', '/proposals', { ...asked, subject: payment.id })
  await ctx.db.pool.query(
    `insert into proposals (id, kind, subject, account_id, payload, subject_version, about, diff, reason, proposed_by, proposed_at, expires_at)
     select uuidv7(), kind, 'other ' || n, account_id, payload || '{"paymentId": "other"}', '', '', '[]', reason, proposed_by, proposed_at, expires_at
     from proposals, generate_series(1, 50) n where id = $1`,
    [uuidOf(proposal.id)],
  )
  const { body } = await admin.call('GET', `/payments/${other.merchantId}/${payment.id}`)
  expect(body.proposals).toEqual([expect.objectContaining({ id: proposal.id })])
})

test('a payment that changed after the proposal is not resolved by it', async () => {
  const payment = await makePayment(ctx, caller.owner)
  world.provider.charge = async () => paid({ minor: 1n, currency: 'USD' })
  await makeAttempt(ctx, payment)
  const { body: proposal } = await admin.call('POST', '/proposals', {
    kind: 'attempt.resolve',
    subject: payment.id,
    outcome: 'failed',
    reason: 'Nothing arrived',
  })
  await ctx.db.pool.query('update payments set version = version + 1 where id = $1', [uuidOf(payment.id)])
  expect((await second.approve(proposal.id)).body.code).toBe('proposal_stale')
  const { body } = await admin.call('GET', `/payments/${caller.merchantId}/${payment.id}`)
  expect(body.payment.status).toBe('PENDING')
})

test('a refund by hand is confirmed by two, once, under the stored reference', async () => {
  const other = await makeCaller(ctx)
  const payment = await makePaid(ctx, other.owner, world.provider)
  world.provider.refundsBy = 'manual'
  await refundPayment(ctx, byMerchant(other.merchantId), other.merchantId, payment.id, {
    amount: 5,
    currency: 'USD',
  })
  const { body: reviews } = await admin.call('GET', '/reviews')
  const { refundId } = reviews.refunds.find((each: { paymentId: string }) => each.paymentId === payment.id)
  const reference = freshReference()
  const asked = { kind: 'refund.resolve', subject: refundId, outcome: 'completed', reference, reason: 'Sent' }
  const { status, body: proposal } = await admin.call('POST', '/proposals', asked)
  expect(status).toBe(201)
  const wrong = await second.call('POST', '/proposals', { ...asked, seen: 'x' })
  expect([wrong.status, wrong.body.detail]).toEqual([422, 'seen must not be given for refund.resolve'])
  expect((await second.approve(proposal.id)).body.state).toBe('approved')
  const [refund] = await refundsOf(ctx.db.kysely, other.accountId, payment.id)
  expect(refund).toMatchObject({ status: 'completed', providerReference: reference })
  expect((await admin.call('POST', '/proposals', asked)).body.code).toBe('proposal_refused')
})

describe('of an operator who was removed during the call', () => {
  let merchantId: MerchantId
  let own: string
  let others: string
  let refundId: string
  let incidentId: string
  let delivery: { readonly accountId: string; readonly webhookId: string; readonly eventId: string }
  afterEach(() => ctx.db.pool.query('update operators set removed_at = null'))
  beforeAll(async () => {
    ;({ merchantId } = await makeMerchant(ctx))
    const other = await makeMerchant(ctx)
    const propose = async (by: AtConsole, subject: string) =>
      (await by.call('POST', '/proposals', { kind: 'merchant.close', subject, reason: 'r' })).body.id
    own = await propose(admin, other.merchantId)
    others = await propose(second, (await makeMerchant(ctx)).merchantId)
    const shop = await makeCaller(ctx)
    const payment = await makePaid(ctx, shop.owner, world.provider)
    world.provider.refundsBy = 'manual'
    const refunded = { amount: 5, currency: 'USD' } as const
    const { refund } = await refundPayment(
      ctx,
      byMerchant(shop.merchantId),
      shop.merchantId,
      payment.id,
      refunded,
    )
    refundId = refund.id
    incidentId = (await admin.call('POST', '/incidents', { title: 't', text: 't' })).body.id
    const { endpoint } = await makeEndpoint(ctx, shop.owner, 'https://shop.example/hooks')
    const sent = await sendTestEvent(ctx, shop.owner, endpoint.id)
    delivery = { accountId: shop.accountId, webhookId: endpoint.id, eventId: sent.event.id }
    await ctx.db.pool.query("update webhook_deliveries set next_attempt_at = null, status = 'failed'")
    await ctx.db.pool.query(
      "insert into jobs (kind, payload, max_attempts, last_error) values ('mail', '{}', 12, 'no')",
    )
  })

  const writes: Readonly<Record<string, () => readonly [path: string, payload?: object]>> = {
    '/sign-out': () => ['/sign-out'],
    '/reveal': () => ['/reveal', { subject: merchantId, reason: 'r' }],
    '/proposals': () => ['/proposals', { kind: 'merchant.close', subject: merchantId, reason: 'r' }],
    'suspension at once': () => [
      '/proposals',
      { kind: 'merchant.suspend', subject: merchantId, reason: 'r' },
    ],
    '/refunds/take-out': () => ['/refunds/take-out', { refunds: [refundId], reason: 'r' }],
    '/merchants/:merchantId/notes': () => [`/merchants/${merchantId}/notes`, { note: 'n' }],
    '/jobs/retry': () => ['/jobs/retry', { kind: 'mail' }],
    '/webhooks/:merchantId/:webhookId/deliveries/:eventId/resend': () => [
      `/webhooks/${delivery.accountId}/${delivery.webhookId}/deliveries/${delivery.eventId}/resend`,
    ],
    '/incidents': () => ['/incidents', { title: 't', text: 't' }],
    '/incidents/:incidentId/updates': () => [
      `/incidents/${incidentId}/updates`,
      { status: 'resolved', text: 't' },
    ],
    '/proposals/:proposalId/sign': () => [`/proposals/${others}/sign`],
    '/proposals/:proposalId/approve': () => [`/proposals/${others}/approve`],
    '/proposals/:proposalId/reject': () => [`/proposals/${others}/reject`, { reason: 'r' }],
    '/proposals/:proposalId/withdraw': () => [`/proposals/${own}/withdraw`],
  }
  const records = async () => {
    const { rows } = await ctx.db.pool.query(`
      select (select json_agg(p order by id) from proposals p) as proposals,
        (select count(*) from operator_reveals) as reveals, (select count(*) from audit_log) as entries,
        (select count(*) from operator_sessions where ended_at is null) as sessions,
        (select json_agg(i order by number) from incident_updates i) as updates, (select json_agg(j) from jobs j) as jobs,
        (select json_agg(next_attempt_at) from webhook_deliveries) as deliveries,
        (select json_agg(status order by id) from merchants) as merchants`)
    return rows[0]
  }

  test('every write is listed', () => {
    const mounted = atConsole.filter(({ method, spec }) => method !== 'GET' && spec?.access !== 'anyone')
    const listed = Object.keys(writes).filter((path) => path.startsWith('/'))
    expect(listed.toSorted()).toEqual(mounted.map(({ path }) => path).toSorted())
  })

  test.each(Object.keys(writes))('%s changes nothing', async (name) => {
    const [path, payload] = writes[name]?.() ?? ['']
    let sent = payload
    if (path.endsWith('/approve')) {
      const { body } = await admin.call('POST', `/proposals/${others}/sign`)
      sent = { passkey: admin.authenticator.show(body) }
    }
    const before = await records()
    beforeTransaction = async () => {
      await ctx.db.pool.query('update operators set removed_at = now() where id = $1', [uuidOf(admin.id)])
    }
    const { status } = await admin.call('POST', path, sent)
    expect(beforeTransaction).toBeNull()
    expect([403, 404, 409]).toContain(status)
    expect(await records()).toEqual(before)
  })
})
