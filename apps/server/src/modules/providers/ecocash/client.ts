import type { AccountId } from '@muripo/contract/ids'
import type { ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer } from '../http-client.ts'
import { type JsonAnswer, jsonBody, readJson } from '../json.ts'
import type { EcocashConfig } from './settings.ts'

export interface Client {
  /** Sends the request once, whatever happens. */
  post(accountId: AccountId, path: string, body: object): Promise<JsonAnswer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  get(accountId: AccountId, path: string): Promise<JsonAnswer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

/** The account at EcoCash that the calls of a charge and of a refund go to. */
export interface EcocashAccount {
  readonly config: EcocashConfig
  readonly client: Client
}

/** An answer without meaning, after which the request is repeated. */
function isUseless(answer: HttpAnswer): boolean {
  const { status, body, isEmpty } = readJson(answer)
  return status >= 500 || (body === null && !isEmpty && status !== 401 && status !== 404)
}

export function createClient(config: EcocashConfig): Client {
  const { baseUrl, username, password } = config
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const http = createHttpClient({
    name: 'EcoCash',
    baseUrl,
    headers: { authorization, accept: 'application/json' },
    isUseless,
  })
  return {
    health: http.health,
    post: async (accountId, path, body) =>
      readJson(await http.once(accountId, { method: 'POST', path, body: jsonBody(body) })),
    get: async (accountId, path) => readJson(await http.repeatable(accountId, { method: 'GET', path })),
  }
}
