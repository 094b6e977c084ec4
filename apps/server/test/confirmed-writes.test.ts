import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import type { MakeOptions } from '@muripo/contract/passkeys'
import { totpCode } from '@muripo/testing/authenticator-app'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { regenerateKey } from '../src/modules/applications/actions/regenerate-key.ts'
import { KeyCache } from '../src/modules/applications/index.ts'
import type { Ctx } from '../src/platform/ctx.ts'
import { coordinatorOf, noteCoordinator } from '../src/platform/db/databases.ts'
import { uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { byMerchant } from './audit-entries.ts'
import { createAuthenticator } from './authenticator.ts'
import { type MountedRoute, withRoutes } from './mounted-routes.ts'
import { isOnCitus } from './on-citus.ts'
import { possessionsOf, rowsOf } from './possessions.ts'
import { type Input, type Named, trials } from './tenant-wall-calls.ts'
import { makeWorld } from './world.ts'

/** Writes without a key or a session. */
const withoutCaller = new Map([
  [
    'POST /v1/auth/signout',
    'ends the session that its token names, and a session that has ended already stays ended',
  ],
])

/** Writes whose caller is confirmed outside of their handler, and where. */
const confirmedElsewhere = new Map([
  ['POST /api/v1/payments', 'statement'],
  ['POST /api/v1/payments/:paymentId/capture', 'action'],
  ['POST /api/v1/refunds', 'action'],
])

const world = await makeWorld()
/** Runs once, before the next transaction of a call. */
let beforeTransaction: (() => Promise<void>) | null = null
const interrupted = <C extends Ctx>(ctx: C): C => ({
  ...ctx,
  db: {
    ...ctx.db,
    tx: async (work) => {
      await interrupt()
      return ctx.db.tx(work)
    },
    commitStatement: async (statement) => {
      await interrupt()
      return ctx.db.commitStatement(statement)
    },
  },
})
const ctx = interrupted(world.ctx)
if (isOnCitus) noteCoordinator(ctx, interrupted(coordinatorOf(world.ctx)))

async function interrupt(): Promise<void> {
  const run = beforeTransaction
  beforeTransaction = null
  await run?.()
}

/** Callbacks for requests whose caller was authenticated and whose body has not been read. */
const admitted = new Set<() => void>()
const keyCache = new KeyCache()
const { app, routes } = await withRoutes(() => announcing(() => makeApp(ctx, keyCache)))

let caller: Caller
let named: Named

beforeAll(async () => {
  await keyCache.connect(ctx, ctx.databaseUrl)
  await app.listen({ host: '127.0.0.1', port: 0 })
  caller = await makeCaller(world.ctx)
  named = await possessionsOf(world, caller)
})
afterAll(async () => {
  await app.close()
  await keyCache.close()
  await world.ctx.close()
})

const writes = routes
  // The calls of operators are in console.test.ts.
  .filter(({ spec, method, url }) => spec !== null && method !== 'GET' && !url.startsWith('/console/'))
  .map((route) => ({ ...route, name: `${route.method} ${route.url}` }))
  .filter(({ name }) => trials[name]?.kind !== 'open' && !withoutCaller.has(name))

test('every write that a key or a session authorises is confirmed in its transaction, but for those listed here', () => {
  const elsewhere = writes.filter(({ confirmedBy }) => confirmedBy !== null)
  expect(new Map(elsewhere.map(({ name, confirmedBy }) => [name, confirmedBy]))).toEqual(confirmedElsewhere)
  expect(writes.length).toBeGreaterThan(20)
})

describe.each(writes)('$name', (route) => {
  const surface = route.url.startsWith('/api/') ? 'withKey' : 'withSession'
  afterEach(() => restore())

  test('answers 401 and changes nothing when its key or session ended while the body was held back', async () => {
    const held = await hold(route, caller[surface].authorization, await inputOf(route.name))
    await end[surface]()
    const rows = await rowsOf(world.ctx, caller)
    expect(await held.finish()).toBe(401)
    await world.ctx.backgroundTasks.drain()
    expect(await rowsOf(world.ctx, caller)).toEqual(rows)
  })

  // The statement that creates payments checks the key itself: store-create.test.ts.
  test.skipIf(route.confirmedBy === 'statement')(
    'is rolled back when its key or session ended before it commits',
    async () => {
      const input = await inputOf(route.name)
      let rows: unknown
      beforeTransaction = async () => {
        await end[surface]()
        rows = await rowsOf(world.ctx, caller)
      }
      const held = await hold(route, caller[surface].authorization, input)
      expect(await held.finish()).toBe(401)
      await world.ctx.backgroundTasks.drain()
      expect(beforeTransaction).toBeNull()
      expect(await rowsOf(world.ctx, caller)).toEqual(rows)
    },
  )
})

test('an endpoint whose creation waited during a regeneration of the key is not created', async () => {
  const other = await makeCaller(world.ctx)
  const create = writes.find(({ name }) => name === 'POST /api/v1/webhooks')
  if (!create) throw new Error('the call is mounted')
  const input = { body: { url: 'http://127.0.0.1:9/stolen', events: ['payment.completed'] } }
  const held = await hold(create, other.withKey.authorization, input)
  const late = await hold(create, other.withKey.authorization, input)
  expect(await held.finish()).toBe(201)
  const { merchantId, applicationId } = other
  await regenerateKey(world.ctx, byMerchant(merchantId), { merchantId, applicationId }, async () => undefined)
  expect(await late.finish()).toBe(401)
  const { webhook_endpoints: endpoints } = await rowsOf(world.ctx, other)
  expect(endpoints).toHaveLength(1)
})

const ofCaller = (statement: string, column: 'account_id' | 'merchant_id') => async () => {
  await world.ctx.db.pool.query(`${statement} where ${column} = $1`, [uuidOf(caller.merchantId)])
}

/** Without a notification to the processes that may have cached the key. */
const end = {
  withKey: ofCaller('update application_keys set revoked_at = now()', 'account_id'),
  withSession: ofCaller("update sessions set ended_at = now(), end_reason = 'operator'", 'merchant_id'),
}

async function restore(): Promise<void> {
  await ofCaller('update application_keys set revoked_at = null', 'account_id')()
  await ofCaller('update sessions set ended_at = null, end_reason = null', 'merchant_id')()
}

async function inputOf(name: string): Promise<Input> {
  const body = await bodies[name]?.()
  if (body !== undefined) return { body }
  const trial = trials[name]
  const inputs = trial && 'inputs' in trial ? trial.inputs(named) : []
  return inputs[0] ?? {}
}

const password = 'correct horse battery'

/** The bodies of the calls that another test sends for another merchant. */
const bodies: Readonly<Record<string, () => unknown>> = {
  'POST /v1/invitations/accept': () => ({ token: 'x' }),
  'POST /v1/account/passkeys': async () => ({ passkey: await madePasskey() }),
  'POST /v1/account/totp': async () => ({ code: await shownCode() }),
  'POST /v1/account/totp/remove': () => ({ password }),
  'POST /v1/account/recovery-codes': () => ({ password }),
}

/** A passkey of the caller's authenticator, for the caller's session. */
const madePasskey = async () =>
  createAuthenticator({ origin: ctx.config.publicUrl }).make(await start<MakeOptions>('passkeys'))

/** The code of an app that the caller is adding. */
const shownCode = async () => totpCode((await start<{ secret: string }>('totp')).secret, ctx.clock.now())

async function start<Started>(factor: 'passkeys' | 'totp'): Promise<Started> {
  const response = await app.inject({
    method: 'POST',
    url: `/v1/account/${factor}/start`,
    headers: caller.withSession,
    payload: { password },
  })
  return response.json<Started>()
}

/** Sends a request without the end of its body, and returns when its caller was authenticated. */
async function hold(
  { method, url }: Pick<MountedRoute, 'method' | 'url'>,
  authorization: string,
  { params = {}, headers = {}, body = {} }: Input,
): Promise<{ finish(): Promise<number> }> {
  const path = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const text = JSON.stringify(body)
  const head = {
    host: 'gateway.test',
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
    authorization,
    ...headers,
  }
  const { port } = app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let answer = ''
  socket.on('data', (chunk: string) => {
    answer += chunk
  })
  const letIn = Promise.withResolvers<void>()
  admitted.add(letIn.resolve)
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${text.slice(0, 1)}`)
  await Promise.race([letIn.promise, once(socket, 'close')])
  admitted.delete(letIn.resolve)
  return {
    async finish() {
      const closed = once(socket, 'close')
      socket.write(text.slice(1))
      await closed
      return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
    },
  }
}

/** Adds a hook between the headers and the body to every route of the server. */
async function announcing(build: () => Promise<FastifyInstance>): Promise<FastifyInstance> {
  const listen = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('preParsing', async () => {
      for (const resolve of admitted) resolve()
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    return await build()
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
}
