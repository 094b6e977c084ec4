import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  createApplication as create,
  fetchApplication as find,
  fetchApplications as list,
  regenerateApplicationKey as regenerate,
  updateBankingDetails as saveBanking,
  updateApplicationStatus as setStatus,
} from './applications.ts'

const requests: [string, RequestInit][] = []
/** A server with responses that the gateway never gives. */
const answer = (body: unknown, status = 200) =>
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    requests.push([address, init])
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  })
const cut = () =>
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('failed to fetch')
  })
afterEach(() => {
  vi.unstubAllGlobals()
  requests.length = 0
})

const messageOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: Error) => error.message,
  )
const application = { _id: 'app_1', applicationKey: 'mk_test_1', createdAt: '2026-01-01T00:00:00.000Z' }
const newer = { ...application, _id: 'app_2', createdAt: '2026-02-01T00:00:00.000Z' }
const values = { applicationName: 'Till', description: 'The counter', category: 'Retail' as const }
const details = {
  bankName: 'CBZ Bank',
  bankAccountNumber: '0123456789',
  bankAccountName: 'Till',
  bankAccountType: 'Current' as const,
}
const network = 'Network error. Please check your connection and try again.'

test('[CALLS-30] [CALLS-34] [CALLS-37] [CALLS-39] each call has its method, path and body', async () => {
  answer({ ...application, applications: [], newApplicationKey: 'mk_test_2' })
  for (const call of [
    () => list(),
    () => create(values),
    () => find('app_1'),
    () => regenerate('app_1'),
    () => setStatus('app_1', 'inactive'),
    () => saveBanking('app_1', details),
  ]) {
    await call()
  }
  expect(
    requests.map(([address, { method, body }]) => [method, address, body && JSON.parse(String(body))]),
  ).toEqual([
    ['GET', '/v1/applications/all', undefined],
    ['POST', '/v1/applications/create', values],
    ['GET', '/v1/applications/app_1', undefined],
    ['PATCH', '/v1/applications/app_1/regenerate-key', undefined],
    ['PATCH', '/v1/applications/app_1/status', { status: 'inactive' }],
    ['PUT', '/v1/applications/app_1/banking', details],
  ])
})

describe('[CALLS-31] the list', () => {
  test.each([
    ['a plain array', [application, newer]],
    ['an object with the array', { applications: [application, newer] }],
  ])('may be %s, and is newest first', async (_what, body) => {
    answer(body)
    expect((await list()).map(({ _id }) => _id)).toEqual(['app_2', 'app_1'])
  })
})

test.each([application, { application }])(
  '[CALLS-38] one application may be in an object: %j',
  async (body) => {
    answer(body)
    expect(await find('app_1')).toMatchObject(application)
  },
)

test.each([200, 201])('[CALLS-35] a create with the status %i succeeds', async (status) => {
  answer(application, status)
  expect(await create(values)).toMatchObject(application)
})

test('[CALLS-35] a create with any other status fails', async () => {
  answer(application, 202)
  expect(await messageOf(create(values))).toBe('Failed to create application')
})

test('[CALLS-40] the new key is read from the response', async () => {
  answer({ newApplicationKey: 'mk_test_2' })
  expect(await regenerate('app_1')).toBe('mk_test_2')
})

describe('[CREATE-20] [ERR-27] an application without an _id', () => {
  test.each([{}, { application: {} }, { application: null }, [], { applicationKey: 'mk_test_1' }])(
    'is refused: %j',
    async (body) => {
      answer(body)
      expect(await messageOf(find('app_1'))).toBe('Invalid application data received')
      expect(await messageOf(create(values))).toBe('Invalid application data received')
    },
  )
})

test('[ERR-33] a response without a new key is an error', async () => {
  for (const body of [{}, { newApplicationKey: '' }, { newApplicationKey: 7 }]) {
    answer(body)
    expect(await messageOf(regenerate('app_1'))).toBe('Failed to get new application key from response')
  }
})

describe.each([
  ['[ERR-23] [ERR-24] the list', () => list(), 'Failed to fetch applications', network],
  ['[ERR-25] [ERR-26] a create', () => create(values), 'Failed to create application', network],
  ['[ERR-28] [ERR-29] one application', () => find('app_1'), 'Failed to fetch application', network],
  [
    '[ERR-34] [ERR-35] a new key',
    () => regenerate('app_1'),
    'Failed to regenerate application key',
    'Network error occurred while regenerating key',
  ],
  ['stopping', () => setStatus('app_1', 'inactive'), 'Failed to deactivate application', network],
  ['starting', () => setStatus('app_1', 'active'), 'Failed to activate application', network],
  ['banking details', () => saveBanking('app_1', details), 'Failed to update banking details', network],
])('%s that fails', (_what, call, fallback, networkText) => {
  test('has the sentence of the server', async () => {
    answer({ message: 'The shop is closed' }, 409)
    expect(await messageOf(call())).toBe('The shop is closed')
  })
  test('has its own sentence when the server sends none', async () => {
    answer('<h1>Bad Gateway</h1>', 502)
    expect(await messageOf(call())).toBe(fallback)
  })
  test('has the sentence about the network when no response arrives', async () => {
    cut()
    expect(await messageOf(call())).toBe(networkText)
  })
})
