import { afterEach, expect, test } from 'vitest'
import { suffixFrom } from '../../../platform/typeid.ts'
import {
  chargeRequest,
  firewall,
  type Gateway,
  gatewayAnswering,
  refundRequest,
  respond,
} from '../fixtures.ts'
import { configFor } from './fixtures.ts'
import { ecocashOpenConnector } from './index.ts'
import type { EcocashOpenConfig } from './settings.ts'

let gateway: Gateway
const headers: Record<string, unknown>[] = []

async function connected(answer: ReturnType<typeof respond>, change: Partial<EcocashOpenConfig> = {}) {
  gateway = await gatewayAnswering((response, request) => {
    headers.push(request.headers)
    answer(response)
  })
  return ecocashOpenConnector(configFor(gateway.url, change))
}
afterEach(async () => {
  headers.length = 0
  await gateway.close()
})

const request = chargeRequest({
  key: suffixFrom('01936eee-0000-7abc-9def-00000000002a'),
  description: 'Order <1001>',
})
const sourceReference = '01936eee-0000-4abc-9def-00000000002a'
const base = '/payment/v1'

test('a payment is sent once, with the key of the application and the fields of the API', async () => {
  const connector = await connected(respond(200, ''), { environment: 'live', merchantCode: '00001' })
  expect(await connector.charge(request)).toMatchObject({ outcome: 'pending', providerStatus: 'accepted' })
  expect(gateway.seen.map(({ method, path }) => [method, path])).toEqual([
    ['POST', `${base}/api/v2/payment/instant/c2b/live`],
  ])
  expect(JSON.parse(gateway.seen[0]?.body ?? '')).toEqual({
    customerMsisdn: '263771000001',
    amount: 12.5,
    reason: 'Order 1001',
    currency: 'USD',
    sourceReference,
  })
  expect(headers[0]).toMatchObject({
    'x-api-key': 'simulator',
    merchant: '00001',
    'content-type': 'application/json',
  })
})

test('a look-up has the number and the reference, and no code of a merchant unless configured', async () => {
  const connector = await connected(respond(200, { status: 'PENDING_VALIDATION' }))
  expect(await connector.lookup({ ...request, state: null })).toMatchObject({ outcome: 'pending' })
  expect(gateway.seen[0]).toMatchObject({
    method: 'POST',
    path: `${base}/api/v1/transaction/c2b/status/sandbox`,
    body: JSON.stringify({ sourceMobileNumber: '263771000001', sourceReference }),
  })
  expect(headers[0]).not.toHaveProperty('merchant')
})

test.each([
  [400, { message: 'Invalid amount' }, 'invalid'],
  [401, '', 'invalid'],
  [403, { error: 'Forbidden' }, 'invalid'],
  [404, { message: 'Not found' }, 'invalid'],
  [403, firewall, 'unknown'],
  [404, firewall, 'unknown'],
  [404, '', 'unknown'],
  [409, { message: 'Duplicate' }, 'unknown'],
  [429, { message: 'Too many requests' }, 'unavailable'],
  [500, { message: 'Internal error' }, 'unknown'],
  [200, firewall, 'unknown'],
  [200, '[]', 'unknown'],
])('a payment that is answered %i %j is %s, and not sent again', async (status, body, kind) => {
  const connector = await connected(respond(status, body))
  await expect(connector.charge(request)).rejects.toMatchObject({ kind, neverSent: false })
  expect(gateway.seen).toHaveLength(1)
})

test.each([
  [200, '', { kind: 'not_found' }],
  [404, { message: 'Transaction not found' }, { kind: 'not_found' }],
])('a look-up that is answered %i %j finds nothing', async (status, body, found) => {
  const connector = await connected(respond(status, body))
  expect(await connector.lookup({ ...request, state: null })).toEqual(found)
})

test.each([
  [400, { message: 'Invalid' }, 'invalid'],
  [401, '', 'invalid'],
  [404, firewall, 'unknown'],
  [409, { message: 'Conflict' }, 'unknown'],
  [429, { message: 'Too many requests' }, 'unavailable'],
  [500, '', 'unknown'],
])('a look-up that is answered %i %j is %s', async (status, body, kind) => {
  const connector = await connected(respond(status, body))
  await expect(connector.lookup({ ...request, state: null })).rejects.toMatchObject({ kind })
})

test('only EcoCash numbers are taken, and a test application takes its own alone', async () => {
  const connector = await connected(respond(200, ''), { testNumbers: ['077 111 1111'] })
  expect(connector.refuseNumber('263711000001', 'ecocash')?.message).toBe(
    'Please enter an EcoCash number (077 or 078)',
  )
  expect(connector.refuseNumber('263771000001', 'ecocash')?.message).toContain('077 111 1111')
  expect(connector.refuseNumber('263771111111', 'ecocash')).toBeNull()
})

test.each([
  ['ecocashReference', 'MP261120.0915.A00042'],
  ['sourceReference', sourceReference],
] as const)('a refund names its payment by %s, in the misspelt fields of the API', async (form, named) => {
  const connector = await connected(respond(200, ''), { refundReference: form })
  const refund = refundRequest({
    key: suffixFrom('01936eee-0000-7abc-9def-00000000002b'),
    originalKey: request.key,
  })
  expect(await connector.refundCharge(refund)).toMatchObject({ outcome: 'pending' })
  expect(gateway.seen.map(({ path }) => path)).toEqual([`${base}/api/v2/refund/instant/c2b/sandbox`])
  expect(JSON.parse(gateway.seen[0]?.body ?? '')).toEqual({
    origionalEcocashTransactionReference: named,
    refundCorelator: '01936eee-0000-4abc-9def-00000000002b',
    sourceMobileNumber: '263771000001',
    amount: 12.5,
    clientName: 'Shop',
    currency: 'USD',
    reasonForRefund: 'Returned',
  })
})
