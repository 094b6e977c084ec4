/** The parts of a `Response` that an error needs: the published types name no type of the DOM. */
interface Answered {
  readonly status: number
  readonly headers: { get(name: string): string | null }
}

interface ErrorDetails {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId?: string | null
  readonly fields?: readonly { readonly field: string; readonly message: string }[]
  readonly cause?: unknown
}

/** The error of a failed call: a refusal of the gateway, a missing response, or a response of another server. */
export class MuripoError extends Error {
  override readonly name = 'MuripoError'
  /** The HTTP status; 0 without a response. */
  readonly status: number
  /** The stable code of the gateway; `network_error` without a response, `unexpected_response` for a response of another server. */
  readonly code: string
  /** Identifies the call in the gateway's log. */
  readonly requestId: string | null
  /** The errors of the fields that the gateway refused. */
  readonly fields: readonly { readonly field: string; readonly message: string }[]

  constructor({ status, code, message, requestId = null, fields = [], cause }: ErrorDetails) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.requestId = requestId
    this.fields = fields
  }
}

export const networkError = (cause: unknown): MuripoError =>
  new MuripoError({ status: 0, code: 'network_error', message: 'The gateway could not be reached', cause })

/** The error of a response. */
export function errorOf(response: Answered, body: unknown): MuripoError {
  const problem = (body ?? {}) as { code?: unknown; message?: unknown; errors?: unknown }
  const requestId = response.headers.get('x-request-id')
  if (typeof problem.code !== 'string') return unexpectedResponse(response)
  return new MuripoError({
    status: response.status,
    code: problem.code,
    message: typeof problem.message === 'string' ? problem.message : problem.code,
    requestId,
    ...(Array.isArray(problem.errors) ? { fields: problem.errors } : {}),
  })
}

/** The error of a response that is not from a gateway, but from a proxy, a redirect or another site. */
export const unexpectedResponse = (response: Answered): MuripoError =>
  new MuripoError({
    status: response.status,
    code: 'unexpected_response',
    message: `The response is not from a Muripo gateway (HTTP ${response.status}). Check the address of your gateway.`,
    requestId: response.headers.get('x-request-id'),
  })
