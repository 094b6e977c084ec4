import type { AccountId } from '@muripo/contract/ids'
import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
} from 'cockatiel'
import { Agent } from 'undici'
import { systemClock } from '../../platform/clock.ts'
import { countRequest } from './calls/requests-of-call.ts'
import { CALL_MAX_MS, ProviderError, type ProviderHealth } from './connector.ts'
import { lenientRequest } from './lenient-request.ts'
import { MerchantBreaker } from './merchant-breaker.ts'

export interface HttpAnswer {
  readonly status: number
  readonly text: string
}

interface Received extends HttpAnswer {
  readonly retryAfter: string | undefined
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Below the base address, with a leading slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly type: string; readonly text: string }
}

export interface HttpClient {
  /** Sends the request once, whatever happens. */
  once(accountId: AccountId, request: HttpRequest): Promise<HttpAnswer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  repeatable(accountId: AccountId, request: HttpRequest): Promise<HttpAnswer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

export interface HttpClientOptions {
  /** The provider's name in errors. */
  readonly name: string
  readonly baseUrl: string
  /** The path of a health check below the base address. */
  readonly healthPath?: string
  /** The headers of every call; a health check sends none. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** The time-out of a call with its repetition. */
  readonly mostMs?: number
  /** An answer without meaning, after which a repeatable request is repeated. */
  readonly isUseless: (answer: HttpAnswer) => boolean
  /** The provider's answers have header lines without a carriage return. */
  readonly hasMalformedHeaders?: boolean
}

const REPLY_MAX_BYTES = 262_144
const CONNECT_TIMEOUT_MS = 10_000
const OPEN_FOR_MS = 10_000
const PROBE_TIMEOUT_MS = 2000
/** The pause after an answer 429 that names none, and the limits of one that does. */
export const BUSY_FOR_MS = 5000
const LEAST_BUSY_MS = 1000
const MOST_BUSY_MS = 5 * 60_000

class TimedOut extends ProviderError {}

/** A firewall's page that refuses one request says nothing about the next one, so only the provider's own failures count. */
const isOutage = (answer: unknown): boolean => (answer as HttpAnswer).status >= 500

/** The HTTP client of one account at a provider, with time-outs, a breaker and the distinction between unsent and unanswered calls. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { name, headers, healthPath = '', timeoutMs = 30_000, mostMs = CALL_MAX_MS, isUseless } = options
  const base = new URL(options.baseUrl)
  const root = base.pathname.replace(/\/+$/, '')
  const agent = new Agent({
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    maxResponseSize: REPLY_MAX_BYTES,
  })
  const request = options.hasMalformedHeaders ? lenientRequest(REPLY_MAX_BYTES) : agent.request.bind(agent)

  /** @param whole the time-out of all attempts together */
  async function send(call: HttpRequest, whole: AbortSignal): Promise<Received> {
    const { method, path, body } = call
    try {
      const response = await request({
        origin: base.origin,
        path: root + path,
        method,
        headers: { ...headers, ...call.headers, ...(body && { 'content-type': body.type }) },
        ...(body && { body: body.text }),
        signal: AbortSignal.any([whole, AbortSignal.timeout(timeoutMs)]),
      })
      const retryAfter = [response.headers['retry-after']].flat()[0]
      return { status: response.statusCode, text: await response.body.text(), retryAfter }
    } catch (error) {
      throw transportError(name, error)
    }
  }

  const merchants = new MerchantBreaker()
  const failing = handleWhen((error) => error instanceof ProviderError).orWhenResult(isOutage)
  const breaker = circuitBreaker(failing, { halfOpenAfter: OPEN_FOR_MS, breaker: merchants })
  // A query that timed out is not repeated: the schedule repeats it in any case, and a repetition would double the wait.
  const again = handleWhen(
    (error) =>
      error instanceof ProviderError && !(error instanceof TimedOut) && error.providerCode !== OUT_OF_BUDGET,
  )
  const retried = retry(
    again.orWhenResult((answer) => !isBusy(answer as HttpAnswer) && isUseless(answer as HttpAnswer)),
    { maxAttempts: 1, backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 1500 }) },
  )
  async function recorded(accountId: AccountId, call: () => Promise<Received>): Promise<Received> {
    try {
      const answer = await call()
      merchants.record(accountId, isOutage(answer))
      return answer
    } catch (error) {
      merchants.record(accountId, true)
      throw error
    }
  }

  const guarded = async (call: () => Promise<Received>): Promise<HttpAnswer> => {
    const answer = await call().catch((error: unknown) => {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new ProviderError('unavailable', `${name} is not being asked: its last answers all failed`, {
        providerCode: CIRCUIT_OPEN,
        neverSent: true,
        retryAfterMs: OPEN_FOR_MS,
      })
    })
    if (!isBusy(answer)) return answer
    throw new ProviderError('unavailable', `${name} answered that it gets too many requests`, {
      providerCode: String(answer.status),
      retryAfterMs: pauseOf(answer),
    })
  }

  async function probe(): Promise<number | null> {
    try {
      const { statusCode, body } = await request({
        origin: base.origin,
        path: root + healthPath || '/',
        method: 'GET',
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      })
      body.dump().catch(() => undefined)
      return statusCode
    } catch {
      return null
    }
  }

  async function health(): Promise<ProviderHealth> {
    const status = await probe()
    const failures = Number(status === null || status >= 500) + Number(breaker.state !== CircuitState.Closed)
    if (status === null) return 'down'
    return (['operational', 'degraded', 'down'] as const)[failures] ?? 'down'
  }

  const sendingOnce = (accountId: AccountId, request: HttpRequest) => {
    const whole = AbortSignal.timeout(mostMs)
    return async () => {
      // The wait for the budget says nothing about the provider: the breaker does not count it.
      await countRequest()
      return breaker.execute(() => recorded(accountId, () => send(request, whole)))
    }
  }

  return {
    health,
    once: (accountId, request) => guarded(sendingOnce(accountId, request)),
    repeatable: (accountId, request) => guarded(() => retried.execute(sendingOnce(accountId, request))),
  }
}

/** The code of a call that was not made because the provider allows no more. */
export const OUT_OF_BUDGET = 'out_of_budget'

/** The code of a call that was not made because the provider's last answers all failed. */
export const CIRCUIT_OPEN = 'circuit_open'

const isBusy = ({ status }: HttpAnswer): boolean => status === 429

/** The header names seconds, or a date. */
function pauseOf({ retryAfter = '' }: Received): number {
  const ms = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - systemClock.now().getTime()
  return Number.isNaN(ms) ? BUSY_FOR_MS : Math.min(Math.max(ms, LEAST_BUSY_MS), MOST_BUSY_MS)
}

const certificateErrors =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET))/

/** True only when no byte of the request can have been sent: the name, the connection or the certificate failed. */
function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverSent)
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  return code === 'UND_ERR_CONNECT_TIMEOUT' || certificateErrors.test(code)
}

function transportError(provider: string, error: unknown): ProviderError {
  const { name = 'Error', code } = error as NodeJS.ErrnoException
  const providerCode = typeof code === 'string' ? code : name
  const detail = { providerCode, cause: error }
  if (neverSent(error))
    return new ProviderError('unavailable', `${provider} could not be reached`, {
      ...detail,
      neverSent: true,
    })
  const timedOut = name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(providerCode)
  return timedOut
    ? new TimedOut('unknown', `${provider} did not answer in time`, detail)
    : new ProviderError('unknown', `The connection to ${provider} broke before its answer`, detail)
}
