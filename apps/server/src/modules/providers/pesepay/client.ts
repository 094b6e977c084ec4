import type { AccountId } from '@muripo/contract/ids'
import type { ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer } from '../http-client.ts'
import { isSuccess, jsonBody } from '../json.ts'
import type { PesepayConfig } from './settings.ts'
import { encrypt, openEnvelope, Payment } from './wire.ts'

export interface Answer extends HttpAnswer {
  /** Null when the answer is no success, or contains no payment that can be decrypted. */
  readonly payment: Payment | null
}

export interface Client {
  /** Sends the encrypted body once, whatever happens. */
  send(accountId: AccountId, path: string, body: object): Promise<Answer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  get(accountId: AccountId, path: string): Promise<Answer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

/** The account at Pesepay that the calls of a charge go to. */
export interface PesepayAccount {
  readonly config: PesepayConfig
  readonly client: Client
}

export function createClient(config: PesepayConfig): Client {
  const { baseUrl, integrationKey, encryptionKey } = config
  const read = (answer: HttpAnswer): Answer => {
    const body = isSuccess(answer) ? openEnvelope(answer.text, encryptionKey) : null
    return { ...answer, payment: body && Payment.parse(body) }
  }
  const http = createHttpClient({
    name: 'Pesepay',
    baseUrl,
    healthPath: '/v1/currencies/active',
    // Pesepay's own clients send the first header, others the second one.
    headers: { key: integrationKey, authorization: integrationKey, accept: 'application/json' },
    hasMalformedHeaders: true,
    isUseless: (answer) => answer.status >= 500 || (answer.status < 300 && read(answer).payment === null),
  })
  return {
    health: http.health,
    send: async (accountId, path, body) => {
      const envelope = { payload: encrypt(JSON.stringify(body), encryptionKey) }
      return read(await http.once(accountId, { method: 'POST', path, body: jsonBody(envelope) }))
    },
    get: async (accountId, path) => read(await http.repeatable(accountId, { method: 'GET', path })),
  }
}
