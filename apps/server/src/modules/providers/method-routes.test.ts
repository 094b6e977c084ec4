import { describe, expect, test } from 'vitest'
import { productionEnv } from '../../../test/production-env.ts'
import { parseGatewayConfig } from '../../gateway-config.ts'
import { systemClock } from '../../platform/clock.ts'
import { createProviders } from './registry.ts'

/** The connectors of test keys in a live gateway without an account for them. */
const simulators = ['simulator', 'simulator-cards']

const paynow = {
  PAYNOW_EMAIL: 'shop@example.com',
  PAYNOW_USD_ID: '1',
  PAYNOW_USD_KEY: 'k',
}
const offerOf = (env: Record<string, string>) =>
  createProviders(parseGatewayConfig({ ...productionEnv, ...paynow, ...env }), systemClock).offeredIn('live')
const routeOf = (
  env: Record<string, string>,
  ...[method, currency]: Parameters<ReturnType<typeof offerOf>['routeOf']>
) =>
  offerOf(env)
    .routeOf(method, currency)
    .map(({ id }) => id)

describe('a method is served by', () => {
  test('its own provider without a route, and by none in a currency without a provider', () => {
    expect(routeOf({}, 'ecocash', 'USD')).toEqual(['ecocash'])
    expect(routeOf({}, 'onemoney', 'USD')).toEqual(['paynow'])
    expect(routeOf({}, 'onemoney', 'ZWG')).toEqual([])
    expect(offerOf({}).methodsIn('USD')).toEqual(['ecocash', 'onemoney', 'visa'])
    expect(offerOf({}).methodsIn('ZWG')).toEqual(['ecocash'])
  })

  test('the providers of its route in their order, as far as they accept the currency', () => {
    const route = { ROUTE_ECOCASH: 'paynow, ecocash' }
    expect(routeOf(route, 'ecocash', 'USD')).toEqual(['paynow', 'ecocash'])
    expect(routeOf(route, 'ecocash', 'ZWG')).toEqual(['ecocash'])
  })

  test('the route of its currency before the route of the method', () => {
    const route = { ROUTE_ECOCASH: 'paynow', ROUTE_ECOCASH_ZWG: 'ecocash' }
    expect(routeOf(route, 'ecocash', 'USD')).toEqual(['paynow'])
    expect(routeOf(route, 'ecocash', 'ZWG')).toEqual(['ecocash'])
  })

  test('none, when the deployment disables it', () => {
    expect(offerOf({ ROUTE_ONEMONEY: 'none' }).methodsIn('USD')).toEqual(['ecocash', 'visa'])
  })
})

test('a connector without a route is available for earlier payments, and serves no new one', () => {
  const config = parseGatewayConfig({
    ...productionEnv,
    ...paynow,
    ROUTE_ONEMONEY: 'none',
    ROUTE_VISA: 'none',
  })
  const { all, routed } = createProviders(config, systemClock)
  expect(all.map(({ id }) => id)).toEqual(['ecocash', 'paynow', ...simulators])
  expect(routed.map(({ id }) => id)).toEqual(['ecocash', ...simulators])
})

test('a gateway with routes to Paynow alone needs no account at EcoCash', () => {
  const env = Object.fromEntries(
    Object.entries(productionEnv).filter(([name]) => !name.startsWith('ECOCASH')),
  )
  const config = parseGatewayConfig({ ...env, ...paynow, ROUTE_ECOCASH: 'paynow' })
  expect(createProviders(config, systemClock).all.map(({ id }) => id)).toEqual(['paynow', ...simulators])
  expect(() => parseGatewayConfig({ ...env, ...paynow })).toThrow('ECOCASH_URL is missing')
})

test('a gateway with EcoCash payments by the Open API needs no account at the other EcoCash protocol', () => {
  const env = Object.fromEntries(
    Object.entries(productionEnv).filter(([name]) => !name.startsWith('ECOCASH')),
  )
  const open = { ...env, ECOCASH_OPEN_API_KEY: 'k', ROUTE_ECOCASH: 'ecocash-open' }
  const providers = createProviders(parseGatewayConfig(open), systemClock)
  expect(providers.all.map(({ id }) => id)).toEqual(['ecocash-open', ...simulators])
  expect(providers.offeredIn('live').methodsIn('ZWG')).toEqual(['ecocash'])
})

test('test keys of a live gateway follow the same routes, to test accounts', () => {
  const trial = {
    PAYNOW_TEST_EMAIL: 'shop@example.com',
    PAYNOW_TEST_USD_ID: '2',
    PAYNOW_TEST_USD_KEY: 'k',
    ROUTE_ECOCASH: 'ecocash, paynow',
  }
  const providers = createProviders(
    parseGatewayConfig({ ...productionEnv, ...paynow, ...trial }),
    systemClock,
  )
  const idsOf = (mode: 'live' | 'test') =>
    providers
      .offeredIn(mode)
      .routeOf('ecocash', 'USD')
      .map(({ id }) => id)
  expect([idsOf('live'), idsOf('test')]).toEqual([['ecocash', 'paynow'], ['paynow-test']])
})

test.each([
  [{ ROUTE_ECOCASH: 'ecocach' }, 'ROUTE_ECOCASH must be none, or one or several of'],
  [{ ROUTE_VISA: 'mastercard' }, 'ROUTE_VISA names mastercard, which has no settings'],
  [{ ROUTE_ONEMONEY: 'ecocash' }, 'ROUTE_ONEMONEY names ecocash, which does not serve onemoney'],
  [{ ROUTE_ONEMONEY_ZWG: 'paynow' }, 'ROUTE_ONEMONEY_ZWG names paynow, which does not serve onemoney in ZWG'],
])('%j stops the start and is named', (route, problem) => {
  expect(() => offerOf(route as Record<string, string>)).toThrow(problem)
})
