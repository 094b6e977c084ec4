import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeApp } from '../../../../test/app.ts'
import { auditEntriesOn } from '../../../../test/audit-entries.ts'
import { createAuthenticator } from '../../../../test/authenticator.ts'
import { type AtConsole, enrolled, operatorAt, send, signedInAt, tokenOf } from '../../../../test/console.ts'
import { makeWorld } from '../../../../test/world.ts'
import { operatorActor } from '../../../platform/audit/actor.ts'
import { withdrawProposalsOf } from '../proposals/actions/withdraw-all.ts'
import { addOperator, removeOperator } from './actions/manage-operators.ts'

const MINUTE_MS = 60_000
const world = await makeWorld()
const { ctx } = world
const root = operatorActor('root', 'root@till')
let app: Awaited<ReturnType<typeof makeApp>>
let operator: AtConsole

beforeAll(async () => {
  app = await makeApp(ctx)
})
beforeEach(async () => {
  ctx.clock.advance(10 * MINUTE_MS)
  operator = await operatorAt(app, ctx, 'risk')
})
afterAll(async () => {
  await app.close()
  await ctx.close()
})

const link = async (email: string) => {
  const added = await addOperator(ctx, root, { email, name: 'Rudo', role: 'finance' })
  return added?.link ?? ''
}
const me = (cookie: string) => send(app, ctx, { method: 'GET', path: '/me', cookie })

test('an operator registers a passkey with the link, signs in with it, and sees role and permissions', async () => {
  const { status, body } = await operator.call('GET', '/me')
  expect(status).toBe(200)
  expect(body).toMatchObject({ email: operator.email, role: 'risk', fourEyes: expect.any(String) })
  expect(body.permissions).toContain('console.decide')
  const actions = (await auditEntriesOn(ctx, operator.id)).map(({ action }) => action)
  expect(actions).toEqual(['operator.added', 'operator.enrolled', 'operator.signed_in'])
})

test('the cookie is for the browser and this site alone', async () => {
  const { setCookie } = await signedInAt(app, ctx, operator.authenticator)
  expect(setCookie).toMatch(/^muripo-console=[\w-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
})

test('a link is good once, for 24 hours, and until another one is made', async () => {
  const start = (from: string) =>
    send(app, ctx, { method: 'POST', path: '/enrol/start', payload: { token: tokenOf(from) } })
  const used = await link('once@company.test')
  await enrolled(app, ctx, used)
  const replaced = await link('again@company.test')
  await link('again@company.test')
  const old = await link('late@company.test')
  ctx.clock.advance(24 * 60 * MINUTE_MS + 1)
  for (const each of [used, replaced, old, 'x#unknown']) {
    const { status, body } = await start(each)
    expect([status, body.code]).toEqual([410, 'invitation_expired'])
  }
})

test('of 16 that use a link at once, one registers a passkey', async () => {
  const token = tokenOf(await link('race@company.test'))
  const results = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const options = await send(app, ctx, { method: 'POST', path: '/enrol/start', payload: { token } })
      if (options.status !== 200) return options.status
      const passkey = createAuthenticator({ origin: ctx.config.consoleUrl }).make(options.body)
      return (await send(app, ctx, { method: 'POST', path: '/enrol', payload: { token, passkey } })).status
    }),
  )
  expect(results.filter((status) => status === 201)).toHaveLength(1)
})

test('a signature is accepted once, for the site of the console, and with the user verified', async () => {
  const { authenticator } = operator
  const odd = [{ origin: 'https://elsewhere.test' }, { userVerified: false }, { crossOrigin: true }, {}]
  const codes: string[] = []
  for (const each of odd) {
    const options = await send(app, ctx, { method: 'POST', path: '/sign-in/start' })
    const payload = { passkey: authenticator.show(options.body, each) }
    const answer = await send(app, ctx, { method: 'POST', path: '/sign-in', payload })
    codes.push(answer.body.code ?? answer.status)
    if (answer.status === 200) {
      const again = await send(app, ctx, { method: 'POST', path: '/sign-in', payload })
      codes.push(again.body.code)
    }
  }
  expect(codes).toEqual(['passkey_refused', 'passkey_refused', 'passkey_refused', 200, 'passkey_expired'])
})

test('a refused sign-in is recorded with the operator of the passkey, where there is one', async () => {
  const refused = async () =>
    ctx.db.kysely
      .selectFrom('audit_log')
      .select(['actor_kind', 'subject', 'address', 'details'])
      .where('action', '=', 'operator.sign_in_refused')
      .where('at', '>=', ctx.clock.now())
      .orderBy('id')
      .execute()
  ctx.clock.advance(1)
  const { body: options } = await send(app, ctx, { method: 'POST', path: '/sign-in/start' })
  const shown = operator.authenticator.show(options, { userVerified: false })
  await send(app, ctx, { method: 'POST', path: '/sign-in', payload: { passkey: shown } })
  await send(app, ctx, { method: 'POST', path: '/sign-in', payload: { passkey: shown } })
  await send(app, ctx, {
    method: 'POST',
    path: '/sign-in',
    payload: { passkey: { ...shown, id: 'AAAA' } },
  })
  const visitor = { actor_kind: 'visitor', address: '127.0.0.1' }
  expect(await refused()).toEqual([
    { ...visitor, subject: operator.id, details: { refusal: 'passkey_refused' } },
    { ...visitor, subject: operator.id, details: { refusal: 'passkey_expired' } },
    { ...visitor, subject: 'unknown', details: { refusal: 'passkey_expired' } },
  ])
})

