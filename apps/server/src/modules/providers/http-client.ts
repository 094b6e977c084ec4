import type { AccountId } from '@muripo/contract/ids'
import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
} from 'cockatiel'
import { systemClock } from '../../platform/clock.ts'
import { CALL_MAX_MS, MOST_PAUSE_MS } from './calls/deadlines.ts'
import { countRequest, remainingMs } from './calls/requests-of-call.ts'
import { ProviderError, type ProviderHealth } from './connector.ts'
import {
  createHttpTransport,
  type HttpAnswer,
  type HttpRequest,
  type Received,
  TimedOut,
  type TransportOptions,
} from './http-transport.ts'
import { MerchantBreaker } from './merchant-breaker.ts'

export type { HttpAnswer, HttpRequest } from './http-transport.ts'

export interface HttpClient {
  /** Sends the request once, whatever happens. */
  once(accountId: AccountId, request: HttpRequest): Promise<HttpAnswer>
  /** Repeats the request once after a short pause when there is no usable answer. */
  repeatable(accountId: AccountId, request: HttpRequest): Promise<HttpAnswer>
  /** Sends a request without credentials; any answer counts. */
  health(): Promise<ProviderHealth>
}

export interface HttpClientOptions extends TransportOptions {
  /** The time-out of a call with its repetition. */
  readonly mostMs?: number
  /** An answer without meaning, after which a repeatable request is repeated. */
  readonly isUseless: (answer: HttpAnswer) => boolean
}

const OPEN_FOR_MS = 10_000
/** The pause after an answer 429 that names none, and the limits of one that does. */
export const BUSY_FOR_MS = 5000
const LEAST_BUSY_MS = 1000

/** The code of a call that was not made because the provider allows no more. */
export const OUT_OF_BUDGET = 'out_of_budget'

/** The code of a call that was not made because the provider's last answers all failed. */
export const CIRCUIT_OPEN = 'circuit_open'

/** The HTTP client of one account at a provider, with time-outs, a breaker and the distinction between unsent and unanswered calls. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { name, mostMs = CALL_MAX_MS, isUseless } = options
  const transport = createHttpTransport(options)
  const breaker = createBreaker()
  const repetition = repetitionAfter(isUseless)

  const sendingOnce = (accountId: AccountId, request: HttpRequest) => {
    const whole = AbortSignal.timeout(Math.min(mostMs, remainingMs()))
    return async () => {
      // The breaker does not count a wait for the budget, which is no failure of the provider.
      await countRequest()
      return breaker.execute(accountId, () => transport.send(request, whole))
    }
  }

  return {
    once: (accountId, request) => usable(name, sendingOnce(accountId, request)),
    repeatable: (accountId, request) =>
      usable(name, () => repetition.execute(sendingOnce(accountId, request))),
    async health() {
      const status = await transport.probe()
      const failures = Number(status === null || status >= 500) + Number(!breaker.isClosed())
      if (status === null) return 'down'
      return (['operational', 'degraded', 'down'] as const)[failures] ?? 'down'
    },
  }
}

/** A firewall may refuse one request and pass the next one, so only the provider's own failures count. */
const isOutage = (answer: unknown): boolean => (answer as HttpAnswer).status >= 500

/** Makes no more calls for a while when the last ones of several merchants all failed. */
function createBreaker() {
  const merchants = new MerchantBreaker()
  const failing = handleWhen((error) => error instanceof ProviderError).orWhenResult(isOutage)
  const breaker = circuitBreaker(failing, { halfOpenAfter: OPEN_FOR_MS, breaker: merchants })

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

  return {
    isClosed: () => breaker.state === CircuitState.Closed,
    execute: (accountId: AccountId, call: () => Promise<Received>) =>
      breaker.execute(() => recorded(accountId, call)),
  }
}

/** A query that timed out is not repeated: the schedule repeats it in any case, and a repetition would double the wait. */
function repetitionAfter(isUseless: HttpClientOptions['isUseless']) {
  const again = handleWhen(
    (error) =>
      error instanceof ProviderError && !(error instanceof TimedOut) && error.providerCode !== OUT_OF_BUDGET,
  )
  return retry(
    again.orWhenResult((answer) => !isBusy(answer as HttpAnswer) && isUseless(answer as HttpAnswer)),
    { maxAttempts: 1, backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 1500 }) },
  )
}

/** @throws ProviderError unavailable, when the breaker is open, or the provider gets too many requests */
async function usable(name: string, call: () => Promise<Received>): Promise<HttpAnswer> {
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

const isBusy = ({ status }: HttpAnswer): boolean => status === 429

/** The header names seconds, or a date. */
function pauseOf({ retryAfter = '' }: Received): number {
  const ms = /^\d+$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - systemClock.now().getTime()
  return Number.isNaN(ms) ? BUSY_FOR_MS : Math.min(Math.max(ms, LEAST_BUSY_MS), MOST_PAUSE_MS)
}
