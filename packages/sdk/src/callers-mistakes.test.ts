import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CreatePaymentParams, type ListPaymentsParams, Muripo } from './index.ts'

const address = 'https://pay.example.com'
const params = { amount: 25, currency: 'USD', description: 'Order 1001' } as const
const client = () => new Muripo('k', { baseUrl: address })

beforeEach(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({ data: [], next_cursor: null }))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

const create = (change: object) => client().payments.create({ ...params, ...change } as CreatePaymentParams)
const createWith = (options: unknown) => client().payments.create(params, options as object)
const createBody = (body: unknown) => client().payments.create(body as CreatePaymentParams)
const list = (query: unknown) => client().payments.list(query as ListPaymentsParams)
const circular: { self?: object } = {}
circular.self = circular

test.each<[string, () => PromiseLike<unknown>, RegExp]>([
  ['a bigint', () => create({ amount: 25n }), /amount must not be bigint/],
  ['NaN', () => create({ amount: Number.NaN }), /amount must not be NaN/],
  ['an infinite amount', () => create({ amount: Infinity }), /amount must not be Infinity/],
  ['a function', () => create({ description: () => 'x' }), /description must not be function/],
  ['a symbol', () => create({ reference: Symbol('x') }), /reference must not be symbol/],
  ['a map', () => create({ metadata: new Map([['a', 'b']]) }), /metadata must not be a Map/],
  ['a promise', () => create({ customer: { email: Promise.resolve('a') } }), /customer\.email must not be/],
  ['an invalid date', () => create({ metadata: { at: new Date('x') } }), /metadata\.at must not be a Date/],
  ['a circle', () => create({ metadata: circular }), /metadata\.self must not contain itself/],
  ['no parameters', () => createBody(undefined), /are an object, not undefined/],
  ['null', () => createBody(null), /are an object, not null/],
  ['JSON text', () => createBody(JSON.stringify(params)), /are an object, not string/],
  ['a list', () => createBody([params]), /are an object, not an array/],
  ['a key outside of options', () => createWith('order-1'), /an object \{ idempotencyKey \}, not string/],
  ['null options', () => createWith(null), /an object \{ idempotencyKey \}, not null/],
  ['a misspelt option', () => createWith({ idempotency_key: 'order-1' }), /no option idempotency_key/],
  ['a key that no header can contain', () => createWith({ idempotencyKey: '✓1' }), /visible ASCII/],
  ['a key with a line break', () => createWith({ idempotencyKey: 'a\nb' }), /visible ASCII/],
  ['a key of 256 characters', () => createWith({ idempotencyKey: 'k'.repeat(256) }), /1 to 255/],
  ['an empty key', () => createWith({ idempotencyKey: '' }), /not an empty string/],
  ['a key that is a number', () => createWith({ idempotencyKey: 1001 }), /not a number/],
  ['a key that is null', () => createWith({ idempotencyKey: null }), /not null/],
  ['a capture of NaN', () => client().payments.capture('pay_1', { amount: Number.NaN }), /amount/],
  ['a refund of a bigint', () => client().refunds.create({ payment: 'p', amount: 5n as never }), /amount/],
  ['a filter that is an object', () => list({ reference: {} }), /reference must not be an object/],
  ['a filter that is NaN', () => list({ limit: Number.NaN }), /limit must not be NaN/],
  ['a filter that is no date', () => list({ created_after: new Date('x') }), /created_after/],
  ['filters that are a text', () => list('completed'), /are an object, not string/],
  ['filters that are null', () => list(null), /are an object, not null/],
])('%s is a TypeError before any request', async (_what, call, message) => {
  const error = await Promise.resolve(call()).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(TypeError)
  expect((error as Error).message).toMatch(message)
  expect(fetch).not.toHaveBeenCalled()
})

const withId: readonly ((muripo: Muripo, id: string) => Promise<unknown>)[] = [
  ({ payments }, id) => payments.retrieve(id),
  ({ payments }, id) => payments.cancel(id),
  ({ payments }, id) => payments.capture(id),
  ({ refunds }, id) => refunds.retrieve(id),
  ({ customers }, id) => customers.retrieve(id),
  ({ events }, id) => events.retrieve(id),
  ({ events }, id) => events.redeliver(id),
  ({ webhooks }, id) => webhooks.retrieve(id),
  ({ webhooks }, id) => webhooks.update(id, { status: 'disabled' }),
  ({ webhooks }, id) => webhooks.delete(id),
  ({ webhooks }, id) => webhooks.rotateSecret(id),
]

