import { CONSOLE_PAGE } from '@muripo/contract/console'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApp, withProviders } from '../../../../test/app.ts'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { type AtConsole, operatorAt, propose } from '../../../../test/console.ts'
import { freshShop, makeWorld } from '../../../../test/world.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { makeMerchant } from '../../identity/factory.ts'
import { routesOf } from '../../providers/index.ts'
import { sendTestEvent } from '../../webhooks/deliveries/actions/send-on-request.ts'
import { makeEndpoint } from '../../webhooks/factory.ts'

const world = await makeWorld()
const { ctx } = world
let app: Awaited<ReturnType<typeof makeApp>>
let admin: AtConsole
let second: AtConsole

beforeAll(async () => {
  app = await makeApp(ctx)
  admin = await operatorAt(app, ctx, 'admin')
  second = await operatorAt(app, ctx, 'admin')
})
afterAll(async () => {
  await app.close()
  await ctx.close()
})

const ecocash = async () => {
  const { body } = await admin.call('GET', '/providers')
  return body.providers.find(({ id }: { id: string }) => id === 'ecocash')
}

test('an account at a provider is paused at once, and resumed by two', async () => {
  expect(await ecocash()).toMatchObject({ state: 'enabled', health: 'operational', calls: { made: 0 } })
  expect((await propose(admin, 'provider.enable', 'ecocash')).body.code).toBe('proposal_refused')
  expect((await propose(admin, 'provider.disable', 'ecocash')).body).toEqual({ executed: true })
  expect((await ecocash()).state).toBe('disabled')
  expect((await propose(admin, 'provider.disable', 'ecocash')).body.code).toBe('proposal_refused')
  expect((await propose(admin, 'provider.disable', 'nobody')).body).toMatchObject({
    code: 'proposal_refused',
  })
  const { body: proposal } = await propose(admin, 'provider.enable', 'ecocash')
  expect((await ecocash()).state).toBe('disabled')
  expect((await second.approve(proposal.id)).status).toBe(200)
  expect((await ecocash()).state).toBe('enabled')
})

test('a route of a merchant is changed by two, and not after another change', async () => {
  const { merchantId } = await freshShop(world)
  const route = (text: string) =>
    propose(admin, 'provider.route', merchantId, { method: 'ecocash', route: text })
  expect((await route('nobody')).body).toMatchObject({
    code: 'proposal_refused',
    detail: expect.stringMatching(/^The route names nobody/),
  })
  const { body: proposal } = await route('none')
  expect(proposal.diff).toEqual([{ label: 'Route', from: 'default', to: 'none' }])
  expect((await routesOf(withProviders(ctx), merchantId)).size).toBe(0)
  expect((await second.approve(proposal.id)).body.state).toBe('approved')
  const { body } = await admin.call('GET', '/routes')
  expect(body.routes).toContainEqual(
    expect.objectContaining({ merchantId, method: 'ecocash', currency: null, accounts: [] }),
  )
  const { body: back } = await route('default')
  await ctx.db.pool.query("update provider_routes set accounts = '{ecocash}'")
  expect((await second.approve(back.id)).body.code).toBe('proposal_stale')
})

test('routes are listed for a page of merchants at a time, of all or with one account', async () => {
  const made: string[] = []
  for (let each = 0; each <= CONSOLE_PAGE; each += 1) made.push((await makeMerchant(ctx)).merchantId)
  await ctx.db.pool.query(
    "insert into provider_routes (merchant_id, route, accounts, changed_at) select id, 'visa', '{paynow}', now() from unnest ($1::uuid[]) as id",
    [made.map((id) => uuidOf(id as never))],
  )
  const { body: first } = await admin.call('GET', '/routes?account=paynow')
  expect(first.routes).toHaveLength(CONSOLE_PAGE)
  const { body: next } = await admin.call('GET', `/routes?account=paynow&cursor=${first.nextCursor}`)
  expect(next.nextCursor).toBeNull()
  const shown = [...first.routes, ...next.routes].map(({ merchantId }) => merchantId)
  expect(shown).toEqual(made.toSorted())
  expect((await admin.call('GET', '/routes?account=innbucks')).body.routes).toEqual([])
})

