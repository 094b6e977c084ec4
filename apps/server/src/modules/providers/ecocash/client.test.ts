import { createServer } from 'node:net'
import type { AccountId } from '@muripo/contract/ids'
import { afterEach, describe, expect, test } from 'vitest'
import { controlledTimeouts } from '../../../../test/controlled-timeouts.ts'
import { CALL_MAX_MS } from '../calls/deadlines.ts'
import {
  chargeRequest,
  firewall,
  type Gateway,
  gatewayAnswering,
  refundRequest,
  respond,
  someMerchant,
} from '../fixtures.ts'
import { REQUEST_TIMEOUT_MS } from '../http-transport.ts'
import { configFor, legacy, portal } from './fixtures.ts'
import { ecocashConnector } from './index.ts'

const gateways: Gateway[] = []
async function gateway(...answer: Parameters<typeof gatewayAnswering>): Promise<Gateway> {
  const made = await gatewayAnswering(...answer)
  gateways.push(made)
  return made
}
afterEach(async () => {
  for (const made of gateways.splice(0)) await made.close()
})

const lookupRequest = { accountId: someMerchant, key: 'key1', msisdn: '263771000001', state: null }
const kindOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error) => error.kind,
  )

describe('a charge that gets', () => {
  test.each<[string, number, unknown, string, Record<string, unknown>?]>([
    ['no JSON at 200', 200, firewall, 'unknown'],
    ['nothing at 200', 200, '', 'unknown'],
    ['every field null at 200', 200, { status: null, clientCorrelator: null }, 'unknown'],
    ['a redirect', 302, '', 'unknown'],
    ['the page of a firewall at 403', 403, firewall, 'unknown'],
    ['E005', 400, { errorCode: 'E005' }, 'unknown'],
    ['a legacy duplicate', 400, { message: 'Duplicate clientCorrelator' }, 'unknown'],
    ['409', 409, { errorCode: 'E009' }, 'unknown'],
    ['422 without a word', 422, {}, 'unknown'],
    ['500', 500, { errorCode: 'E014' }, 'unknown'],
    ['503', 503, firewall, 'unknown'],
    ['E001', 400, { errorCode: 'E001' }, 'invalid', { providerCode: 'E001' }],
    ['401 in HTML', 401, firewall, 'invalid', { providerCode: '401' }],
    ['E007', 403, { error: { code: 'E007' } }, 'invalid', { providerCode: 'E007' }],
    ['404', 404, '', 'invalid'],
    ['429', 429, '', 'unavailable', { neverSent: false }],
    ['E010', 422, { code: 'E010' }, 'declined', { reason: 'insufficient_funds' }],
    ['E011', 422, { error: 'E011' }, 'declined', { reason: 'barred' }],
    ['E013', 422, { errorCode: 'E013' }, 'declined', { reason: 'limit_exceeded' }],
    ['422 with a sentence', 422, { message: 'Wrong PIN' }, 'declined', { reason: 'wrong_pin' }],
  ])('%s', async (_name, status, body, kind, more = {}) => {
    const { url, seen } = await gateway(respond(status, body))
    const call = ecocashConnector(configFor(url)).charge(chargeRequest())
    await expect(call).rejects.toMatchObject({ kind, ...more })
    expect(seen).toHaveLength(1)
  })

  test('no connection: unavailable, because nothing was sent', async () => {
    const { url, close } = await gatewayAnswering(respond(200, legacy()))
    await close()
    for (const address of [url, 'http://gateway.invalid/payment/v1']) {
      const call = ecocashConnector(configFor(address)).charge(chargeRequest())
      await expect(call).rejects.toMatchObject({ kind: 'unavailable', neverSent: true })
    }
  })

  test('a broken connection: unknown, and it is not sent again', async () => {
    const { url, seen } = await gateway((response) => response.destroy())
    expect(await kindOf(ecocashConnector(configFor(url)).charge(chargeRequest()))).toBe('unknown')
    expect(seen).toHaveLength(1)
  })

  test('half an answer: unknown', async () => {
    const { url } = await gateway((response) => {
      response.writeHead(200, { 'content-length': 1000 })
      response.write('{"clientCorrelator":"key1","transactionOperationStatus":"COMPLETED"}')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await kindOf(ecocashConnector(configFor(url)).charge(chargeRequest()))).toBe('unknown')
  })

  test('no reply: unknown after the time-out', async () => {
    const timeouts = controlledTimeouts(REQUEST_TIMEOUT_MS)
    const { url, seen } = await gateway(() => timeouts.expire(REQUEST_TIMEOUT_MS))
    expect(await kindOf(ecocashConnector(configFor(url)).charge(chargeRequest()))).toBe('unknown')
    expect(seen).toHaveLength(1)
  })

  test('an endless answer: unknown', async () => {
    const { url } = await gateway(respond(200, `{"x":"${'x'.repeat(300_000)}"}`))
    expect(await kindOf(ecocashConnector(configFor(url)).charge(chargeRequest()))).toBe('unknown')
  })

  test('another protocol than TLS: never treated as unsent', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const { port } = plain.address() as { port: number }
    const connector = ecocashConnector(configFor(`https://127.0.0.1:${port}/payment/v1`))
    expect(await kindOf(connector.charge(chargeRequest()))).toBe('unknown')
    plain.close()
  })

  test('a currency that EcoCash does not accept: invalid, and nothing is sent', async () => {
    const { url, seen } = await gateway(respond(200, legacy()))
    const amount = { minor: 100n, currency: 'ZAR' } as const
    const call = ecocashConnector(configFor(url)).charge(chargeRequest({ amount }))
    expect(await kindOf(call)).toBe('invalid')
    expect(seen).toHaveLength(0)
  })
})

