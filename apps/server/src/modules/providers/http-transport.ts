import { Agent } from 'undici'
import { certificateAdvice, isCertificateError } from '../../platform/outbound/certificate-error.ts'
import { ProviderError } from './connector.ts'
import { lenientRequest } from './lenient-request.ts'

export interface HttpAnswer {
  readonly status: number
  readonly text: string
}

export interface Received extends HttpAnswer {
  readonly retryAfter: string | undefined
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Below the base address, with a leading slash. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly type: string; readonly text: string }
}

export interface TransportOptions {
  /** The provider's name in errors. */
  readonly name: string
  readonly baseUrl: string
  /** The path of a health check below the base address. */
  readonly healthPath?: string
  /** The headers of every call; a health check sends none. */
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** The provider's answers have header lines without a carriage return. */
  readonly hasMalformedHeaders?: boolean
}

/** Single requests to one account at a provider. */
export interface HttpTransport {
  /** @param whole the time-out of all attempts together */
  send(request: HttpRequest, whole: AbortSignal): Promise<Received>
  /** The status of a request without credentials; null without an answer. */
  probe(): Promise<number | null>
}

const REPLY_MAX_BYTES = 262_144
/** The time-out of one request, unless the provider's client sets another. */
export const REQUEST_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 10_000
export const PROBE_TIMEOUT_MS = 2000

/** The error of a request that was sent and not answered in time. */
export class TimedOut extends ProviderError {}

export function createHttpTransport(options: TransportOptions): HttpTransport {
  const { name, headers, healthPath = '', timeoutMs = REQUEST_TIMEOUT_MS } = options
  const base = new URL(options.baseUrl)
  const root = base.pathname.replace(/\/+$/, '')
  const agent = new Agent({
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    maxResponseSize: REPLY_MAX_BYTES,
  })
  const request = options.hasMalformedHeaders ? lenientRequest(REPLY_MAX_BYTES) : agent.request.bind(agent)
  return {
    async send({ method, path, body, headers: own }, whole) {
      try {
        const response = await request({
          origin: base.origin,
          path: root + path,
          method,
          headers: { ...headers, ...own, ...(body && { 'content-type': body.type }) },
          ...(body && { body: body.text }),
          signal: AbortSignal.any([whole, AbortSignal.timeout(timeoutMs)]),
        })
        const retryAfter = [response.headers['retry-after']].flat()[0]
        return { status: response.statusCode, text: await response.body.text(), retryAfter }
      } catch (error) {
        throw transportError(name, error)
      }
    },
    async probe() {
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
    },
  }
}

/** True only when no byte of the request can have been sent: the name, the connection or the certificate failed. */
function neverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverSent)
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true
  return code === 'UND_ERR_CONNECT_TIMEOUT' || isCertificateError(code)
}

function transportError(provider: string, error: unknown): ProviderError {
  const { name = 'Error', code } = error as NodeJS.ErrnoException
  const providerCode = typeof code === 'string' ? code : name
  const detail = { providerCode, cause: error }
  const advice = certificateAdvice(error)
  if (neverSent(error))
    return new ProviderError(
      'unavailable',
      `${provider} could not be reached${advice ? `: ${advice}` : ''}`,
      {
        ...detail,
        neverSent: true,
      },
    )
  const timedOut = name === 'TimeoutError' || /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(providerCode)
  return timedOut
    ? new TimedOut('unknown', `${provider} did not answer in time`, detail)
    : new ProviderError('unknown', `The connection to ${provider} broke before its answer`, detail)
}
