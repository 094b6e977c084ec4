import { expect, test } from 'vitest'
import { productionEnv } from '../../../../test/production-env.ts'
import { parseGatewayConfig } from '../../../gateway-config.ts'

const account = (prefix: string) => ({
  [`${prefix}USERNAME`]: 'u',
  [`${prefix}PASSWORD`]: 'p',
  [`${prefix}API_KEY`]: 'k',
})
const usd = { INNBUCKS_URL: 'https://innbucks.example', ...account('INNBUCKS_USD_') }
const credentials = { username: 'u', password: 'p', apiKey: 'k' }

test('development uses the accounts of the simulator, and production none without credentials', () => {
  expect(parseGatewayConfig({ SIMULATOR_PORT: '3999' }).innbucks).toMatchObject({
    baseUrl: 'http://127.0.0.1:3999/innbucks',
    accounts: { USD: { apiKey: 'simulator-usd' }, ZWG: { apiKey: 'simulator-zwg' } },
  })
  expect(parseGatewayConfig(productionEnv)).toMatchObject({ innbucks: null, innbucksTest: null })
})

test('an account has one currency, and one account is enough', () => {
  const read = (env: object) => parseGatewayConfig({ ...productionEnv, ...env }).innbucks?.accounts
  expect(read(usd)).toEqual({ USD: credentials })
  expect(read({ ...usd, ...account('INNBUCKS_ZWG_') })).toEqual({ USD: credentials, ZWG: credentials })
  expect(read({ INNBUCKS_URL: usd.INNBUCKS_URL, ...account('INNBUCKS_ZWG_') })).toEqual({ ZWG: credentials })
})

test('test keys of a live gateway have their own accounts', () => {
  const test = { INNBUCKS_TEST_URL: 'https://staging.innbucks.example', ...account('INNBUCKS_TEST_USD_') }
  expect(parseGatewayConfig({ ...productionEnv, ...test })).toMatchObject({
    innbucks: null,
    innbucksTest: { baseUrl: 'https://staging.innbucks.example', accounts: { USD: credentials } },
  })
  expect(parseGatewayConfig({ ...productionEnv, ...test, MODE: 'test' }).innbucksTest).toBeNull()
})

test.each([
  [{ INNBUCKS_URL: undefined }, 'INNBUCKS_URL is missing'],
  [{ INNBUCKS_USD_API_KEY: undefined }, 'INNBUCKS_USD_API_KEY is missing'],
  [{ INNBUCKS_ZWG_USERNAME: 'u' }, 'INNBUCKS_ZWG_PASSWORD is missing'],
  [{ INNBUCKS_URL: 'http://innbucks.example' }, 'INNBUCKS_URL must start with https://'],
  [{ INNBUCKS_URL: 'innbucks.example' }, 'INNBUCKS_URL must be an address'],
])('%j in production: %s', (change, problem) => {
  expect(() => parseGatewayConfig({ ...productionEnv, ...usd, ...change })).toThrow(problem)
})

test('an address without an account is reported', () => {
  expect(() => parseGatewayConfig({ ...productionEnv, INNBUCKS_URL: usd.INNBUCKS_URL })).toThrow(
    'INNBUCKS_USD_USERNAME is missing: InnBucks needs an account in one currency',
  )
})
