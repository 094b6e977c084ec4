import { expect, test } from 'vitest'
import { productionEnv } from '../../../../test/production-env.ts'
import { parseGatewayConfig } from '../../../gateway-config.ts'

const live = { ...productionEnv, ECOCASH_OPEN_API_KEY: 'k' }

test('development uses the application of the simulator, and production none without a key', () => {
  expect(parseGatewayConfig({ SIMULATOR_PORT: '3999' }).ecocashOpen).toEqual({
    baseUrl: 'http://127.0.0.1:3999/ecocash-open',
    apiKey: 'simulator',
    environment: 'sandbox',
    merchantCode: null,
    zwgCode: 'ZWG',
    refundReference: 'ecocashReference',
    testNumbers: null,
  })
  expect(parseGatewayConfig(productionEnv)).toMatchObject({ ecocashOpen: null, ecocashOpenTest: null })
})

test('real money uses the live environment, and test keys the sandbox and its numbers', () => {
  const both = { ...live, ECOCASH_OPEN_TEST_API_KEY: 't', ECOCASH_OPEN_TEST_NUMBERS: '077 100 0001' }
  expect(parseGatewayConfig(both)).toMatchObject({
    ecocashOpen: {
      baseUrl: 'https://developers.ecocash.co.zw/api/ecocash_pay',
      environment: 'live',
      testNumbers: null,
    },
    ecocashOpenTest: { apiKey: 't', environment: 'sandbox', testNumbers: ['077 100 0001'] },
  })
  expect(parseGatewayConfig({ ...both, MODE: 'test' })).toMatchObject({
    ecocashOpen: { environment: 'sandbox', testNumbers: ['077 100 0001'] },
    ecocashOpenTest: null,
  })
})

test.each([
  [{ ECOCASH_OPEN_API_KEY: undefined, ECOCASH_OPEN_MERCHANT_CODE: '1' }, 'ECOCASH_OPEN_API_KEY is missing'],
  [{ ECOCASH_OPEN_TEST_MERCHANT_CODE: '1' }, 'ECOCASH_OPEN_TEST_API_KEY is missing'],
  [{ ECOCASH_OPEN_URL: 'http://wallet.example' }, 'ECOCASH_OPEN_URL must start with https://'],
  [{ ECOCASH_OPEN_ZWG_CODE: 'ZWD' }, 'ECOCASH_OPEN_ZWG_CODE must be ZWG or ZiG'],
  [{ ECOCASH_OPEN_REFUND_REFERENCE: 'MP' }, 'ECOCASH_OPEN_REFUND_REFERENCE must be ecocashReference or'],
  [{ ECOCASH_OPEN_TEST_NUMBERS: 'ask' }, 'ECOCASH_OPEN_TEST_NUMBERS must be phone numbers'],
])('%j in production: %s', (change, problem) => {
  expect(() => parseGatewayConfig({ ...live, ...change })).toThrow(problem)
})
