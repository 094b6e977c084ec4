import { expect, test } from 'vitest'
import { productionEnv } from '../../../../test/production-env.ts'
import { parseGatewayConfig } from '../../../gateway-config.ts'

const account = {
  MASTERCARD_URL: 'https://ap-gateway.mastercard.com',
  MASTERCARD_MERCHANT_ID: 'SHOP1',
  MASTERCARD_PASSWORD: 'p',
}
const trial = {
  MASTERCARD_TEST_URL: 'https://test-gateway.mastercard.com',
  MASTERCARD_TEST_MERCHANT_ID: 'TESTSHOP1',
  MASTERCARD_TEST_PASSWORD: 'p',
}
const read = (env: Record<string, string>) => parseGatewayConfig({ ...productionEnv, ...env })
const problemOf = (env: Record<string, string>) => () => read(env)

test('development uses the simulator', () => {
  const { mastercard, mastercardTest } = parseGatewayConfig({ SIMULATOR_PORT: '4000' })
  expect(mastercard).toEqual({
    baseUrl: 'http://127.0.0.1:4000/mastercard',
    merchantId: 'TESTMURIPO',
    password: 'simulator',
    apiVersion: 100,
    currencies: ['USD', 'ZWG'],
    mode: 'pay',
    captureWithinMs: 167 * 60 * 60_000,
    checkout: 'page',
    notificationSecret: 'simulator',
  })
  expect(mastercardTest).toBeNull()
})

test('production has no card account unless it is set, and a second one for test keys', () => {
  expect(read({})).toMatchObject({ mastercard: null, mastercardTest: null })
  const { mastercard, mastercardTest } = read({ ...account, ...trial, MASTERCARD_CURRENCIES: 'USD' })
  expect(mastercard).toMatchObject({ merchantId: 'SHOP1', currencies: ['USD'], notificationSecret: null })
  expect(mastercardTest).toMatchObject({ merchantId: 'TESTSHOP1' })
})

test('the simulated account takes other options too, and options alone make no account in production', () => {
  expect(parseGatewayConfig({ MASTERCARD_CHECKOUT: 'session' }).mastercard).toMatchObject({
    merchantId: 'TESTMURIPO',
    checkout: 'session',
  })
  expect(problemOf({ MASTERCARD_MODE: 'authorise' })).toThrow('MASTERCARD_URL is missing')
})

test('real and test cards are kept apart by the merchant id', () => {
  expect(problemOf({ ...account, MASTERCARD_MERCHANT_ID: 'TESTSHOP1' })).toThrow(
    'MASTERCARD_MERCHANT_ID must not begin with TEST',
  )
  expect(problemOf({ ...account, ...trial, MASTERCARD_TEST_MERCHANT_ID: 'SHOP1' })).toThrow(
    'MASTERCARD_TEST_MERCHANT_ID must begin with TEST',
  )
  expect(problemOf({ ...account, MODE: 'test' })).toThrow('MASTERCARD_MERCHANT_ID must begin with TEST')
})

test.each([
  [{ MASTERCARD_PASSWORD: '' }, 'MASTERCARD_PASSWORD is missing'],
  [{ MASTERCARD_URL: 'http://gateway.example' }, 'MASTERCARD_URL must start with https://'],
  [{ MASTERCARD_MERCHANT_ID: 'a/b' }, 'MASTERCARD_MERCHANT_ID must be a merchant id'],
  [{ MASTERCARD_CURRENCIES: 'USD, ZWL' }, 'MASTERCARD_CURRENCIES must be some of USD'],
  [{ MASTERCARD_MODE: 'capture' }, 'MASTERCARD_MODE must be'],
  [{ MASTERCARD_CHECKOUT: 'fields' }, 'MASTERCARD_CHECKOUT must be'],
  [{ MASTERCARD_API_VERSION: '60' }, 'MASTERCARD_API_VERSION must be a whole number from 63'],
])('an account with %j is refused', (change, problem) => {
  expect(problemOf({ ...account, ...change })).toThrow(problem)
})
