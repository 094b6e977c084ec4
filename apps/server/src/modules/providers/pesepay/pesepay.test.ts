import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { money } from '@muripo/contract/money'
import { expect, onTestFinished, test } from 'vitest'
import { controlledTimeouts } from '../../../../test/controlled-timeouts.ts'
import { PROBE_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../http-transport.ts'
import { chargeRequest } from '../mastercard/fixtures.ts'
import { configFor } from './fixtures.ts'
import { pesepayConnector } from './index.ts'
import { encrypt, openEnvelope } from './wire.ts'

interface Seen {
  readonly headers: Record<string, unknown>
  readonly body: string
}

/** A provider with one answer. */
async function provider(status: number, answer: string) {
  const seen: Seen[] = []
  const server = createServer(async (request, response) => {
    seen.push({ headers: request.headers, body: await text(request) })
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const config = configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/engine`)
  return { seen, config, connector: pesepayConnector(config) }
}
const lookupOf = (state: object | null) => ({
  accountId: chargeRequest().accountId,
  key: 'key1',
  msisdn: null,
  state: state as { reference: string } | null,
})

test.each([
  [404, '{"message":"Not found"}', 'the integration key is unknown'],
  [403, '{"message":"Forbidden"}', 'the integration key is disabled'],
  [500, '{"message":"Failed to decrypt your data"}', 'the encryption key is wrong'],
])('HTTP %i %s means that the credentials are wrong', async (status, answer, cause) => {
  const { connector, seen } = await provider(status, answer)
  const error = { kind: 'invalid', message: expect.stringContaining(cause) }
  await expect(connector.charge(chargeRequest())).rejects.toMatchObject(error)
  expect(seen).toHaveLength(1)
  await expect(connector.lookup(lookupOf({ reference: 'R1' }))).rejects.toMatchObject(error)
})

test('HTTP 400 does not prove a wrong request, and leaves the outcome of a charge unknown', async () => {
  const { connector } = await provider(400, '{"message":"Bad request"}')
  await expect(connector.charge(chargeRequest())).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(connector.lookup(lookupOf({ reference: 'R1' }))).rejects.toMatchObject({ kind: 'unknown' })
})

test('a payment is sent with the names and addresses of the protocol', async () => {
  const { connector, config, seen } = await provider(200, '{}')
  await connector.charge(chargeRequest({ amount: money(1250n, 'ZWG') })).catch(() => undefined)
  expect(seen[0]?.headers).toMatchObject({ key: 'simulator', authorization: 'simulator' })
  expect(openEnvelope(seen[0]?.body ?? '', config.encryptionKey)).toEqual({
    amountDetails: { amount: '12.5', currencyCode: 'ZiG' },
    reasonForPayment: 'Order 1001',
    merchantReference: 'key1',
    resultUrl: 'http://127.0.0.1:9/callbacks/provider/token',
    returnUrl: 'http://127.0.0.1:9/pay/token/return',
  })
})

const walletRequest = (method: 'ecocash' | 'innbucks', msisdn = '263771000001') =>
  chargeRequest({ method, msisdn, email: 'payer@example.com' })
const enveloped = (body: object) =>
  JSON.stringify({ payload: encrypt(JSON.stringify(body), configFor('http://127.0.0.1:9').encryptionKey) })

test('a wallet is prompted by the phone number, with the code of its method', async () => {
  const { connector, config, seen } = await provider(200, enveloped({ referenceNumber: 'R1' }))
  expect(await connector.charge(walletRequest('ecocash'))).toMatchObject({
    outcome: 'pending',
    state: { reference: 'R1' },
    next: { type: 'wait_for_push' },
  })
  expect(openEnvelope(seen[0]?.body ?? '', config.encryptionKey)).toEqual({
    amountDetails: { amount: '12.5', currencyCode: 'USD' },
    reasonForPayment: 'Order 1001',
    merchantReference: 'key1',
    resultUrl: 'http://127.0.0.1:9/callbacks/provider/token',
    returnUrl: 'http://127.0.0.1:9/pay/token/return',
    paymentMethodCode: 'PZW211',
    customer: { phoneNumber: '0771000001', name: 'Customer', email: 'payer@example.com' },
    paymentMethodRequiredFields: { customerPhoneNumber: '0771000001' },
    paymentRequestFields: { customerPhoneNumber: '0771000001' },
  })
})

test('InnBucks shows the code of the reply, and a reply without one is no payment', async () => {
  const started = { referenceNumber: 'R1', transactionMetadata: { code: '701234567', qrCode: 'iVBOR' } }
  const { connector } = await provider(200, enveloped(started))
  expect(await connector.charge(walletRequest('innbucks'))).toMatchObject({
    next: { type: 'show_code', code: '701234567', qr: '701234567' },
  })
  const { connector: withoutCode } = await provider(200, enveloped({ referenceNumber: 'R1' }))
  await expect(withoutCode.charge(walletRequest('innbucks'))).rejects.toMatchObject({ kind: 'unavailable' })
})

test.each([
  [400, '{"message":"Bad request"}'],
  [200, enveloped({ transactionStatus: 'PENDING' })],
])('a push answered with HTTP %i and no reference may be paid', async (status, answer) => {
  const { connector, seen } = await provider(status, answer)
  await expect(connector.charge(walletRequest('ecocash'))).rejects.toMatchObject({ kind: 'unknown' })
  await expect(connector.lookup({ ...lookupOf(null), msisdn: '263771000001' })).rejects.toMatchObject({
    kind: 'unknown',
  })
  expect(seen).toHaveLength(1)
})

test('a wallet without a code in the currency is refused before a call', async () => {
  const { config, seen } = await provider(200, '{}')
  const walletCodes = { ecocash: { USD: 'PZW211' }, innbucks: {} }
  const connector = pesepayConnector({ ...config, walletCodes })
  expect(connector.takes?.('ecocash', 'ZWG')).toBe(false)
  expect(connector.takes?.('visa', 'ZWG')).toBe(true)
  for (const request of [
    { ...walletRequest('ecocash'), amount: money(1250n, 'ZWG') },
    walletRequest('innbucks'),
  ])
    await expect(connector.charge(request)).rejects.toMatchObject({ kind: 'invalid', neverSent: true })
  expect(seen).toEqual([])
})

test('EcoCash takes its own numbers only, InnBucks any mobile number', () => {
  const { refuseNumber } = pesepayConnector(configFor('http://127.0.0.1:9'))
  expect(refuseNumber('263712345678', 'ecocash')?.message).toMatch(/077 or 078/)
  expect(refuseNumber('263712345678', 'innbucks')).toBeNull()
})

test('a header line without a carriage return does not make a reply unreadable', async () => {
  const { encryptionKey } = configFor('http://127.0.0.1:9')
  const body = JSON.stringify({
    payload: encrypt('{"referenceNumber":"R1","transactionStatus":"PENDING"}', encryptionKey),
  })
  const head = `HTTP/1.1 200 OK\r\nStrict-Transport-Security: max-age=1\nContent-Length: ${body.length}\r\n`
  const server = createTcpServer((socket) => {
    socket.once('data', () => socket.end(`${head}\r\n${body}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const connector = pesepayConnector(configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  expect(await connector.lookup(lookupOf({ reference: 'R1' }))).toMatchObject({ outcome: 'pending' })
  controlledTimeouts(PROBE_TIMEOUT_MS)
  expect(await connector.health?.()).toBe('operational')
})

test('a reply that stops before its end has no outcome', async () => {
  const timeouts = controlledTimeouts(REQUEST_TIMEOUT_MS)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{')
    // The pause lets the connector read the beginning of the reply.
    setTimeout(() => timeouts.expire(REQUEST_TIMEOUT_MS), 50)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  const connector = pesepayConnector(configFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  await expect(connector.lookup(lookupOf({ reference: 'R1' }))).rejects.toMatchObject({
    kind: 'unknown',
    message: 'Pesepay did not answer in time',
  })
})

test('an address of a status elsewhere is not called', async () => {
  const { connector, seen } = await provider(200, '{}')
  await expect(connector.lookup(lookupOf({ pollUrl: 'https://elsewhere.example/' }))).rejects.toMatchObject({
    kind: 'unknown',
  })
  expect(seen).toEqual([])
})

test('a callback with another integration key is refused, and one without a key is accepted', async () => {
  const { isAuthentic } = pesepayConnector(configFor('http://127.0.0.1:9'))
  const accepted = ['simulator', undefined, 'other', ''].map((key) =>
    isAuthentic?.(key === undefined ? {} : { authorization: key }),
  )
  expect(accepted).toEqual([true, true, false, false])
})
