import type { OpenAPIV3_1 } from 'openapi-types'
import { expect } from 'vitest'
import { declaredRoutes } from './declared-routes.ts'
import { test as base } from './fixtures.ts'
import type { MountedRoute } from './mounted-routes.ts'

const named = ({ method, url }: Pick<MountedRoute, 'method' | 'url'>): string => `${method} ${url}`
const test = base.extend('inTable', ({ routes }) =>
  routes.flatMap(({ spec, ...route }) => (spec === null ? [] : [{ ...route, spec }])),
)

/** Addresses that the server answers without an entry in the table of routes, and the reason. */
const besideTheTable = new Map([
  ['/healthz', 'for whoever watches the process; says nothing of anybody'],
  ['/readyz', 'for whoever watches the process; says nothing of anybody'],
  ['/v1', 'what does not exist'],
  ['/v1/*', 'what does not exist'],
  ['/api', 'what does not exist'],
  ['/api/*', 'what does not exist'],
  ['/callbacks', 'what does not exist'],
  ['/callbacks/*', 'what does not exist'],
  ['/console/api', 'what does not exist'],
  ['/console/api/*', 'what does not exist'],
  ['/api/v1/openapi.json', 'the table itself, to read'],
  ['/dev/phone', 'the way to the simulated handset, in development only'],
  ['/dev/codes', 'the way to the simulated app that pays codes, in development only'],
  ['/logos/:hash', 'a picture for the payer’s page'],
  ['/pay/:token/return', 'the way back from a provider’s page, which proves nothing'],
  ['/pay/:token/status', 'the state of one payment for the holder of its link'],
  ['/callbacks/:provider/:token', 'a hint of a provider, which is never believed and answered alike to all'],
])

test('every address of the server is in the table of routes, or here with its reason', ({ routes }) => {
  const beside = routes.filter(({ spec }) => spec === null).map(({ url }) => url)
  expect([...new Set(beside)].toSorted()).toEqual([...besideTheTable.keys()].toSorted())
})

const prefixOf = (url: string): string =>
  ['/api/v1', '/console/api'].find((prefix) => url.startsWith(`${prefix}/`)) ?? '/v1'

test('a route is mounted as in its line of the table, and once', ({ inTable }) => {
  const asDeclared = inTable.map(({ url, spec }) => ({
    method: spec.method,
    url: prefixOf(url) + spec.path,
  }))
  const mounted = inTable.map(named)
  expect(mounted).toEqual(asDeclared.map(named))
  expect(new Set(mounted).size).toBe(mounted.length)
})

test('every call that the contract declares is mounted', async ({ inTable }) => {
  const declared = await declaredRoutes()
  expect(declared.length).toBeGreaterThan(10)
  const mounted = new Set(inTable.map(({ spec }) => spec))
  expect(
    declared.filter((spec) => !mounted.has(spec)).map(({ method, path }) => `${method} ${path}`),
  ).toEqual([])
})

test('the document of the public calls names exactly those that are mounted', async ({ app, inTable }) => {
  const { paths } = (await app.inject('/api/v1/openapi.json')).json<{ paths: Record<string, object> }>()
  const documented = Object.entries(paths).flatMap(([url, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${url}`),
  )
  const mounted = inTable
    .filter(({ url }) => url.startsWith('/api/'))
    .map((route) => named(route).replace(/:(\w+)/g, '{$1}'))
  expect(documented.toSorted()).toEqual(mounted.toSorted())
})

test('the document describes a body exactly where one is read, and allows a refusal of any call', async ({
  app,
  inTable,
}) => {
  const { paths } = (await app.inject('/api/v1/openapi.json')).json<OpenAPIV3_1.Document>()
  for (const { method, url, spec } of inTable.filter((route) => route.url.startsWith('/api/'))) {
    const operation = paths?.[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase() as 'get']
    expect([named({ method, url }), 'requestBody' in (operation ?? {})]).toEqual([
      named({ method, url }),
      spec.body !== undefined,
    ])
    const statuses = Object.keys(operation?.responses ?? {})
    const refusals = method === 'GET' ? ['400', '422'] : ['400', '413', '415', '422']
    expect(statuses).toEqual(expect.arrayContaining([...Object.keys(spec.reply), ...refusals]))
    expect(operation?.responses?.['503']).toMatchObject({
      description: expect.stringContaining('`overloaded`'),
      headers: { 'Retry-After': expect.anything() },
    })
  }
})
