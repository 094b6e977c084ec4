import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Simulator } from '../app.ts'
import { begin } from '../testing.ts'

const authorization = `Basic ${Buffer.from('merchant.TESTMURIPO:simulator').toString('base64')}`
const wire = '/mastercard/api/rest/version/100/merchant/TESTMURIPO'

const checkout = (order: object = {}, interaction: object = {}) => ({
  apiOperation: 'INITIATE_CHECKOUT',
  interaction: {
    operation: 'PURCHASE',
    merchant: { name: 'Shop & <Sons>' },
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/return',
    redirectMerchantUrl: 'https://shop.example/return',
    retryAttemptCount: 0,
    ...interaction,
  },
  order: { id: 'order1', amount: '12.50', currency: 'USD', description: 'Order 1', ...order },
})

const call = ({ app }: Simulator, method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) =>
  app.inject({ method, url: wire + path, headers: { authorization }, ...(payload && { payload }) })
const orderOf = async (simulator: Simulator) => (await call(simulator, 'GET', '/order/order1')).json()

async function open(simulator: Simulator, body: object = checkout()): Promise<string> {
  const reply = await call(simulator, 'POST', '/session', body)
  expect(reply.statusCode).toBe(201)
  return `/mastercard/checkout/pay/${reply.json().session.id}`
}