test.each(withId.map((call) => [String(call).replace(/^.*=> /, ''), call] as const))(
  '%s without an id is a TypeError before any request',
  async (_call, call) => {
    for (const id of ['', ' ', '.', '..', '\ud800', undefined, null, 7, {}]) {
      await expect(call(client(), id as string), String(id)).rejects.toBeInstanceOf(TypeError)
    }
    expect(fetch).not.toHaveBeenCalled()
  },
)

test.each<[string, unknown, unknown, RegExp]>([
  ['an infinite time limit', 'k', { timeoutMs: Infinity }, /timeoutMs.*Infinity/],
  ['a time limit of zero', 'k', { timeoutMs: 0 }, /timeoutMs/],
  ['a negative time limit', 'k', { timeoutMs: -1 }, /timeoutMs/],
  ['a time limit that a timer cuts', 'k', { timeoutMs: 2 ** 31 }, /timeoutMs/],
  ['a time limit that is a text', 'k', { timeoutMs: '30000' }, /timeoutMs.*string/],
  ['a time limit that is null', 'k', { timeoutMs: null }, /timeoutMs.*null/],
  ['no key', undefined, {}, /application key.*not undefined/],
  ['an empty key', ' ', {}, /application key/],
  ['a key with its scheme', 'Bearer mk_test_1', {}, /no spaces/],
  ['a key that no header can contain', 'mk_tést', {}, /ASCII/],
  ['a misspelt option', 'k', { baseURL: address }, /no option baseURL.*baseUrl/],
  ['an address in place of options', 'k', address, /an object \{ baseUrl, timeoutMs \}/],
  ['an address without a protocol', 'k', { baseUrl: 'pay.example.com' }, /MURIPO_URL/],
  ['an address of another protocol', 'k', { baseUrl: 'ftp://pay.example.com' }, /MURIPO_URL/],
  ['an address that is none', 'k', { baseUrl: 'https://[' }, /MURIPO_URL/],
  ['an address with a password', 'k', { baseUrl: 'https://a:b@pay.example.com' }, /user name/],
  ['an address with a query', 'k', { baseUrl: `${address}?a=1` }, /query/],
])('a client with %s is a TypeError that contains no key', (_what, key, options, message) => {
  const make = () => new Muripo(key as string, { baseUrl: address, ...(options as object) })
  const construct = typeof options === 'string' ? () => new Muripo('k', options as unknown as object) : make
  expect(construct).toThrow(TypeError)
  expect(construct).toThrow(message)
  expect(construct).not.toThrow(/mk_t/)
})

test.each([
  address,
  `${address}/`,
  `${address}/api/v1`,
  `${address}/api/v1/`,
  ` ${address}//api/v1//\n`,
  'HTTPS://PAY.example.com/api/v1',
  new URL(`${address}/api/v1/`),
])('the address %s reaches the API', async (baseUrl) => {
  await new Muripo(' k\n', { baseUrl }).payments.list({ reference: null as never, status: undefined })
  expect(fetch).toHaveBeenCalledWith(
    `${address}/api/v1/payments`,
    expect.objectContaining({ headers: expect.objectContaining({ authorization: 'Bearer k' }) }),
  )
})

test('a gateway below a path keeps its path, and a date is a filter', async () => {
  const { payments } = new Muripo('k', { baseUrl: 'https://example.com/pay/api/v1' })
  await payments.list({ created_after: new Date('2026-11-01T00:00:00Z') as never })
  expect(fetch).toHaveBeenCalledWith(
    'https://example.com/pay/api/v1/payments?created_after=2026-11-01T00%3A00%3A00.000Z',
    expect.anything(),
  )
})

test('a list has the methods of a promise, and several handlers share one call', async () => {
  const failure = vi
    .mocked(fetch)
    .mockImplementation(async () => Response.json({ code: 'not_found' }, { status: 404 }))
  const failing = client().payments.list()
  const ended = vi.fn()
  expect(await failing.catch(({ code }) => code)).toBe('not_found')
  await expect(failing.finally(ended)).rejects.toMatchObject({ code: 'not_found' })
  await expect(failing).rejects.toMatchObject({ status: 404 })
  expect(ended).toHaveBeenCalledOnce()
  expect(failure).toHaveBeenCalledOnce()
})

test('a runtime without `process` needs an address only', () => {
  const script = `
    delete globalThis.process
    const { Muripo } = await import('${new URL('./index.ts', import.meta.url)}')
    const outcome = (options) => { try { return new Muripo('k', options).constructor.name } catch ({ name }) { return name } }
    console.log(outcome({ baseUrl: '${address}' }), outcome())`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(output.trim()).toBe('Muripo TypeError')
})
