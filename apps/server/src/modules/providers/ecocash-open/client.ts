import type { AccountId } from '@muripo/contract/ids'
import type { ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer, type HttpRequest } from '../http-client.ts'
import { type JsonAnswer, jsonBody, readJson } from '../json.ts'
import type { EcocashOpenConfig } from './settings.ts'

export interface Client {
  /** Sends the request once, whatever happens. */
  pay(accountId: AccountId, body: object): Promise<JsonAnswer>
  /** Sends the request once, whatever happens. */
  refund(accountId: AccountId, body: object): Promise<JsonAnswer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  lookUp(accountId: AccountId, body: object): Promise<JsonAnswer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

/** The application at EcoCash that the calls of a charge and of a refund go to. */
export interface EcocashOpenAccount {
  readonly config: EcocashOpenConfig
  readonly client: Client
}

/** An answer without meaning, after which a look-up is repeated. An empty answer means that there is no payment. */
function isUseless(answer: HttpAnswer): boolean {
  const { status, body, isEmpty } = readJson(answer)
  return status >= 500 || (body === null && !isEmpty && status !== 401)
}

export function createClient(config: EcocashOpenConfig): Client {
  const { baseUrl, apiKey, environment, merchantCode } = config
  const http = createHttpClient({
    name: 'EcoCash Open',
    baseUrl,
    headers: {
      'x-api-key': apiKey,
      accept: 'application/json',
      ...(merchantCode !== null && { merchant: merchantCode }),
    },
    isUseless,
  })
  const post = (path: string, body: object): HttpRequest => ({
    method: 'POST',
    path: `${path}/${environment}`,
    body: jsonBody(body),
  })
  return {
    health: http.health,
    pay: async (accountId, body) =>
      readJson(await http.once(accountId, post('/api/v2/payment/instant/c2b', body))),
    refund: async (accountId, body) =>
      readJson(await http.once(accountId, post('/api/v2/refund/instant/c2b', body))),
    lookUp: async (accountId, body) =>
      readJson(await http.repeatable(accountId, post('/api/v1/transaction/c2b/status', body))),
  }
}
