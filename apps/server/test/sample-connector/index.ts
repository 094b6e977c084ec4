import type { Currency } from '@muripo/contract/money'
import { type Connector, ProviderError } from '../../src/modules/providers/connector.ts'
import { createHttpClient, type HttpAnswer } from '../../src/modules/providers/http-client.ts'
import { parseObject } from '../../src/modules/providers/json.ts'
import { plainText } from '../../src/modules/providers/texts.ts'
import { SampleCharge, toReply } from './mapping.ts'

export interface SampleConfig {
  readonly baseUrl: string
  readonly timeoutMs?: number
}

const currencies: readonly Currency[] = ['USD', 'ZWG']

/** A charge that the payer confirms, and look-ups by our key. */
export function sampleConnector({ baseUrl, timeoutMs }: SampleConfig): Connector {
  const http = createHttpClient({
    name: 'Sample',
    baseUrl,
    headers: { accept: 'application/json' },
    isUseless: ({ status, text }) => status >= 500 || (parseObject(text) === null && status !== 404),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })

  return {
    id: 'sample',
    name: 'Sample',
    methods: ['ecocash'],
    currencies,
    needs: () => [],
    refund: 'manual',
    reversals: 'unreported',
    minPollMs: 3000,
    attemptTtlMs: 10 * 60_000,
    refuseNumber: () => null,
    async charge({ accountId, key, amount, description }) {
      if (!currencies.includes(amount.currency))
        throw new ProviderError('invalid', `Sample does not take ${amount.currency}`, { neverSent: true })
      const body = {
        key,
        amount: Number(amount.minor),
        currency: amount.currency,
        text: plainText(description, 'Payment'),
      }
      const answer = await http.once(accountId, {
        method: 'POST',
        path: '/charges',
        body: { type: 'application/json', text: JSON.stringify(body) },
      })
      const charge = readCharge(answer)
      if (charge === null) throw errorOf(answer)
      return toReply(charge, key)
    },
    async lookup({ accountId, key }) {
      const path = `/charges/${encodeURIComponent(key)}`
      const answer = await http.repeatable(accountId, { method: 'GET', path })
      // A page of HTML with this status comes from a proxy in front of the provider.
      if (answer.status === 404 && parseObject(answer.text)) return { kind: 'not_found' }
      const charge = readCharge(answer)
      if (charge === null) throw errorOf(answer)
      return toReply(charge, key)
    },
    health: http.health,
  }
}

function readCharge({ status, text }: HttpAnswer): SampleCharge | null {
  const body = status === 200 ? parseObject(text) : null
  return body && SampleCharge.parse(body)
}

/** Only a refusal that the provider documents is one: after any other answer the charge may have been processed. */
function errorOf({ status, text }: HttpAnswer): ProviderError {
  const isRefused = parseObject(text) !== null && [400, 401, 403].includes(status)
  return new ProviderError(isRefused ? 'invalid' : 'unknown', `Sample answered with HTTP ${status}`, {
    providerCode: String(status),
  })
}
