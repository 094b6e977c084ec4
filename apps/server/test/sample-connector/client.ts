import type { AccountId } from '@muripo/contract/ids'
import type { ProviderHealth } from '../../src/modules/providers/connector.ts'
import { createHttpClient, type HttpAnswer } from '../../src/modules/providers/http-client.ts'
import { type JsonAnswer, jsonBody, readJson } from '../../src/modules/providers/json.ts'
import type { SampleConfig } from './config.ts'

export interface Client {
  /** Sends the request once, whatever happens. */
  post(accountId: AccountId, path: string, body: object): Promise<JsonAnswer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  get(accountId: AccountId, path: string): Promise<JsonAnswer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

/** The account at Sample that the calls of a charge go to. */
export interface SampleAccount {
  readonly config: SampleConfig
  readonly client: Client
}

/** An answer without meaning, after which the request is repeated. */
function isUseless(answer: HttpAnswer): boolean {
  const { status, body } = readJson(answer)
  return status >= 500 || (body === null && status !== 404)
}

export function createClient({ baseUrl }: SampleConfig): Client {
  const http = createHttpClient({
    name: 'Sample',
    baseUrl,
    headers: { accept: 'application/json' },
    isUseless,
  })
  return {
    health: http.health,
    post: async (accountId, path, body) =>
      readJson(await http.once(accountId, { method: 'POST', path, body: jsonBody(body) })),
    get: async (accountId, path) => readJson(await http.repeatable(accountId, { method: 'GET', path })),
  }
}
