import { afterEach, describe, expect, test } from 'vitest'
import { controlledTimeouts } from '../../../../test/controlled-timeouts.ts'
import { firewall, type Gateway, gatewayAnswering, respond, someMerchant } from '../fixtures.ts'
import { PROBE_TIMEOUT_MS } from '../http-transport.ts'
import { chargeRequest, configFor, order, refundRequest, transaction } from './fixtures.ts'
import { mastercardConnector } from './index.ts'

const gateways: Gateway[] = []
async function gateway(...answer: Parameters<typeof gatewayAnswering>) {
  const made = await gatewayAnswering(...answer)
  gateways.push(made)
  return { seen: made.seen, close: made.close, url: new URL(made.url).origin }
}
afterEach(async () => {
  for (const made of gateways.splice(0)) await made.close()
})

const failure = (cause: string, explanation = 'text') => ({ result: 'ERROR', error: { cause, explanation } })
const session = { result: 'SUCCESS', session: { id: 'SESSION0001' }, successIndicator: 'abc' }
const fixedClock = (now: Date) => ({ now: () => now })
const lookupRequest = { accountId: someMerchant, key: 'key1', msisdn: null, state: null }
const kindOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error) => error.kind,
  )

describe('a session', () => {
  test('requests the amount under our key and leads the payer to the card page', async () => {
    const { url, seen } = await gateway(respond(201, session))
    const now = new Date('2026-11-22T10:00:00Z')
    const reply = await mastercardConnector(configFor(url), { clock: fixedClock(now) }).charge(
      chargeRequest({ shopName: 'Tariro & Söhne <Kitchen and Garden Supplies>' }),
    )
    expect(reply).toMatchObject({
      outcome: 'pending',
      providerReference: null,
      state: { session: 'SESSION0001', expiresAt: now.getTime() + 1_800_000 },
      next: {
        type: 'redirect',
        url: `${url}/checkout/pay/SESSION0001?checkoutVersion=1.0.0`,
        expiresAt: '2026-11-22T10:30:00.000Z',
      },
    })
    const returnUrl = 'http://127.0.0.1:9/pay/token/return'
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/rest/version/100/merchant/TESTMURIPO/session',
      authorization: `Basic ${Buffer.from('merchant.TESTMURIPO:simulator').toString('base64')}`,
    })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      apiOperation: 'INITIATE_CHECKOUT',
      checkoutMode: 'WEBSITE',
      interaction: {
        operation: 'PURCHASE',
        merchant: { name: 'Tariro Sohne Kitchen and Garden Supplies' },
        returnUrl,
        cancelUrl: returnUrl,
        timeoutUrl: returnUrl,
        redirectMerchantUrl: returnUrl,
        retryAttemptCount: '0',
        timeout: '1800',
        displayControl: { billingAddress: 'HIDE', customerEmail: 'HIDE', shipping: 'HIDE' },
      },
      order: {
        id: 'key1',
        amount: '12.50',
        currency: 'USD',
        description: 'Order 1001',
        notificationUrl: 'http://127.0.0.1:9/callbacks/provider/token',
      },
    })
  })

  test.each<[string, number, unknown, string]>([
    ['INVALID_REQUEST', 400, failure('INVALID_REQUEST'), 'invalid'],
    ['REQUEST_REJECTED', 403, failure('REQUEST_REJECTED'), 'invalid'],
    ['401 in HTML', 401, firewall, 'invalid'],
    ['404', 404, '', 'invalid'],
    ['SERVER_BUSY', 503, failure('SERVER_BUSY'), 'unavailable'],
    ['SERVER_FAILED', 500, failure('SERVER_FAILED'), 'unavailable'],
    ['HTML at 200', 200, firewall, 'unavailable'],
    ['403 in HTML', 403, firewall, 'unavailable'],
    ['429', 429, '', 'unavailable'],
    ['no session', 201, { result: 'SUCCESS' }, 'unavailable'],
    ['a session with a path', 201, { ...session, session: { id: '../x' } }, 'unavailable'],
    ['another result', 201, { ...session, result: 'PENDING' }, 'unavailable'],
  ])('answered with %s is sent once', async (_name, status, body, kind) => {
    const { url, seen } = await gateway(respond(status, body))
    expect(await kindOf(mastercardConnector(configFor(url)).charge(chargeRequest()))).toBe(kind)
    expect(seen).toHaveLength(1)
  })

  test('without an answer is unavailable, because no payer has its card page', async () => {
    const { url } = await gateway((response) => response.destroy())
    await expect(mastercardConnector(configFor(url)).charge(chargeRequest())).rejects.toMatchObject({
      kind: 'unavailable',
      neverSent: false,
    })
  })
})

