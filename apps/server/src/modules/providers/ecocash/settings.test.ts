import { describe, expect, test } from 'vitest'
import { productionEnv } from '../../../../test/production-env.ts'
import { parseGatewayConfig } from '../../../gateway-config.ts'

const sandbox = {
  ECOCASH_TEST_URL: 'https://sandbox.wallet.example',
  ECOCASH_TEST_USERNAME: 'u',
  ECOCASH_TEST_PASSWORD: 'p',
  ECOCASH_TEST_MERCHANT_CODE: '1',
  ECOCASH_TEST_MERCHANT_PIN: '1',
  ECOCASH_TEST_MERCHANT_NUMBER: '771000000',
}

describe('the provider in production', () => {
  test.each(['https://wallet.example/v1', 'http://127.0.0.1:8443', 'http://[::1]:8443', 'http://localhost'])(
    'may be at %s',
    (url) => {
      expect(parseGatewayConfig({ ...productionEnv, ECOCASH_URL: url }).ecocash?.baseUrl).toBe(url)
    },
  )

  test.each(['http://wallet.example', 'http://127.0.0.1.wallet.example', 'http://10.0.0.5:8080'])(
    'is not called in the clear at %s',
    (url) => {
      expect(() => parseGatewayConfig({ ...productionEnv, ECOCASH_URL: url })).toThrow(
        'ECOCASH_URL must start with https://',
      )
    },
  )
})

test('a test account prompts its numbers only; the simulator and a live account prompt any', () => {
  const numbersOf = (env: Record<string, string>) => {
    const { ecocash, ecocashTest } = parseGatewayConfig(env)
    return [ecocash?.testNumbers, ecocashTest?.testNumbers]
  }
  const named = { ECOCASH_TEST_NUMBERS: '077 100 0001, +263771000002' }
  const numbers = ['077 100 0001', '+263771000002']
  expect(numbersOf(named)).toEqual([null, undefined])
  expect(numbersOf({ ...productionEnv, ...named })).toEqual([null, undefined])
  expect(numbersOf({ ...productionEnv, ...sandbox, ...named })).toEqual([null, numbers])
  expect(numbersOf({ ...productionEnv, ...named, MODE: 'test' })).toEqual([numbers, undefined])
  expect(numbersOf({ ...productionEnv, MODE: 'test' })[0]).toHaveLength(4)
  expect(() => parseGatewayConfig({ ECOCASH_TEST_NUMBERS: '077 100 0001, ask' })).toThrow('"ask" is none')
})

test('a test account is set completely, and over TLS', () => {
  const { ECOCASH_TEST_PASSWORD: _, ...rest } = sandbox
  expect(() => parseGatewayConfig({ ...productionEnv, ...rest })).toThrow('ECOCASH_TEST_PASSWORD is missing')
  expect(() =>
    parseGatewayConfig({ ...productionEnv, ...sandbox, ECOCASH_TEST_URL: 'http://sandbox.wallet.example' }),
  ).toThrow('ECOCASH_TEST_URL must start with https://')
  expect(parseGatewayConfig({ ...productionEnv, ...sandbox }).ecocashTest).toMatchObject({
    baseUrl: 'https://sandbox.wallet.example',
    merchantNumber: '771000000',
  })
})

test('missing settings of the platform and of the provider are reported together', () => {
  expect(() => parseGatewayConfig({ NODE_ENV: 'production' })).toThrow(
    /PUBLIC_URL is missing.*MURIPO_MASTER_KEY is missing.*ECOCASH_URL is missing.*ECOCASH_MERCHANT_NUMBER is missing/,
  )
})
