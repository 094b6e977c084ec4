import type { AccountId } from '@muripo/contract/ids'
import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
  wrap,
} from 'cockatiel'
import { Agent } from 'undici'
import { CALL_MAX_MS, ProviderError, type ProviderHealth } from '../connector.ts'
import { MerchantBreaker } from '../merchant-breaker.ts'
import type { EcocashConfig } from './config.ts'
import { parseObject } from './wire.ts'

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

const REPLY_MAX_BYTES = 262_144
const CONNECT_TIMEOUT_MS = 10_000
const OPEN_FOR_MS = 10_000
const PROBE_TIMEOUT_MS = 2000

class TimedOut extends ProviderError {}

/** An answer without meaning, after which the request is repeated. */
const isUseless = (answer: unknown): boolean => {
  const { status, body, isEmpty } = answer as Answer
  return status >= 500 || (body === null && !isEmpty && status !== 401 && status !== 404)
}

/** A firewall's page that refuses one request says nothing about the next one, so only the provider's own failures count. */
const isOutage = (answer: unknown): boolean => (answer as Answer).status >= 500

export function createClient(config: EcocashConfig, mostMs = CALL_MAX_MS): Client {
  const base = new URL(config.baseUrl)
  const root = base.pathname.replace(/\/+$/, '')
  const timeoutMs = config.timeoutMs ?? 30_000
  const agent = new Agent({
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    maxResponseSize: REPLY_MAX_BYTES,
  })
  const authorization = `Basic ${Buffer.from(`${config.username}:${config.password}`).toString('base64')}`

  /** @param whole the time-out of all attempts together */
  async function send(
    method: 'GET' | 'POST',
    path: string,
    { json, whole }: { json?: object; whole: AbortSignal },
  ): Promise<Answer> {
    try {
      const response = await agent.request({
        origin: base.origin,
        path: root + path,
        method,
        headers: {
          authorization,
          accept: 'application/json',
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        signal: AbortSignal.any([whole, AbortSignal.timeout(timeoutMs)]),
      })
      const text = await response.body.text()
      return { status: response.statusCode, body: parseObject(text), isEmpty: text.trim() === '' }
    } catch (error) {
      throw transportError(error)
    }
  }

  const merchants = new MerchantBreaker()
  const failing = handleWhen((error) => error instanceof ProviderError).orWhenResult(isOutage)
  const breaker = circuitBreaker(failing, { halfOpenAfter: OPEN_FOR_MS, breaker: merchants })
  // A query that timed out is not repeated: the schedule repeats it in any case, and a repetition would double the wait.
  const again = handleWhen((error) => error instanceof ProviderError && !(error instanceof TimedOut))
  const once = retry(again.orWhenResult(isUseless), {
    maxAttempts: 1,
    backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 1500 }),
  })
  const patient = wrap(once, breaker)

  async function recorded(accountId: AccountId, call: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await call()
      merchants.record(accountId, isOutage(answer))
      return answer
    } catch (error) {
      merchants.record(accountId, true)
      throw error
    }
  }

  const guarded = async (call: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof BrokenCircuitError)) throw error
      throw new ProviderError('unavailable', 'EcoCash is not being asked: its last answers all failed', {
        providerCode: 'circuit_open',
        neverSent: true,
      })
    }
  }

  async function probe(): Promise<number | null> {
    try {
      const { statusCode, body } = await agent.request({
        origin: base.origin,
        path: root || '/',
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
    const faults = Number(status === null || status >= 500) + Number(breaker.state !== CircuitState.Closed)
    if (status === null) return 'down'
    return (['operational', 'degraded', 'down'] as const)[faults] ?? 'down'
  }

  return {
    health,
    post(accountId, path, json) {
      const whole = AbortSignal.timeout(mostMs)
      const call = () => recorded(accountId, () => send('POST', path, { json, whole }))
      return guarded(() => breaker.execute(call))
    },
    get(accountId, path) {
      const whole = AbortSignal.timeout(mostMs)
      const call = () => recorded(accountId, () => send('GET', path, { whole }))
      return guarded(() => patient.execute(call))
    },
  }
}

const certificateFaults =
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET))/

/** True only when no byte of the request can have been sent: the name, the connection or the certificate failed. */
function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverSent)
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  return code === 'UND_ERR_CONNECT_TIMEOUT' || certificateFaults.test(code)
}

function transportError(error: unknown): ProviderError {
  const { name = 'Error', code } = error as NodeJS.ErrnoException
  const providerCode = typeof code === 'string' ? code : name
  if (neverSent(error)) {
    return new ProviderError('unavailable', 'EcoCash could not be reached', {
      providerCode,
      neverSent: true,
      cause: error,
    })
  }
  const timedOut = name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(providerCode)
  return timedOut
    ? new TimedOut('unknown', 'EcoCash did not answer in time', { providerCode, cause: error })
    : new ProviderError('unknown', 'The connection to EcoCash broke before its answer', {
        providerCode,
        cause: error,
      })
}
