import { expect, test } from 'vitest'
import { begin, post } from '../testing.ts'
import { decrypt, encrypt } from './envelope.ts'

const encryptionKey = 'simulatorsimulatorsimulator01234'
type Running = ReturnType<typeof begin>

const body = (change: object = {}) => ({
  amountDetails: { amount: 12.5, currencyCode: 'USD' },
  reasonForPayment: 'Order 1',
  merchantReference: 'key1',
  resultUrl: 'http://127.0.0.1:9/callback',
  returnUrl: 'http://127.0.0.1:9/return',
  ...change,
})
const opened = (reply: { body: string }) =>
  decrypt(JSON.parse(reply.body).payload, encryptionKey) as Record<string, unknown>
const initiate = (
  simulator: Running,
  payload: object = body(),
  key = 'simulator',
  encryptedWith = encryptionKey,
) => post(simulator, '/pesepay/v1/payments/initiate', encrypt(payload, encryptedWith), { key })
const pathOf = (url: unknown) => {
  const { pathname, search } = new URL(String(url))
  return pathname + search
}
const check = async ({ app }: Running, url: unknown) =>
  opened(await app.inject({ url: pathOf(url), headers: { authorization: 'simulator' } }))
const order = (simulator: Running, behaviour: object) =>
  post(simulator, '/control/pesepay/next', { behaviour })

test('leads to a page at which the payer decides', async () => {
  const simulator = begin()
  const { pollUrl, redirectUrl } = opened(await initiate(simulator))
  expect(await check(simulator, pollUrl)).toMatchObject({ transactionStatus: 'INITIATED' })
  const url = pathOf(redirectUrl)
  expect((await simulator.app.inject(url)).body).toContain('Pay USD 12.50')
  const paid = await simulator.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'status=SUCCESS',
  })
  expect([paid.statusCode, paid.headers.location]).toEqual([303, 'http://127.0.0.1:9/return'])
  expect(await check(simulator, pollUrl)).toMatchObject({
    transactionStatus: 'SUCCESS',
    merchantReference: 'key1',
    amountDetails: { merchantAmount: 12.5, customerPayableAmount: 12.75, currencyCode: 'USD' },
  })
  expect((await simulator.app.inject(url)).body).toContain('has ended')
})

test.each([
  ['an unknown integration key', 404, ['other', encryptionKey]],
  ['another encryption key', 500, ['simulator', encryptionKey.toUpperCase()]],
] as const)('refuses %s', async (_name, status, [key, encryptedWith]) => {
  expect((await initiate(begin(), body(), key, encryptedWith)).statusCode).toBe(status)
})

test('refuses an unknown currency, and accepts a blank address silently', async () => {
  const simulator = begin()
  const rand = body({ amountDetails: { amount: 12.5, currencyCode: 'ZAR' } })
  expect((await initiate(simulator, rand)).statusCode).toBe(400)
  const { pollUrl } = opened(await initiate(simulator, body({ returnUrl: '' })))
  expect(await check(simulator, pollUrl)).toMatchObject({ returnUrl: 'NONE' })
})

const makePayment = (simulator: Running, change: object = {}, phone = '0771000001') =>
  post(
    simulator,
    '/pesepay/v2/payments/make-payment',
    encrypt(
      body({
        paymentMethodCode: 'PZW211',
        customer: { phoneNumber: phone, name: 'Customer' },
        paymentMethodRequiredFields: { customerPhoneNumber: phone },
        ...change,
      }),
      encryptionKey,
    ),
    { key: 'simulator' },
  )

test('prompts a wallet without its page, and the number decides', async () => {
  const simulator = begin({ SIMULATOR_SPEED: '1000' })
  const started = opened(await makePayment(simulator))
  expect(started).toMatchObject({ transactionStatus: 'INITIATED', redirectRequired: false })
  expect(started).not.toHaveProperty('redirectUrl')
  for (const [phone, transactionStatus] of [
    ['0771111111', 'SUCCESS'],
    ['0773333333', 'CANCELLED'],
    ['0774444444', 'INSUFFICIENT_FUNDS'],
    ['0777777777', 'SUCCESS'],
    ['0770000000', 'FAILED'],
  ] as const) {
    const { pollUrl } = opened(await makePayment(simulator, {}, phone))
    await expect.poll(() => check(simulator, pollUrl)).toMatchObject({ transactionStatus })
  }
})

test('issues a code for InnBucks, and refuses a code of another currency and a customer without a contact', async () => {
  const simulator = begin()
  expect(opened(await makePayment(simulator, { paymentMethodCode: 'PZW212' }))).toMatchObject({
    transactionMetadata: { code: expect.stringMatching(/^71\d{7}$/) },
  })
  for (const change of [{ paymentMethodCode: 'SIM211' }, { customer: { name: 'Customer' } }])
    expect((await makePayment(simulator, change)).statusCode).toBe(400)
  const codes = await simulator.app.inject('/pesepay/v1/payment-methods/for-currency?currencyCode=ZiG')
  expect(codes.json()).toMatchObject([{ code: 'SIM211', redirectRequired: false }, { code: 'SIM212' }])
})

test('misbehaves as ordered: no reference in its field, another address, a reversal', async () => {
  const simulator = begin()
  await order(simulator, { reference: 'in_poll_url' })
  const hidden = opened(await initiate(simulator))
  expect(hidden.referenceNumber).toBeNull()
  await order(simulator, { pollUrl: 'https://elsewhere.example/' })
  expect(opened(await initiate(simulator)).pollUrl).toBe('https://elsewhere.example/')
  const reference = new URL(String(hidden.pollUrl)).searchParams.get('referenceNumber')
  await post(simulator, `/control/pesepay/payments/${reference}`, { status: 'REVERSED' })
  expect(await check(simulator, hidden.pollUrl)).toMatchObject({ transactionStatus: 'REVERSED' })
})
