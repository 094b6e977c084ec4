import { readFileSync } from 'node:fs'
import { currencies } from '@muripo/contract/money'
import { methodNames } from '@muripo/contract/payments'
import { describe, expect, test } from 'vitest'
import { productionEnv } from '../../../test/production-env.ts'
import { parseGatewayConfig } from '../../gateway-config.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Connector } from './connector.ts'
import { toMsisdn } from './msisdn.ts'
import { createProviders } from './registry.ts'

const { all, offeredIn } = createProviders(parseGatewayConfig({}), systemClock)

const trial = createProviders(
  parseGatewayConfig({ ...productionEnv, ...accounts(), MODE: 'test' }),
  systemClock,
)

const refunds: Readonly<Record<Connector['refund'], string>> = {
  'api-partial': 'by a call, in parts',
  'api-full': 'by a call, as a whole; in parts by an operator',
  manual: 'by an operator',
}

const reversals: Readonly<Record<Connector['reversals'], string>> = {
  reported: 'reported',
  unreported: 'on its statement only',
}

const echoes: Readonly<Record<Connector['returnedEcho'], string>> = { total: 'exact', unknown: 'not stated' }

const references: Readonly<Record<Connector['references'], string>> = {
  unique: 'each once',
  repeating: 'may repeat',
}

const absence = ({ refund, refundLookup }: Connector): string =>
  refund === 'manual' ? '–' : refundLookup === 'proved' ? 'was never made' : 'waits for an operator'

/** The methods that the provider serves, and in brackets those that it serves by a route only. */
function methodsText({ id, methods }: Connector): string {
  const isDefault = (method: Connector['methods'][number]) =>
    currencies.some((currency) => offeredIn('live').forMethod(method, currency)?.id === id)
  const own = methods.filter(isDefault).map((method) => methodNames[method])
  const routed = methods.filter((method) => !isDefault(method)).map((method) => methodNames[method])
  return [own.join(', '), routed.length > 0 ? `by a route: ${routed.join(', ')}` : '']
    .filter(Boolean)
    .join('; ')
}

test('the table of the documents is what the connectors declare', () => {
  const text = readFileSync(new URL('../../../../../docs/providers/README.md', import.meta.url), 'utf8')
  const rows = text.split('\n').flatMap((line) => {
    const [, page, cells] = /^\| \[[^\]]+\]\(([\w-]+)\.md\) \| (.*) \|$/.exec(line) ?? []
    return page && cells ? [[page, ...cells.split(' | ')]] : []
  })
  expect(rows.map((row) => row.with(2, ''))).toEqual(
    all.map((connector) => [
      connector.id,
      methodsText(connector),
      '',
      connector.currencies.join(', '),
      connector.callbackReply ? 'both' : 'look-ups only',
      refunds[connector.refund],
      absence(connector),
      reversals[connector.reversals],
      echoes[connector.returnedEcho],
      references[connector.references],
      connector.authorise ? 'yes' : 'no',
      connector.checkCredentials ? 'yes' : 'no',
      connector.callsPerMinute ? String(connector.callsPerMinute) : '–',
      trial.all.find(({ id }) => id === connector.id)?.testNumbers?.join(', ') ?? '–',
    ]),
  )
})

describe('the test numbers of an account for tests', () => {
  const phones = trial.all.flatMap((connector) =>
    connector.methods
      .filter((method) => connector.needs(method).includes('phone'))
      .map((method) => ({ connector, method, name: `${connector.id} ${method}` })),
  )

  test.each(phones)(
    'of $name are taken where the wallet has them, and no other number is',
    ({ connector, method }) => {
      const numbers = (connector.testNumbers ?? []).flatMap((number) => toMsisdn(number) ?? [])
      const taken = numbers.filter((number) => connector.refuseNumber(number, method) === null)
      expect(taken).not.toEqual([])
      const real = { ecocash: '263771234567', onemoney: '263711234567', innbucks: '263731234567', visa: '' }[
        method
      ]
      expect(connector.refuseNumber(real, method)?.message).toMatch(/^A test key accepts test numbers only/)
    },
  )

  test('exist for every provider that prompts a phone', () => {
    expect([...new Set(phones.map(({ connector }) => connector.id))]).toEqual([
      'ecocash',
      'ecocash-open',
      'paynow',
      'pesepay',
    ])
  })
})

function accounts(): Record<string, string> {
  return {
    ECOCASH_OPEN_API_KEY: 'k',
    PAYNOW_EMAIL: 'shop@example.com',
    PAYNOW_USD_ID: '1',
    PAYNOW_USD_KEY: 'k',
    PESEPAY_URL: 'https://pesepay.example',
    PESEPAY_INTEGRATION_KEY: 'k',
    PESEPAY_ENCRYPTION_KEY: 'x'.repeat(32),
  }
}
