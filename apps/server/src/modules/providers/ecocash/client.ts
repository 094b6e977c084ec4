import type { AccountId } from '@muripo/contract/ids'
import type { ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer } from '../http-client.ts'
import { parseObject } from '../json.ts'
import type { EcocashConfig } from './config.ts'

export interface Answer {
  readonly status: number
  /** Null when the answer is not a JSON object: an empty body, or the page of a firewall on the way. */
  readonly body: Record<string, unknown> | null
  readonly isEmpty: boolean
}

export interface Client {
  /** Sends the request once, whatever happens. */
  post(accountId: AccountId, path: string, body: object): Promise<Answer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  get(accountId: AccountId, path: string): Promise<Answer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

const read = ({ status, text }: HttpAnswer): Answer => ({
  status,
  body: parseObject(text),
  isEmpty: text.trim() === '',
})

/** An answer without meaning, after which the request is repeated. */
function isUseless(answer: HttpAnswer): boolean {
  const { status, body, isEmpty } = read(answer)
  return status >= 500 || (body === null && !isEmpty && status !== 401 && status !== 404)
}

export function createClient(config: EcocashConfig, mostMs?: number): Client {
  const { baseUrl, timeoutMs, username, password } = config
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const http = createHttpClient({
    name: 'EcoCash',
    baseUrl,
    headers: { authorization, accept: 'application/json' },
    isUseless,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(mostMs !== undefined && { mostMs }),
  })
  return {
    health: http.health,
    post: async (accountId, path, body) => {
      const json = { type: 'application/json', text: JSON.stringify(body) }
      return read(await http.once(accountId, { method: 'POST', path, body: json }))
    },
    get: async (accountId, path) => read(await http.repeatable(accountId, { method: 'GET', path })),
  }
}