test("a merchant's first route is proposed by the email of its owner", async () => {
  const { merchantId, email } = await makeMerchant(ctx)
  const route = (subject: string) =>
    propose(admin, 'provider.route', subject, { method: 'ecocash', route: 'ecocash' })
  expect((await route('nobody@example.co.zw')).body.errors[0].field).toBe('subject')
  expect((await route(email)).body).toMatchObject({ subject: merchantId, diff: [{ to: 'ecocash' }] })
})

test('failing endpoints are listed, with their deliveries, and an event is sent again', async () => {
  const shop = await freshShop(world)
  const { endpoint } = await makeEndpoint(ctx, shop.owner, 'https://shop.example/hooks')
  const { event } = await sendTestEvent(ctx, shop.owner, endpoint.id)
  const listed = async (query: string) => {
    const { body } = await admin.call('GET', `/webhooks${query}`)
    return body.endpoints.map(({ id }: { id: string }) => id)
  }
  expect(await listed('')).not.toContain(endpoint.id)
  expect(await listed(`?merchant=${shop.merchantId}`)).toEqual([endpoint.id])
  await ctx.db.pool.query("update webhook_endpoints set status = 'failing'")
  await ctx.db.pool.query("update webhook_deliveries set next_attempt_at = null, status = 'failed'")
  expect(await listed('')).toContain(endpoint.id)

  const path = `/webhooks/${shop.accountId}/${endpoint.id}/deliveries`
  const { body } = await admin.call('GET', path)
  expect(body).toMatchObject({
    endpoint: { merchantId: shop.accountId, pending: 0 },
    deliveries: [{ eventId: event.id, status: 'failed' }],
  })
  const sent = await admin.call('POST', `${path}/${event.id}/resend`)
  expect([sent.status, sent.body.status]).toEqual([202, 'pending'])
  expect((await auditEntriesOn(ctx, endpoint.id)).at(-1)).toMatchObject({
    actor: admin.email,
    action: 'webhook.resent_by_operator',
    details: { event: event.id },
  })
  const other = await freshShop(world)
  expect((await admin.call('GET', `/webhooks/${other.accountId}/${endpoint.id}/deliveries`)).status).toBe(404)
})

test('failed jobs are shown by kind, and run again with all their attempts', async () => {
  await ctx.db.pool.query(`insert into jobs (kind, payload, max_attempts, attempts, last_error, due_at)
    values ('mail', '{}', 3, 3, 'refused', muripo_now()), ('mail', '{}', 3, 1, 'slow', muripo_now() + interval '1 hour'), ('mail', '{}', 3, 0, null, muripo_now()),
      ('running', '{}', 3, 2, 'slow', muripo_now() + interval '5 seconds')`)
  const { body } = await admin.call('GET', '/jobs')
  expect(body.kinds).toContainEqual(expect.objectContaining({ kind: 'mail', due: 1, later: 1, givenUp: 1 }))
  expect(body.failures.map(({ error }: { error: string }) => error)).toEqual(['refused', 'slow', 'slow'])
  expect((await admin.call('POST', '/jobs/retry', { kind: 'running' })).body).toEqual({ retried: 0 })
  expect((await admin.call('POST', '/jobs/retry', { kind: 'mail' })).body).toEqual({ retried: 2 })
  const { body: after } = await admin.call('GET', '/jobs')
  expect(after.kinds).toContainEqual(expect.objectContaining({ kind: 'mail', due: 3, givenUp: 0 }))
  expect(after.failures).toHaveLength(1)
  expect((await admin.call('POST', '/jobs/retry', { kind: 'mail' })).body).toEqual({ retried: 0 })
})

test('an incident is announced, continued and ended', async () => {
  const { status, body } = await admin.call('POST', '/incidents', {
    title: 'EcoCash is slow',
    text: 'We ask.',
  })
  expect(status).toBe(201)
  const update = (state: string) =>
    admin.call('POST', `/incidents/${body.id}/updates`, { status: state, text: 'News.' })
  expect((await update('monitoring')).status).toBe(204)
  expect((await update('resolved')).status).toBe(204)
  expect((await update('resolved')).status).toBe(404)
  const { body: list } = await admin.call('GET', '/incidents')
  expect(list.incidents[0].updates.map((each: { status: string }) => each.status)).toEqual([
    'resolved',
    'monitoring',
    'investigating',
  ])
})
