import type { AccountId } from '@muripo/contract/ids'
import type { Clock } from '../../../platform/clock.ts'
import type { ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer } from '../http-client.ts'
import { parseObject } from '../json.ts'
import type { MastercardConfig } from './config.ts'

export interface Answer {
  readonly status: number
  /** Null when the answer is not a JSON object. */
  readonly body: Record<string, unknown> | null
}

export interface Client {
  /** Sends the request once, whatever happens. */
  send(accountId: AccountId, method: 'POST' | 'PUT', path: string, body: object): Promise<Answer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  get(accountId: AccountId, path: string): Promise<Answer>
  health(): Promise<ProviderHealth>
  /** The time-out of one request. */
  readonly timeoutMs: number
}

/** The account at the gateway that the calls of a charge and of a refund go to. */
export interface CardAccount {
  readonly config: MastercardConfig
  readonly client: Client
  readonly clock: Clock
}

type Success = Answer & { readonly body: Record<string, unknown> }

export const hasBody = (answer: Answer): answer is Success =>
  answer.status >= 200 && answer.status < 300 && answer.body !== null

export const orderPath = (order: string): string => `/order/${encodeURIComponent(order)}`
export const transactionPath = (order: string, id: string): string =>
  `${orderPath(order)}/transaction/${encodeURIComponent(id)}`

const read = ({ status, text }: HttpAnswer): Answer => ({ status, body: parseObject(text) })

export function createClient(config: MastercardConfig): Client {
  const { url, merchantId, password, apiVersion, timeoutMs = 30_000 } = config
  const credentials = Buffer.from(`merchant.${merchantId}:${password}`).toString('base64')
  const http = createHttpClient({
    name: 'The Mastercard Gateway',
    baseUrl: `${url}/api/rest/version/${apiVersion}`,
    healthPath: '/information',
    headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
    isUseless: ({ status, text }) => status >= 500 || (parseObject(text) === null && status !== 401),
    timeoutMs,
  })
  const ours = (path: string) => `/merchant/${encodeURIComponent(merchantId)}${path}`
  return {
    timeoutMs,
    health: http.health,
    send: async (accountId, method, path, body) => {
      const json = { type: 'application/json', text: JSON.stringify(body) }
      return read(await http.once(accountId, { method, path: ours(path), body: json }))
    },
    get: async (accountId, path) =>
      read(await http.repeatable(accountId, { method: 'GET', path: ours(path) })),
  }
}