describe('a refund that gets', () => {
  test.each<[string, number, unknown, string]>([
    ['409, perhaps about its own first delivery', 409, { errorCode: 'E009' }, 'unknown'],
    ['500', 500, {}, 'unknown'],
    ['E012', 422, { errorCode: 'E012' }, 'invalid'],
    ['E008', 404, { errorCode: 'E008' }, 'invalid'],
  ])('%s', async (_name, status, body, kind) => {
    const { url, seen } = await gateway(respond(status, body))
    expect(await kindOf(ecocashConnector(configFor(url)).refundCharge(refundRequest()))).toBe(kind)
    expect(seen).toHaveLength(1)
  })

  test('its answer', async () => {
    const done = { transactionId: 'RF1', originalReference: 'MP1', status: 'REFUNDED' }
    const { url, seen } = await gateway(respond(200, done))
    const reply = await ecocashConnector(configFor(url)).refundCharge(refundRequest())
    expect(reply).toMatchObject({ outcome: 'completed', providerReference: 'RF1' })
    expect(seen[0]?.path).toBe('/payment/v1/transactions/refund')
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({
      clientCorrelator: 'refund1',
      tranType: 'REF',
      originalEcocashReference: 'MP261120.0915.A00042',
    })
  })
})

describe('a reversal in place of a refund', () => {
  const reversed = portal({ status: 'REVERSED', clientCorrelator: 'refund1' })
  const connectorAt = async (refundType: 'REF' | 'REV') => {
    const { url, seen } = await gateway(respond(200, reversed))
    return { seen, connector: ecocashConnector(configFor(url, { refundType })) }
  }

  test('is sent as REV, and is done when the gateway has reversed the charge', async () => {
    const { seen, connector } = await connectorAt('REV')
    expect(await connector.refundCharge(refundRequest())).toMatchObject({ outcome: 'completed' })
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ tranType: 'REV' })
  })

  test('is not what REVERSED means for a refund: the refund itself was reversed', async () => {
    const { connector } = await connectorAt('REF')
    expect(await connector.refundCharge(refundRequest())).toMatchObject({ outcome: 'reversed' })
  })
})

describe('a lookup that gets', () => {
  test.each<[string, number, unknown, string, number]>([
    ['no JSON at 200', 200, firewall, 'unknown', 2],
    ['an empty object', 200, {}, 'no error', 1],
    ['404 in HTML', 404, firewall, 'unknown', 1],
    ['404 with nothing', 404, '', 'unknown', 1],
    ['404 in other JSON', 404, { message: 'Not Found' }, 'unknown', 1],
    ['500', 500, {}, 'unknown', 2],
    ['401', 401, '', 'invalid', 1],
    ['403 in JSON', 403, { errorCode: 'E007' }, 'invalid', 1],
    ['429', 429, {}, 'unavailable', 1],
  ])('%s', async (_name, status, body, kind, sent) => {
    const { url, seen } = await gateway(respond(status, body))
    expect(await kindOf(ecocashConnector(configFor(url)).lookup(lookupRequest))).toBe(kind)
    expect(seen).toHaveLength(sent)
  })

  test.each<[string, number, unknown]>([
    ['404 in JSON', 404, { errorCode: 'E008' }],
    ['every field null', 200, { clientCorrelator: null, paymentAmount: { charginginformation: null } }],
  ])('%s: not found', async (_name, status, body) => {
    const { url } = await gateway(respond(status, body))
    expect(await ecocashConnector(configFor(url)).lookup(lookupRequest)).toEqual({ kind: 'not_found' })
  })

  test('a broken connection, then no answer: both attempts share the time-out of the call', async () => {
    const timeouts = controlledTimeouts(REQUEST_TIMEOUT_MS, CALL_MAX_MS)
    const { url, seen } = await gateway((response) => {
      if (seen.length === 1) response.destroy()
      else timeouts.expire(CALL_MAX_MS)
    })
    const call = ecocashConnector(configFor(url)).lookup(lookupRequest)
    await expect(call).rejects.toMatchObject({ kind: 'unknown' })
    expect(seen).toHaveLength(2)
    expect(timeouts.started()).toEqual([CALL_MAX_MS, REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS])
  })

  test('a broken connection, then an answer', async () => {
    let calls = 0
    const { url } = await gateway((response) => {
      calls += 1
      if (calls === 1) response.destroy()
      else respond(200, legacy())(response)
    })
    const reply = await ecocashConnector(configFor(url)).lookup({
      ...lookupRequest,
      state: { shopName: 'A' },
    })
    expect(reply).toMatchObject({ outcome: 'pending', state: { shopName: 'A' } })
  })
})

