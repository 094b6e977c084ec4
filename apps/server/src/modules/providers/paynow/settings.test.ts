import { expect, test } from 'vitest'
import { productionEnv } from '../../../../test/production-env.ts'
import { parseGatewayConfig } from '../../../gateway-config.ts'

const account = { PAYNOW_EMAIL: 'shop@example.com', PAYNOW_USD_ID: '1', PAYNOW_USD_KEY: 'k' }
const problemOf = (env: Record<string, string>) => () => parseGatewayConfig({ ...productionEnv, ...env })

test('development uses the simulator, with an integration for each currency', () => {
  const { paynow, paynowTest } = parseGatewayConfig({ SIMULATOR_PORT: '4000' })
  expect(paynow).toMatchObject({ baseUrl: 'http://127.0.0.1:4000/paynow', testMode: true, testNumbers: null })
  expect(Object.keys(paynow?.integrations ?? {})).toEqual(['USD', 'ZWG'])
  expect(paynowTest).toBeNull()
})

test('production has no account at Paynow, unless it is set, and then calls Paynow itself', () => {
  expect(parseGatewayConfig(productionEnv)).toMatchObject({ paynow: null, paynowTest: null })
  expect(parseGatewayConfig({ ...productionEnv, ...account }).paynow).toEqual({
    baseUrl: 'https://www.paynow.co.zw',
    email: 'shop@example.com',
    integrations: { USD: { id: '1', key: 'k' } },
    testMode: false,
    testNumbers: null,
  })
})

test('a test account is in test mode and prompts test numbers only', () => {
  const trial = Object.fromEntries(
    Object.entries(account).map(([name, value]) => [name.replace('PAYNOW_', 'PAYNOW_TEST_'), value]),
  )
  const { paynow, paynowTest } = parseGatewayConfig({ ...productionEnv, ...account, ...trial })
  expect([paynow?.testMode, paynowTest?.testMode, paynowTest?.testNumbers?.length]).toEqual([false, true, 4])
  const testGateway = parseGatewayConfig({ ...productionEnv, ...account, ...trial, MODE: 'test' })
  expect([testGateway.paynow?.testMode, testGateway.paynow?.testNumbers?.length]).toEqual([true, 4])
  expect(testGateway.paynowTest).toBeNull()
})

test('an account is set completely, and over TLS', () => {
  const { PAYNOW_USD_KEY: _, ...withoutKey } = account
  expect(problemOf(withoutKey)).toThrow('PAYNOW_USD_KEY is missing')
  expect(problemOf({ ...account, PAYNOW_ZWG_KEY: 'k' })).toThrow('PAYNOW_ZWG_ID is missing')
  expect(problemOf({ PAYNOW_EMAIL: 'shop@example.com' })).toThrow('PAYNOW_USD_ID is missing')
  expect(problemOf({ PAYNOW_USD_ID: '1', PAYNOW_USD_KEY: 'k' })).toThrow('PAYNOW_EMAIL must be')
  expect(problemOf({ ...account, PAYNOW_URL: 'http://paynow.example' })).toThrow(
    'PAYNOW_URL must start with https://',
  )
})
