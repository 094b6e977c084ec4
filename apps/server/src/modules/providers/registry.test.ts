import { expect, test } from 'vitest'
import { productionEnv } from '../../../test/production-env.ts'
import { parseGatewayConfig } from '../../gateway-config.ts'
import { systemClock } from '../../platform/clock.ts'
import { createProviders } from './registry.ts'

const sandbox = {
  ECOCASH_TEST_URL: 'https://sandbox.wallet.example',
  ECOCASH_TEST_USERNAME: 'u',
  ECOCASH_TEST_PASSWORD: 'p',
  ECOCASH_TEST_MERCHANT_CODE: '1',
  ECOCASH_TEST_MERCHANT_PIN: '1',
  ECOCASH_TEST_MERCHANT_NUMBER: '771000000',
}

const takenBy = (env: Record<string, string>) => {
  const providers = createProviders(parseGatewayConfig(env), systemClock)
  return (['live', 'test'] as const).map((mode) => providers.offeredIn(mode).forMethod('ecocash', 'USD')?.id)
}
const refused = (env: Record<string, string>, phone: string) =>
  createProviders(parseGatewayConfig(env), systemClock).offeredIn('test').refuseRealNumber(phone)

test('a live gateway sends payments with test keys to its test account, and without one to the simulator', () => {
  expect(takenBy({ ...productionEnv, ...sandbox })).toEqual(['ecocash', 'ecocash-test'])
  expect(takenBy(productionEnv)).toEqual(['ecocash', 'simulator'])
  expect(takenBy({ ...productionEnv, TEST_SIMULATOR: 'off' })).toEqual(['ecocash', undefined])
  expect(takenBy({ ...productionEnv, PROVIDER_ACCOUNTS: 'database', ROUTE_ECOCASH: 'none' })).toEqual([
    undefined,
    'simulator',
  ])
  expect(takenBy({})).toEqual(['ecocash', 'ecocash'])
})

test('callbacks and look-ups find a connector by its id, in either mode', () => {
  const providers = createProviders(parseGatewayConfig({ ...productionEnv, ...sandbox }), systemClock)
  expect(providers.all.map(({ id, testNumbers }) => [id, testNumbers?.length])).toEqual([
    ['ecocash', undefined],
    ['ecocash-test', 4],
    ['simulator', 8],
    ['simulator-cards', undefined],
  ])
  expect(['ecocash', 'ecocash-test', 'other'].map((id) => providers.has(id))).toEqual([true, true, false])
})

test('a real number is refused where a test payment would prompt it, and in development the simulator is prompted', () => {
  const message =
    'A test key accepts test numbers only: 077 111 1111, 077 222 2222, 077 333 3333, 077 444 4444'
  expect(refused({ ...productionEnv, ...sandbox }, '0771234567')?.message).toBe(message)
  expect(refused({ ...productionEnv, MODE: 'test' }, '0771234567')?.message).toBe(message)
  expect(refused({ ...productionEnv, MODE: 'test' }, '+263 77 111 1111')).toBeNull()
  expect(refused({ ...productionEnv, MODE: 'test' }, 'ask at the desk')).toBeNull()
  expect(refused({}, '0771234567')).toBeNull()
})

test('a live gateway takes cards at its account, and test keys only at a test account', () => {
  const cardsAt = (env: Record<string, string>) => {
    const providers = createProviders(parseGatewayConfig({ ...productionEnv, ...env }), systemClock)
    return (['live', 'test'] as const).map((mode) => providers.offeredIn(mode).forMethod('visa', 'USD')?.id)
  }
  const account = (prefix: string, merchantId: string) => ({
    [`${prefix}URL`]: 'https://gateway.example',
    [`${prefix}MERCHANT_ID`]: merchantId,
    [`${prefix}PASSWORD`]: 'p',
  })
  const live = account('MASTERCARD_', 'SHOP1')
  expect(cardsAt({})).toEqual([undefined, 'simulator-cards'])
  expect(cardsAt(live)).toEqual(['mastercard', 'simulator-cards'])
  expect(cardsAt({ ...live, ...account('MASTERCARD_TEST_', 'TESTSHOP1') })).toEqual([
    'mastercard',
    'mastercard-test',
  ])
})

test('InnBucks is offered in the currencies of its accounts, and test keys use accounts of their own', () => {
  const account = (prefix: string) => ({
    [`${prefix}_USERNAME`]: 'u',
    [`${prefix}_PASSWORD`]: 'p',
    [`${prefix}_API_KEY`]: 'k',
  })
  const offered = (env: Record<string, string>) => {
    const providers = createProviders(parseGatewayConfig(env), systemClock)
    return (['live', 'test'] as const).map((mode) =>
      (['USD', 'ZWG'] as const).map(
        (currency) => providers.offeredIn(mode).forMethod('innbucks', currency)?.id,
      ),
    )
  }
  const url = 'https://innbucks.example'
  expect(offered({})).toEqual([
    ['innbucks', 'innbucks'],
    ['innbucks', 'innbucks'],
  ])
  expect(offered(productionEnv)).toEqual([
    [undefined, undefined],
    ['simulator', 'simulator'],
  ])
  expect(offered({ ...productionEnv, INNBUCKS_URL: url, ...account('INNBUCKS_USD') })).toEqual([
    ['innbucks', undefined],
    ['simulator', 'simulator'],
  ])
  expect(offered({ ...productionEnv, INNBUCKS_TEST_URL: url, ...account('INNBUCKS_TEST_ZWG') })).toEqual([
    [undefined, undefined],
    [undefined, 'innbucks-test'],
  ])
})

test('a provider that prompts no phone leaves the test numbers of the others unchanged', () => {
  const trial = {
    INNBUCKS_TEST_URL: 'https://innbucks.example',
    INNBUCKS_TEST_USD_USERNAME: 'u',
    INNBUCKS_TEST_USD_PASSWORD: 'p',
    INNBUCKS_TEST_USD_API_KEY: 'k',
  }
  expect(refused({ ...productionEnv, ...sandbox, ...trial }, '0771234567')?.message).toContain(
    'test numbers only',
  )
})