test('one merchant whose requests a firewall refuses, or the gateway fails, opens the breaker for no other', async () => {
  const other = 'mer_01jdw0000000000000000000bb' as AccountId
  const { url, seen } = await gateway((response) =>
    (seen.at(-1)?.body.includes('poison') ? respond(500, {}) : respond(200, legacy()))(response),
  )
  const connector = ecocashConnector(configFor(url))
  const poisoned = chargeRequest({ accountId: other, description: 'poison' })
  const healthy = () => connector.charge(chargeRequest())
  for (let index = 0; index < 3; index += 1) await healthy()
  for (let index = 0; index < 20; index += 1) await kindOf(connector.charge(poisoned))
  expect(await healthy()).toMatchObject({ outcome: 'pending' })

  const page = await gateway(respond(403, firewall))
  const behindFirewall = ecocashConnector(configFor(page.url))
  for (let index = 0; index < 20; index += 1) await kindOf(behindFirewall.charge(chargeRequest()))
  expect(page.seen).toHaveLength(20)
})

test('after failed replies alone, the gateway is not called for a while', async () => {
  const { url, seen } = await gateway(respond(503, firewall))
  const connector = ecocashConnector(configFor(url))
  for (let index = 0; index < 5; index += 1) await kindOf(connector.charge(chargeRequest()))
  const calls = [
    connector.charge(chargeRequest()),
    connector.lookup(lookupRequest),
    connector.refundCharge(refundRequest()),
  ]
  for (const call of calls) await expect(call).rejects.toMatchObject({ kind: 'unavailable', neverSent: true })
  expect(seen).toHaveLength(5)
})

test('refusals that the provider means do not count as failures of the gateway', async () => {
  const { url, seen } = await gateway(respond(422, { errorCode: 'E010' }))
  const connector = ecocashConnector(configFor(url))
  for (let index = 0; index < 8; index += 1) await kindOf(connector.charge(chargeRequest()))
  expect(seen).toHaveLength(8)
})

test('no error text contains a request or a reply', async () => {
  const { url } = await gateway(respond(400, { errorCode: 'E002', message: '263771000001 PIN 0000' }))
  const error: Error = await ecocashConnector(configFor(url))
    .charge(chargeRequest())
    .catch((caught) => caught)
  expect(`${error.message} ${JSON.stringify(error)} ${error.stack}`).not.toMatch(/263771000001|PIN|0000/)
})

test('the body of a charge is spelt as the gateway spells it', async () => {
  const { url, seen } = await gateway(respond(200, legacy()))
  const config = configFor(`${url}/`, { currencyCodes: { USD: 'USD-FCA' }, location: 'Bulawayo' })
  await ecocashConnector(config).charge(chargeRequest())
  expect(seen[0]?.path).toBe('/payment/v1/transactions/amount')
  expect(seen[0]?.authorization).toBe(`Basic ${Buffer.from('muripo:simulator').toString('base64')}`)
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    clientCorrelator: 'key1',
    notifyUrl: 'http://127.0.0.1:9/callbacks/provider/token',
    referenceCode: 'key1',
    tranType: 'MER',
    endUserId: '263771000001',
    remarks: 'Order 1001',
    transactionOperationStatus: 'Charged',
    paymentAmount: {
      charginginformation: { amount: 12.5, currency: 'USD-FCA', description: 'Order 1001' },
      chargeMetaData: { channel: 'WEB', purchaseCategoryCode: 'Online Payment', onBeHalfOf: 'Shop' },
    },
    merchantCode: '00001',
    merchantPin: '0000',
    merchantNumber: '771000000',
    currencyCode: 'USD-FCA',
    countryCode: 'ZW',
    terminalID: 'MURIPO',
    location: 'Bulawayo',
    superMerchantName: 'Shop',
    merchantName: 'Shop',
  })
})
