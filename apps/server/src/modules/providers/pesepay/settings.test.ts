import { expect, test } from 'vitest'
import { productionEnv } from '../../../../test/production-env.ts'
import { parseGatewayConfig } from '../../../gateway-config.ts'
import { systemClock } from '../../../platform/clock.ts'
import { createProviders } from '../registry.ts'

const account = {
  PESEPAY_URL: 'https://api.pesepay.com/api/payments-engine',
  PESEPAY_INTEGRATION_KEY: 'k',
  PESEPAY_ENCRYPTION_KEY: '0123456789abcdef0123456789abcdef',
}
const trial = {
  PESEPAY_TEST_URL: 'https://sandbox.pesepay.example/payments-engine',
  PESEPAY_TEST_INTEGRATION_KEY: 't',
  PESEPAY_TEST_ENCRYPTION_KEY: 'fedcba9876543210fedcba9876543210',
}
const read = (env: Record<string, string>) => parseGatewayConfig({ ...productionEnv, ...env })

test('development uses the simulator, and production has no account unless it is set', () => {
  expect(parseGatewayConfig({ SIMULATOR_PORT: '4000' }).pesepay).toMatchObject({
    baseUrl: 'http://127.0.0.1:4000/pesepay',
    currencies: ['USD', 'ZWG'],
  })
  expect(read({})).toMatchObject({ pesepay: null, pesepayTest: null })
})

test('a route sends cards to Pesepay, with test keys to the account for tests', () => {
  const env = { ...account, ...trial, PESEPAY_CURRENCIES: 'USD', ROUTE_VISA: 'pesepay' }
  const providers = createProviders(read(env), systemClock)
  const cardsAt = (mode: 'live' | 'test', currency: 'USD' | 'ZWG') =>
    providers.offeredIn(mode).forMethod('visa', currency)?.id
  expect([cardsAt('live', 'USD'), cardsAt('live', 'ZWG'), cardsAt('test', 'ZWG')]).toEqual([
    'pesepay',
    undefined,
    'pesepay-test',
  ])
})

test('a route sends wallets to Pesepay in the currencies with a code, and test keys prompt test numbers only', () => {
  const env = { ...account, ...trial, ROUTE_ECOCASH: 'pesepay', ROUTE_INNBUCKS: 'pesepay' }
  const providers = createProviders(read(env), systemClock)
  const { forMethod, refuseRealNumber } = providers.offeredIn('test')
  expect(forMethod('ecocash', 'USD')?.id).toBe('pesepay-test')
  expect(forMethod('ecocash', 'ZWG')).toBeNull()
  expect(refuseRealNumber('0771234567')?.message).toBe(
    'A test key accepts test numbers only: 077 777 7777, 077 000 0000',
  )
  expect(forMethod('ecocash', 'USD')?.refuseNumber('263777777777', 'ecocash')).toBeNull()
  expect(
    providers.offeredIn('live').forMethod('innbucks', 'USD')?.refuseNumber('263712345678', 'innbucks'),
  ).toBeNull()
})

test('without a route, Pesepay serves nothing', () => {
  const providers = createProviders(read(account), systemClock)
  expect(providers.offeredIn('live').forMethod('visa', 'USD')).toBeNull()
})

test('a route to a method that the connector does not serve is refused', () => {
  const problemOf = (routes: Record<string, string>) => () =>
    createProviders(read({ ...account, ...routes }), systemClock)
  expect(problemOf({ ROUTE_ONEMONEY: 'pesepay' })).toThrow(
    'ROUTE_ONEMONEY names pesepay, which does not serve onemoney',
  )
  // No code of a wallet in ZiG is published.
  expect(problemOf({ ROUTE_ECOCASH_ZWG: 'pesepay' })).toThrow(
    'ROUTE_ECOCASH_ZWG names pesepay, which does not serve ecocash in ZWG',
  )
  expect(problemOf({ ROUTE_ECOCASH_ZWG: 'pesepay', PESEPAY_ECOCASH_CODE_ZWG: 'PZW9' })).not.toThrow()
})

test.each([
  [{ PESEPAY_URL: '' }, 'PESEPAY_URL is missing'],
  [{ PESEPAY_URL: 'http://pesepay.example' }, 'PESEPAY_URL must start with https://'],
  [{ PESEPAY_ENCRYPTION_KEY: 'short' }, 'PESEPAY_ENCRYPTION_KEY must have 32'],
  [{ PESEPAY_INNBUCKS_CODE_USD: 'a b' }, 'PESEPAY_INNBUCKS_CODE_USD must be a code'],
  [{ PESEPAY_CURRENCIES: 'USD, ZAR' }, 'PESEPAY_CURRENCIES must be some of USD, ZWG'],
])('an account with %j is refused', (change, problem) => {
  expect(() => read({ ...account, ...change })).toThrow(problem)
})
