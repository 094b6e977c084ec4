import type { AccountId } from '@muripo/contract/ids'
import type { Clock } from '../../../platform/clock.ts'
import type { ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer } from '../http-client.ts'
import { type JsonAnswer, jsonBody, readJson } from '../json.ts'
import type { MastercardConfig } from './settings.ts'

export interface Client {
  /** Sends the request once, whatever happens. */
  send(accountId: AccountId, method: 'POST' | 'PUT', path: string, body: object): Promise<JsonAnswer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  get(accountId: AccountId, path: string): Promise<JsonAnswer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

/** The account at the gateway that the calls of a charge and of a refund go to. */
export interface MastercardAccount {
  readonly config: MastercardConfig
  readonly client: Client
  readonly clock: Clock
}

export const orderPath = (order: string): string => `/order/${encodeURIComponent(order)}`
export const transactionPath = (order: string, id: string): string =>
  `${orderPath(order)}/transaction/${encodeURIComponent(id)}`

/** An answer without meaning, after which the request is repeated. */
function isUseless(answer: HttpAnswer): boolean {
  const { status, body } = readJson(answer)
  return status >= 500 || (body === null && status !== 401)
}

export function createClient(config: MastercardConfig): Client {
  const { baseUrl, merchantId, password, apiVersion } = config
  const credentials = Buffer.from(`merchant.${merchantId}:${password}`).toString('base64')
  const http = createHttpClient({
    name: 'The Mastercard Gateway',
    baseUrl: `${baseUrl}/api/rest/version/${apiVersion}`,
    healthPath: '/information',
    headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
    isUseless,
  })
  const ours = (path: string) => `/merchant/${encodeURIComponent(merchantId)}${path}`
  return {
    health: http.health,
    send: async (accountId, method, path, body) =>
      readJson(await http.once(accountId, { method, path: ours(path), body: jsonBody(body) })),
    get: async (accountId, path) =>
      readJson(await http.repeatable(accountId, { method: 'GET', path: ours(path) })),
  }
}
