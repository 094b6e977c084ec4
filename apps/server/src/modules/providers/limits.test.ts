import { money } from '@muripo/contract/money'
import { expect, test } from 'vitest'
import { parseGatewayConfig } from '../../gateway-config.ts'
import { systemClock } from '../../platform/clock.ts'
import { passedLimit } from './limits.ts'
import { createProviders } from './registry.ts'

const usd = (minor: bigint) => money(minor, 'USD')

test('limits belong to an account and a currency, and include their ends', () => {
  const config = parseGatewayConfig({ PAYNOW_LIMITS: 'USD 0.50-500, ZWG 20-', ECOCASH_LIMITS: 'USD -100' })
  const { offeredIn, byId } = createProviders(config, systemClock)
  const paynow = byId('paynow')
  for (const minor of [50n, 50_000n]) expect(passedLimit(paynow, usd(minor))).toBeNull()
  expect(passedLimit(paynow, usd(49n))).toEqual({ kind: 'least', amount: usd(50n) })
  expect(passedLimit(paynow, usd(50_001n))).toEqual({ kind: 'most', amount: usd(50_000n) })
  expect(passedLimit(paynow, money(1999n, 'ZWG'))).toMatchObject({ kind: 'least' })
  expect(passedLimit(paynow, money(10n ** 12n, 'ZWG'))).toBeNull()
  expect(passedLimit(byId('mastercard'), usd(1n))).toBeNull()
  const routeFor = (minor: bigint) => offeredIn('live').routeFor('ecocash', usd(minor))
  expect([routeFor(10_000n).length, routeFor(10_001n).length]).toEqual([1, 0])
})

test.each(['USD', 'USD -', 'USD 5-1', 'USD 1.234-', 'usd 1-5', 'XAU 1-5', 'USD 1-5; ZWG 1-5', 'USD 1e-5'])(
  '%j is no limit',
  (text) => {
    expect(() => parseGatewayConfig({ PAYNOW_LIMITS: text })).toThrow(
      'PAYNOW_LIMITS must be amounts by currency',
    )
  },
)