test('a session ends after 15 minutes without a call, and after 8 hours in any case', async () => {
  ctx.clock.advance(14 * MINUTE_MS)
  expect((await me(operator.cookie)).status).toBe(200)
  ctx.clock.advance(14 * MINUTE_MS)
  expect((await me(operator.cookie)).status).toBe(200)
  ctx.clock.advance(15 * MINUTE_MS)
  expect((await me(operator.cookie)).status).toBe(404)

  const { cookie } = await signedInAt(app, ctx, operator.authenticator)
  for (let minutes = 0; minutes < 480; minutes += 12) {
    expect((await me(cookie)).status).toBe(200)
    ctx.clock.advance(12 * MINUTE_MS)
  }
  expect((await me(cookie)).status).toBe(404)
})

test('a sign-out and a removal end the session at once', async () => {
  const { cookie } = await signedInAt(app, ctx, operator.authenticator)
  expect((await send(app, ctx, { method: 'POST', path: '/sign-out', cookie })).status).toBe(204)
  expect((await me(cookie)).status).toBe(404)
  await removeOperator(ctx, root, operator.email, withdrawProposalsOf)
  expect((await me(operator.cookie)).status).toBe(404)
  expect((await signedInAt(app, ctx, operator.authenticator)).body.code).toBe('passkey_refused')
})

test('an operator who is added again is the same person, with a new passkey', async () => {
  await removeOperator(ctx, root, operator.email, withdrawProposalsOf)
  const again = await addOperator(ctx, root, {
    email: operator.email.toUpperCase(),
    name: 'R',
    role: 'admin',
  })
  expect(again).toMatchObject({ isNew: true, operator: { id: operator.id, role: 'admin' } })
  expect((await signedInAt(app, ctx, operator.authenticator)).body.code).toBe('passkey_refused')
})

test('without a session every call is answered as one for an unknown address', async () => {
  const shape = async (method: 'GET' | 'POST', path: string, cookie?: string) => {
    const { status, body, headers } = await send(app, ctx, {
      method,
      path,
      ...(cookie !== undefined && { cookie }),
    })
    const { date: _, 'x-request-id': __, ...others } = headers
    return { status, body: { ...body, requestId: '' }, headers: others }
  }
  const unknown = await shape('GET', '/no-such-thing')
  expect(unknown.status).toBe(404)
  for (const [method, path] of [
    ['GET', '/me'],
    ['GET', '/merchants?status=nonsense'],
    ['POST', '/proposals'],
    ['POST', '/me'],
    ['POST', '/proposals/x/approve'],
  ] as const) {
    expect([path, await shape(method, path)]).toEqual([path, unknown])
    expect(await shape(method, path, `muripo-console=${'a'.repeat(43)}`)).toEqual(unknown)
  }
})

test('a write from a page of another site is refused', async () => {
  const { status, body } = await send(app, ctx, {
    method: 'POST',
    path: '/reveal',
    cookie: operator.cookie,
    origin: 'https://elsewhere.test',
    payload: { subject: 'x', reason: 'y' },
  })
  expect([status, body.detail]).toEqual([400, 'The call comes from another site'])
})

test('a page of the console without a session is that of an unknown address', async () => {
  const pages = await makeApp(ctx)
  pages.get('/*', async ({ url }) => url)
  const { port } = new URL(await pages.listen({ port: 0, host: '127.0.0.1' }))
  // A browser and inject() would resolve the path before they send it.
  const shown = async (path: string, cookie = '') => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { cookie } }).end()
    const [answer] = await once(asked, 'response')
    return text(answer)
  }
  for (const url of [
    '/console',
    '/console/',
    '/console/merchants?status=new',
    '/console/enrolment',
    '/Console/merchants',
    '/%63onsole/merchants',
    '/console%2Fmerchants',
    '/console.data',
    '/./console',
    '/app/../console/merchants',
    '/app/%2e%2e/console',
    '/app\\..\\console',
    '/console/sign-in/../merchants',
    '/app/../console/api/me',
  ])
    expect([url, await shown(url)]).toEqual([url, '/nothing'])
  expect(await shown('/console/merchants', operator.cookie)).toBe('/console/merchants')
  for (const url of ['/console/enrol', '/console/sign-in', '/consoles', '/app/../pricing'])
    expect(await shown(url)).toBe(url)
  await pages.close()
})