const submit = ({ app }: Simulator, url: string, form: Record<string, string>) =>
  app.inject({
    method: 'POST',
    url,
    payload: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const card = (number: string, expiry = '01/39') => ({ number, expiry, cvv: '100' })
const plain = '5111 1111 1111 1118'
const enrolled = '5123 4500 0000 0008'

describe('a payment on the card page', () => {
  test('with 3-D Secure: found when the card is entered, captured when the payer approves', async () => {
    const simulator = begin()
    const url = await open(simulator)
    expect((await call(simulator, 'GET', '/order/order1')).statusCode).toBe(400)
    const page = (await simulator.app.inject(`${url}?checkoutVersion=1.0.0`)).body
    expect(page).toContain('Pay USD 12.50')
    expect(page).toContain('Shop &amp; &lt;Sons&gt;')
    expect(page).not.toContain('<script')

    expect((await submit(simulator, url, card(enrolled))).headers.location).toBe(url)
    expect(await orderOf(simulator)).toMatchObject({ status: 'AUTHENTICATION_INITIATED', result: 'PENDING' })
    expect((await simulator.app.inject(url)).body).toContain('Your bank asks')
    const done = await submit(simulator, url, { answer: 'approve' })
    expect(done.headers.location).toMatch(/^https:\/\/shop\.example\/return\?resultIndicator=[0-9a-f]{16}&/)
    expect(await orderOf(simulator)).toMatchObject({
      status: 'CAPTURED',
      result: 'SUCCESS',
      totalCapturedAmount: 12.5,
      transaction: [{ transaction: { type: 'AUTHENTICATION' } }, { response: { gatewayCode: 'APPROVED' } }],
    })
    expect((await simulator.app.inject(url)).statusCode).toBe(410)
  })

  test('not approved: declined without a payment, and the payer is led back', async () => {
    const simulator = begin()
    const url = await open(simulator)
    await submit(simulator, url, card(enrolled))
    expect((await submit(simulator, url, { answer: 'fail' })).headers.location).toBe(
      'https://shop.example/return',
    )
    expect(await orderOf(simulator)).toMatchObject({
      status: 'AUTHENTICATION_UNSUCCESSFUL',
      totalCapturedAmount: 0,
      transaction: [{ transaction: { authenticationStatus: 'AUTHENTICATION_FAILED' } }],
    })
  })

  test.each([
    ['01/39', 'APPROVED', 'SUCCESS'],
    ['05/39', 'DECLINED', 'FAILURE'],
    ['04/27', 'EXPIRED_CARD', 'FAILURE'],
    ['08/28', 'TIMED_OUT', 'UNKNOWN'],
    ['01/37', 'ACQUIRER_SYSTEM_ERROR', 'FAILURE'],
    ['02/37', 'UNSPECIFIED_FAILURE', 'FAILURE'],
    ['05/37', 'UNKNOWN', 'UNKNOWN'],
    ['12/40', 'DECLINED', 'FAILURE'],
  ])('the expiry %s ends as %s', async (expiry, gatewayCode, result) => {
    const simulator = begin()
    await submit(simulator, await open(simulator), card(plain, expiry))
    const { transaction } = await orderOf(simulator)
    expect(transaction).toMatchObject([{ result, response: { gatewayCode } }])
  })

  test('refuses anything but a test card, and never shows what was typed', async () => {
    const simulator = begin()
    const url = await open(simulator)
    const reply = await submit(simulator, url, { number: '4111111111111111', expiry: '13/39', cvv: '1' })
    expect(reply.statusCode).toBe(422)
    expect(reply.body).toContain('Please enter one of the test cards below')
    expect(reply.body).not.toContain('4111111111111111')
  })

  test('without a page for failures the payer enters another card on the same page', async () => {
    const simulator = begin()
    const url = await open(simulator, checkout({}, { redirectMerchantUrl: undefined }))
    expect((await submit(simulator, url, card(plain, '05/39'))).body).toContain('try another one')
    await submit(simulator, url, card(plain))
    expect(await orderOf(simulator)).toMatchObject({ status: 'CAPTURED', result: 'SUCCESS' })
  })

  test('keeps the masked number only', async () => {
    const simulator = begin()
    await submit(simulator, await open(simulator), card(plain))
    const records = (await simulator.app.inject('/control/mastercard/orders')).body
    expect(records).toContain('511111xxxxxx1118')
    expect(records).not.toContain('5111111111111118')
  })
})

describe('refunds', () => {
  const refund = (simulator: Simulator, id: string, amount: string) =>
    call(simulator, 'PUT', `/order/order1/transaction/${id}`, {
      apiOperation: 'REFUND',
      transaction: { amount, currency: 'USD' },
    })

  test('in parts up to the captured amount; the same id twice is the same refund', async () => {
    const simulator = begin()
    await submit(simulator, await open(simulator), card(plain))
    expect((await refund(simulator, 'r1', '10.00')).json()).toMatchObject({
      result: 'SUCCESS',
      order: { status: 'PARTIALLY_REFUNDED', totalRefundedAmount: 10 },
      transaction: { id: 'r1', type: 'REFUND', amount: 10 },
    })
    expect((await refund(simulator, 'r1', '10.00')).statusCode).toBe(201)
    const { orders } = (await simulator.app.inject('/control/mastercard/orders')).json()
    expect(orders[0].transactions.at(-1)).toMatchObject({ id: 'r1', requests: 2 })
    const excess = await refund(simulator, 'r2', '2.51')
    expect([excess.statusCode, excess.json().error.cause]).toEqual([400, 'INVALID_REQUEST'])
    expect((await refund(simulator, 'r3', '2.50')).json().order.status).toBe('REFUNDED')
  })

  test('an unpaid order has nothing to refund', async () => {
    const simulator = begin()
    await submit(simulator, await open(simulator), card(plain, '05/39'))
    expect((await refund(simulator, 'r1', '1.00')).statusCode).toBe(400)
  })
})

describe('an authorisation', () => {
  const transact = (simulator: Simulator, id: string, apiOperation: string, transaction: object) =>
    call(simulator, 'PUT', `/order/order1/transaction/${id}`, { apiOperation, transaction })
  const capture = (simulator: Simulator, id: string, amount: string) =>
    transact(simulator, id, 'CAPTURE', { amount, currency: 'USD' })

  async function authorise(): Promise<Simulator> {
    const simulator = begin()
    await submit(simulator, await open(simulator, checkout({}, { operation: 'AUTHORIZE' })), card(plain))
    return simulator
  }

  test('is captured up to its amount; the same id twice is the same capture', async () => {
    const simulator = await authorise()
    expect(await orderOf(simulator)).toMatchObject({
      status: 'AUTHORIZED',
      totalAuthorizedAmount: 12.5,
      totalCapturedAmount: 0,
    })
    expect((await capture(simulator, 'c1', '12.51')).statusCode).toBe(400)
    for (let index = 0; index < 2; index += 1)
      expect((await capture(simulator, 'c1', '12.50')).json()).toMatchObject({
        order: { status: 'CAPTURED', totalCapturedAmount: 12.5 },
        transaction: { id: 'c1', type: 'CAPTURE' },
      })
    expect((await capture(simulator, 'c2', '0.01')).statusCode).toBe(400)
  })

  test('is voided before a capture and not after it', async () => {
    const simulator = await authorise()
    const [authorisation] = (await orderOf(simulator)).transaction
    const target = { targetTransactionId: authorisation.transaction.id }
    expect((await transact(simulator, 'v1', 'VOID', { targetTransactionId: 'other' })).statusCode).toBe(400)
    expect((await transact(simulator, 'v2', 'VOID', target)).json()).toMatchObject({
      order: { status: 'CANCELLED', totalAuthorizedAmount: 0 },
      transaction: { type: 'VOID_AUTHORIZATION', amount: 12.5 },
    })
    expect((await capture(simulator, 'c1', '12.50')).statusCode).toBe(400)
    expect((await transact(simulator, 'v3', 'VOID', target)).statusCode).toBe(400)
  })
})

test('a payment is voided until its settlement', async () => {
  for (const [settledAfterMs, status] of [
    [60_000, 201],
    [0, 400],
  ]) {
    const simulator = begin()
    const payload = { behaviour: { settledAfterMs } }
    await simulator.app.inject({ method: 'POST', url: '/control/mastercard/next', payload })
    await submit(simulator, await open(simulator), card(plain))
    const [payment] = (await orderOf(simulator)).transaction
    const voided = await call(simulator, 'PUT', '/order/order1/transaction/v1', {
      apiOperation: 'VOID',
      transaction: { targetTransactionId: payment.transaction.id },
    })
    expect(voided.statusCode).toBe(status)
    expect((await orderOf(simulator)).status).toBe(status === 201 ? 'CANCELLED' : 'CAPTURED')
  }
})

test('wrong credentials, a used order id and a bad field are refused in the form of the gateway', async () => {
  const simulator = begin()
  const url = `${wire}/session`
  const anonymous = await simulator.app.inject({ method: 'POST', url, payload: checkout() })
  expect([anonymous.statusCode, anonymous.json()]).toMatchObject([
    401,
    { result: 'ERROR', error: { cause: 'REQUEST_REJECTED' } },
  ])
  await open(simulator)
  for (const body of [checkout(), checkout({ id: 'order2', amount: '-1' }), {}])
    expect((await call(simulator, 'POST', '/session', body)).json().error.cause).toBe('INVALID_REQUEST')
})

test('notifications carry the secret, and a chargeback comes without a request', async () => {
  const seen: { secret: unknown; type: string }[] = []
  const shop = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push({ secret: request.headers['x-notification-secret'], type: JSON.parse(body).transaction.type })
      response.end()
    })
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void shop.close())
  const { port } = shop.address() as AddressInfo
  const simulator = begin()
  await open(simulator, checkout({ notificationUrl: `http://127.0.0.1:${port}/hook` }))
  const post = (path: string) => simulator.app.inject({ method: 'POST', url: `/control/mastercard${path}` })
  await post('/payments/order1')
  await expect.poll(() => seen).toEqual([{ secret: 'simulator', type: 'PAYMENT' }])
  expect((await post('/chargebacks/order1')).statusCode).toBe(204)
  await expect.poll(() => seen.map(({ type }) => type)).toEqual(['PAYMENT', 'CHARGEBACK'])
  expect(await orderOf(simulator)).toMatchObject({
    status: 'CHARGEBACK_PROCESSED',
    chargeback: { amount: 12.5, currency: 'USD' },
  })
})

test('orders survive a restart, and events that became due meanwhile happen', async () => {
  const first = begin({ SIMULATOR_SPEED: '10' })
  const order = { behaviour: { pay: { code: 'APPROVED', afterMs: 1000 } } }
  await first.app.inject({ method: 'POST', url: '/control/mastercard/next', payload: order })
  await open(first)
  await first.app.close()
  const second = begin({ SIMULATOR_SPEED: '10' }, first.folder)
  await expect.poll(async () => (await orderOf(second)).status).toBe('CAPTURED')
})
