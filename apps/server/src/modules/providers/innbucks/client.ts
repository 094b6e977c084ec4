import type { AccountId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import { type Clock, plusMs } from '../../../platform/clock.ts'
import { ProviderError, type ProviderHealth } from '../connector.ts'
import { createHttpClient, type HttpAnswer, type HttpClient, type HttpRequest } from '../http-client.ts'
import { type JsonAnswer, jsonBody, readJson } from '../json.ts'
import type { InnbucksAccount } from './config.ts'
import { isApproved } from './mapping.ts'
import { LogIn } from './wire.ts'

/** The calls of one account. */
export interface Client {
  /** Sends the request once, and once more with a new token after 401. */
  generate(accountId: AccountId, body: object): Promise<JsonAnswer>
  /** Repeats the request once without a usable answer, and once with a new token after 401. */
  inquire(accountId: AccountId, body: object): Promise<JsonAnswer>
  /** Logs in, whether there is a token or not. */
  logIn(accountId: AccountId): Promise<void>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

/** The accounts at InnBucks, one for each currency. */
export interface InnbucksAccounts {
  readonly clients: ReadonlyMap<Currency, Client>
  readonly clock: Clock
}

/** The longest look-up has two log-ins and two inquiries, which together end within the time-out of a call. */
export const CALL_TIMEOUT_MS = 12_000
const TOKEN_LIFE_MS = 15 * 60_000
const REFRESHED_BEFORE_MS = 30_000

/** An answer without meaning, after which an inquiry is repeated. */
function isUseless(answer: HttpAnswer): boolean {
  const { status, body } = readJson(answer)
  return status >= 500 || (body === null && status !== 401 && status !== 404)
}

export function createClient(account: InnbucksAccount, baseUrl: string, clock: Clock): Client {
  const http = createHttpClient({
    name: 'InnBucks',
    baseUrl,
    headers: { 'x-api-key': account.apiKey, accept: 'application/json' },
    isUseless,
    timeoutMs: CALL_TIMEOUT_MS,
    mostMs: CALL_TIMEOUT_MS,
  })
  const tokens = createTokens(account, http, clock)

  /** The answer 401 proves that nothing was done, so the request follows once more with a new token. */
  async function authorised(send: (bearer: string) => Promise<HttpAnswer>, tokenFor: () => Promise<string>) {
    const attempt = async () => {
      const bearer = await tokenFor()
      const answer = readJson(await send(bearer))
      if (answer.status === 401) tokens.discard(bearer)
      return answer
    }
    const answer = await attempt()
    return answer.status === 401 ? attempt() : answer
  }

  return {
    health: http.health,
    logIn: async (accountId) => void (await tokens.logIn(accountId)),
    generate: (accountId, body) =>
      authorised(
        (bearer) => http.once(accountId, post('/api/code/generate', body, bearer)),
        () => tokens.current(accountId).catch(codeNotRequested),
      ),
    inquire: (accountId, body) =>
      authorised(
        (bearer) => http.repeatable(accountId, post('/api/code/inquiry', body, bearer)),
        () => tokens.current(accountId),
      ),
  }
}

const post = (path: string, body: object, bearer?: string): HttpRequest => ({
  method: 'POST',
  path,
  ...(bearer !== undefined && { headers: { authorization: `Bearer ${bearer}` } }),
  body: jsonBody(body),
})

/** The tokens of one account, of which the last one is used until it ends or is refused. */
function createTokens({ username, password }: InnbucksAccount, http: HttpClient, clock: Clock) {
  let token: { readonly text: string; readonly until: Date } | null = null
  let pending: Promise<string> | null = null

  async function logIn(accountId: AccountId): Promise<string> {
    const until = plusMs(clock.now(), TOKEN_LIFE_MS - REFRESHED_BEFORE_MS)
    const { status, body } = readJson(
      await http.repeatable(accountId, post('/auth/third-party', { username, password })),
    )
    const { accessToken, responseCode } = LogIn.parse(body ?? {})
    if (status === 200 && isApproved(responseCode) && accessToken) {
      token = { text: accessToken, until }
      return accessToken
    }
    // InnBucks refuses with 401 or with a code of its own; another answer comes from a proxy, or from another address.
    const isRefused = status === 401 || (status < 500 && responseCode !== null)
    throw new ProviderError(
      isRefused ? 'invalid' : 'unavailable',
      `InnBucks answered the log-in with HTTP ${status}`,
      {
        providerCode: responseCode ?? String(status),
      },
    )
  }

  return {
    logIn,
    /** A valid token. Calls at the same time share one log-in. */
    current(accountId: AccountId): Promise<string> {
      if (token && clock.now() < token.until) return Promise.resolve(token.text)
      pending ??= logIn(accountId).finally(() => {
        pending = null
      })
      return pending
    },
    discard(used: string): void {
      if (token?.text === used) token = null
    },
  }
}

/** @throws ProviderError: without a token, no code was requested */
function codeNotRequested(error: unknown): never {
  if (!(error instanceof ProviderError)) throw error
  const { kind, message, providerCode, retryAfterMs } = error
  throw new ProviderError(kind === 'invalid' ? 'invalid' : 'unavailable', message, {
    providerCode,
    neverSent: true,
    retryAfterMs,
    cause: error,
  })
}
