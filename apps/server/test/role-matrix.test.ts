import type { Tokens } from '@muripo/contract/auth'
import { type Permission, permissionsOf, type Role, roles } from '@muripo/contract/permissions'
import { type GrantedRole, grantedRoles } from '@muripo/contract/team'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeMember, makeSession } from '../src/modules/identity/factory.ts'
import { suffixOf, uuidOf } from '../src/platform/ids.ts'
import { type Caller, makeApp, makeCaller } from './app.ts'
import { type MountedRoute, withRoutes } from './mounted-routes.ts'
import { possessionsOf } from './possessions.ts'
import { type Input, type Named, trials } from './tenant-wall-calls.ts'
import { makeShop, makeWorld } from './world.ts'

const world = await makeWorld()
const { app, routes } = await withRoutes(() => makeApp(world.ctx))

/** The calls of a session that need a permission. */
const guarded = routes.flatMap((route) => {
  const { spec } = route
  const isOfSession = spec !== null && route.url.startsWith('/v1/')
  if (!isOfSession || spec.access === 'anyone' || spec.access === 'person') return []
  return [{ ...route, spec, permission: spec.access as Permission, name: `${route.method} ${route.url}` }]
})
type Guarded = (typeof guarded)[number]

/** A stream does not end. `streams.test.ts` shows what a limited member receives. */
const ending = guarded.filter(({ spec }) => spec.events === undefined)

let caller: Caller
/** The objects of the application to which members are limited, of another one of the merchant, and of another merchant. */
let named: Record<'own' | 'other' | 'foreign', Named>

beforeAll(async () => {
  caller = await makeCaller(world.ctx)
  const sibling = await makeShop(world.ctx, caller.merchantId)
  named = {
    own: await possessionsOf(world, caller),
    other: await possessionsOf(world, { ...caller, ...sibling }),
    foreign: await possessionsOf(world, await makeCaller(world.ctx)),
  }
})
afterAll(async () => {
  await app.close()
  await world.ctx.close()
})

const inputsOf = ({ name }: Guarded, about: Named): readonly Input[] => {
  const trial = trials[name]
  return trial && 'inputs' in trial ? trial.inputs(about) : [{}]
}

async function send(
  { method, url }: Pick<MountedRoute, 'method' | 'url'>,
  { authToken }: Tokens,
  input: Input,
) {
  const response = await app.inject({
    method: method as 'GET',
    url: url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? '')),
    query: { ...input.query },
    headers: { authorization: `Bearer ${authToken}` },
    ...(input.body === undefined ? {} : { payload: input.body as object }),
  })
  const isJson = String(response.headers['content-type']).includes('json')
  return { status: response.statusCode, code: isJson ? response.json().code : undefined, text: response.body }
}

const tokensOf = async (role: Role): Promise<Tokens> =>
  role === 'owner'
    ? makeSession(world.ctx, caller.merchantId)
    : (await makeMember(world.ctx, caller.merchantId, role)).tokens

/** Without a body nothing is changed, and the permission is checked before the body is read. */
const withoutBody = ({ params = {}, query = {} }: Input): Input => ({ params, query })

let cells = 0

describe.each(roles)('%s', (role) => {
  test('may make exactly the calls whose permission the role has', async () => {
    const tokens = await tokensOf(role)
    const wrong: string[] = []
    for (const route of guarded) {
      const isStream = route.spec.events !== undefined
      const isDeletion = route.method === 'DELETE'
      const has = permissionsOf[role].has(route.permission)
      if (has && (isStream || isDeletion)) continue
      const [input = {}] = inputsOf(route, named.foreign)
      const { status, code } = await send(route, tokens, withoutBody(input))
      cells += 1
      if ((code === 'not_permitted') === has) wrong.push(`${route.name}: ${status} ${code}`)
    }
    expect(wrong).toEqual([])
  })
})

describe.each(grantedRoles)('%s, limited to one application', (role: GrantedRole) => {
  test('reaches nothing of another application or another merchant', async () => {
    const { tokens } = await makeMember(world.ctx, caller.merchantId, role, [caller.applicationId])
    const wrong: string[] = []
    for (const route of ending.filter(({ permission }) => permissionsOf[role].has(permission))) {
      for (const whose of ['other', 'foreign'] as const) {
        for (const input of inputsOf(route, named[whose])) {
          const { status, code, text } = await send(route, tokens, input)
          cells += 1
          const namesObject = trials[route.name]?.kind === 'about'
          if (!route.spec.perApplication && code !== 'not_permitted')
            wrong.push(`${route.name}: ${status} ${code}`)
          if (route.spec.perApplication && namesObject && status !== 404)
            wrong.push(`${route.name} of the ${whose} application: ${status} ${code}`)
          if (text.includes(suffixOf(named[whose].paidPaymentId as never)))
            wrong.push(`${route.name} shows a payment of the ${whose} application`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

test('a limited member makes the calls about the own application', async () => {
  const { tokens } = await makeMember(world.ctx, caller.merchantId, 'admin', [caller.applicationId])
  const wrong: string[] = []
  for (const route of ending.filter(({ spec, method }) => spec.perApplication && method === 'GET')) {
    for (const input of inputsOf(route, named.own)) {
      const { status, code } = await send(route, tokens, input)
      cells += 1
      if (status !== 200) wrong.push(`${route.name}: ${status} ${code}`)
    }
  }
  expect(wrong).toEqual([])
  const { text } = await send({ method: 'GET', url: '/v1/payments/all' }, tokens, {})
  expect(text).toContain(suffixOf(named.own.paidPaymentId as never))
  const { text: all } = await send({ method: 'GET', url: '/v1/applications/all' }, tokens, {})
  expect(JSON.parse(all).applications).toHaveLength(1)
})

describe.each(roles.filter((role) => permissionsOf[role].has('payments.write')))('%s', (role) => {
  const options = async ({ authToken }: Pick<Tokens, 'authToken'>) => {
    const path = { method: 'GET', url: '/v1/payments/options' }
    const { text } = await send(path, { authToken, refreshToken: '' }, {})
    return JSON.parse(text).applications
  }
  const choice = async (id: string) => {
    const { rows } = await world.ctx.db.pool.query('select name from applications where id = $1', [
      uuidOf(id as never),
    ])
    return { id, name: rows[0].name }
  }

  test('chooses an application for a new payment by its name, and reads nothing else of it', async () => {
    const own = await choice(caller.applicationId)
    const other = await choice(named.other.applicationId)
    expect(await options(await tokensOf(role))).toEqual(expect.arrayContaining([own, other]))
    if (role === 'owner') return
    const { tokens } = await makeMember(world.ctx, caller.merchantId, role, [caller.applicationId])
    expect(await options(tokens)).toEqual([own])
  })
})

test('the limit of a membership is set and lifted', async () => {
  const member = await makeMember(world.ctx, caller.merchantId, 'support')
  const owner = await tokensOf('owner')
  const change = async (applications: unknown) => {
    const path = { method: 'PATCH', url: `/v1/team/members/${member.personId}` }
    const { status, text } = await send(path, owner, { body: { applications } })
    return [status, JSON.parse(text).applications]
  }
  expect(await change([caller.applicationId])).toEqual([200, [caller.applicationId]])
  expect(await change(null)).toEqual([200, null])
  for (const wrong of [[named.foreign.applicationId], [], ['app_x']])
    expect((await change(wrong))[0]).toBe(422)
})

test('the matrix has a cell for each role, call and owner of the object', () => {
  expect(guarded.length).toBeGreaterThan(30)
  expect(cells).toBeGreaterThan(400)
})