describe('a refund answered with', () => {
  test.each<[string, number, unknown, string]>([
    ['INVALID_REQUEST', 400, failure('INVALID_REQUEST'), 'invalid'],
    ['a repeated delivery', 400, failure('INVALID_REQUEST', 'Transaction already exists'), 'unknown'],
    ['REQUEST_REJECTED', 401, failure('REQUEST_REJECTED'), 'invalid'],
    ['SERVER_BUSY', 503, failure('SERVER_BUSY'), 'unavailable'],
    ['SERVER_FAILED', 500, failure('SERVER_FAILED'), 'unknown'],
    ['HTML at 200', 200, firewall, 'unknown'],
    ['403 in HTML', 403, firewall, 'unknown'],
    ['another refund', 201, transaction('APPROVED', 'SUCCESS', { type: 'REFUND' }), 'unknown'],
  ])('%s is sent once', async (_name, status, body, kind) => {
    const { url, seen } = await gateway(respond(status, body))
    expect(await kindOf(mastercardConnector(configFor(url)).refundCharge(refundRequest()))).toBe(kind)
    expect(seen).toHaveLength(1)
  })

  test('its result, under the order and our key', async () => {
    const done = transaction('APPROVED', 'SUCCESS', { type: 'REFUND', id: 'refund1' })
    const { url, seen } = await gateway(respond(201, done))
    const connector = mastercardConnector(configFor(url))
    expect(await connector.refundCharge(refundRequest())).toMatchObject({ outcome: 'completed' })
    const path = '/api/rest/version/100/merchant/TESTMURIPO/order/key1/transaction/refund1'
    expect(seen[0]).toMatchObject({ method: 'PUT', path })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      apiOperation: 'REFUND',
      transaction: { amount: '12.50', currency: 'USD', reference: 'Returned' },
    })
    const lookup = { ...lookupRequest, key: 'refund1', originalKey: 'key1' }
    expect(await connector.lookupRefund(lookup)).toMatchObject({ outcome: 'completed' })
    expect(seen[1]).toMatchObject({ method: 'GET', path })
  })
})

describe('a look-up', () => {
  test.each<[string, number, unknown, string]>([
    ['an unexplained 400', 400, failure('INVALID_REQUEST', 'Value is invalid'), 'invalid'],
    ['404 in HTML', 404, firewall, 'unknown'],
    ['401', 401, failure('REQUEST_REJECTED'), 'invalid'],
    ['SERVER_BUSY', 503, failure('SERVER_BUSY'), 'unavailable'],
    ['500', 500, failure('SERVER_FAILED'), 'unknown'],
    ['HTML at 200', 200, firewall, 'unknown'],
  ])('answered with %s has no outcome', async (_name, status, body, kind) => {
    const { url } = await gateway(respond(status, body))
    const connector = mastercardConnector(configFor(url))
    expect(await kindOf(connector.lookup(lookupRequest))).toBe(kind)
    expect(await kindOf(connector.lookupRefund({ ...lookupRequest, originalKey: 'key1' }))).toBe(kind)
  })

  test('of an order without a card is pending while the session lives, and not found without a session', async () => {
    const { url } = await gateway(respond(400, failure('INVALID_REQUEST', 'Unable to find order key1')))
    const now = new Date('2026-11-22T10:00:00Z')
    const connector = mastercardConnector(configFor(url), { clock: fixedClock(now) })
    const lookup = (expiresAt: number) =>
      connector.lookup({ ...lookupRequest, state: { session: 'SESSION0001', expiresAt } })
    expect(await connector.lookup(lookupRequest)).toEqual({ kind: 'not_found' })
    expect(await lookup(now.getTime())).toMatchObject({ outcome: 'pending' })
    expect(await lookup(now.getTime() - 601_000)).toMatchObject({ outcome: 'failed', reason: 'expired' })
    expect(await connector.lookupRefund({ ...lookupRequest, originalKey: 'key1' })).toEqual({
      kind: 'not_found',
    })
  })

  test('of a paid order keeps the state', async () => {
    const { url } = await gateway(respond(200, order([transaction('APPROVED', 'SUCCESS')])))
    const state = { session: 'SESSION0001', expiresAt: 1 }
    expect(await mastercardConnector(configFor(url)).lookup({ ...lookupRequest, state })).toMatchObject({
      outcome: 'completed',
      state,
    })
  })
})

test('a notification with another secret is not of the gateway; without one it is accepted', () => {
  const connector = (notificationSecret: string | null) =>
    mastercardConnector(configFor('https://gateway.example', { notificationSecret }))
  const withSecret = (secret: string) => ({ 'x-notification-secret': secret })
  expect(connector('s3cret').isAuthentic?.(withSecret('s3cret'))).toBe(true)
  expect(connector('s3cret').isAuthentic?.(withSecret('other'))).toBe(false)
  expect(connector('s3cret').isAuthentic?.({})).toBe(true)
  expect(connector(null).isAuthentic?.(withSecret('other'))).toBe(true)
})

test('the health check needs no credentials and moves no money', async () => {
  controlledTimeouts(PROBE_TIMEOUT_MS)
  const { url, seen } = await gateway(respond(200, { status: 'OPERATING' }))
  expect(await mastercardConnector(configFor(url)).health?.()).toBe('operational')
  expect(seen).toEqual([
    { method: 'GET', path: '/api/rest/version/100/information', authorization: '', body: '' },
  ])
})

test('no error text contains a request or a reply', async () => {
  const { url } = await gateway(respond(400, failure('5123450000000008', 'the card 5123450000000008')))
  const error: Error = await mastercardConnector(configFor(url))
    .charge(chargeRequest())
    .catch((caught) => caught)
  expect(`${error.message} ${JSON.stringify(error)}`).not.toMatch(/\d{13}|simulator/)
})
