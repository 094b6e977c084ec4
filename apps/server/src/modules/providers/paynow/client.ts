import type { AccountId } from '@muripo/contract/ids'
import { ProviderError, type ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer, type HttpRequest } from '../http-client.ts'
import { isSuccess } from '../json.ts'
import type { Owner } from './config.ts'
import type { PaynowConfig } from './settings.ts'
import { readMessage } from './wire.ts'

/** A request by its path and the text of its form. */
export interface FormCall {
  readonly path: string
  readonly text: string
}

export interface Client {
  /** Sends the request once, whatever happens. */
  send(accountId: AccountId, call: FormCall): Promise<string>
  /** Repeats the request once after a short pause when there is no usable answer. */
  lookUp(accountId: AccountId, call: FormCall): Promise<string>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

/** The account at Paynow that the calls of a charge go to. */
export interface PaynowAccount {
  readonly config: PaynowConfig
  readonly client: Client
  /** The integrations, one for each currency. */
  readonly owners: readonly Owner[]
}

export function createClient({ baseUrl }: PaynowConfig): Client {
  const http = createHttpClient({
    name: 'Paynow',
    baseUrl,
    isUseless: ({ status, text }) => status >= 500 || readMessage(text) === null,
  })
  const post = ({ path, text }: FormCall): HttpRequest => ({
    method: 'POST',
    path,
    body: { type: 'application/x-www-form-urlencoded', text },
  })
  return {
    health: http.health,
    send: async (accountId, call) => textOf(await http.once(accountId, post(call))),
    lookUp: async (accountId, call) => textOf(await http.repeatable(accountId, post(call))),
  }
}

/** @throws ProviderError unknown: Paynow refuses under HTTP 200, so that another status comes from an intermediary or from an error */
function textOf(answer: HttpAnswer): string {
  if (isSuccess(answer)) return answer.text
  throw new ProviderError('unknown', `Paynow answered with HTTP ${answer.status}`, {
    providerCode: String(answer.status),
  })
}
