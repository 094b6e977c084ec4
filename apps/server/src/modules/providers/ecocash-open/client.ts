import type { AccountId } from '@muripo/contract/ids'
import type { ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer, type HttpRequest } from '../http-client.ts'
import { parseObject } from '../json.ts'
import type { EcocashOpenConfig } from './config.ts'

export interface Answer {
  readonly status: number
  /** Null when the answer is not a JSON object. */
  readonly body: Record<string, unknown> | null
  /** An empty answer has a meaning of its own. */
  readonly isEmpty: boolean
}

export interface Client {
  /** Sends the request once, whatever happens. */
  pay(accountId: AccountId, body: object): Promise<Answer>
  /** Sends the request once, whatever happens. */
  refund(accountId: AccountId, body: object): Promise<Answer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  lookUp(accountId: AccountId, body: object): Promise<Answer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

const read = ({ status, text }: HttpAnswer): Answer => ({
  status,
  body: parseObject(text),
  isEmpty: text.trim() === '',
})

function isUseless(answer: HttpAnswer): boolean {
  const { status, body, isEmpty } = read(answer)
  return status >= 500 || (body === null && !isEmpty && status !== 401)
}

export function createClient(config: EcocashOpenConfig): Client {
  const { baseUrl, apiKey, environment, merchantCode, timeoutMs } = config
  const http = createHttpClient({
    name: 'EcoCash Open',
    baseUrl,
    headers: {
      'x-api-key': apiKey,
      accept: 'application/json',
      ...(merchantCode !== null && { merchant: merchantCode }),
    },
    isUseless,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  const post = (path: string, body: object): HttpRequest => ({
    method: 'POST',
    path: `${path}/${environment}`,
    body: { type: 'application/json', text: JSON.stringify(body) },
  })
  return {
    health: http.health,
    pay: async (accountId, body) =>
      read(await http.once(accountId, post('/api/v2/payment/instant/c2b', body))),
    refund: async (accountId, body) =>
      read(await http.once(accountId, post('/api/v2/refund/instant/c2b', body))),
    lookUp: async (accountId, body) =>
      read(await http.repeatable(accountId, post('/api/v1/transaction/c2b/status', body))),
  }
}
