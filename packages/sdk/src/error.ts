interface ErrorFacts {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly requestId?: string | null
  readonly fields?: readonly { readonly field: string; readonly message: string }[]
  readonly cause?: unknown
}

/** Everything that can go wrong with a call. */
export class MuripoError extends Error {
  override readonly name = 'MuripoError'
  /** The HTTP status; 0 when no answer came. */
  readonly status: number
  /** The gateway's stable word for what happened; `network_error` when no answer came. */
  readonly code: string
  /** Names this call in the gateway's log. */
  readonly requestId: string | null
  /** Errors by field, when the gateway refused some fields. */
  readonly fields: readonly { readonly field: string; readonly message: string }[]

  constructor({ status, code, message, requestId = null, fields = [], cause }: ErrorFacts) {
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
export function errorOf(response: Response, body: unknown): MuripoError {
  const problem = (body ?? {}) as { code?: unknown; message?: unknown; errors?: unknown }
  const requestId = response.headers.get('x-request-id')
  if (typeof problem.code !== 'string') return unexpectedAnswer(response)
  return new MuripoError({
    status: response.status,
    code: problem.code,
    message: typeof problem.message === 'string' ? problem.message : problem.code,
    requestId,
    ...(Array.isArray(problem.errors) ? { fields: problem.errors } : {}),
  })
}

/** Something answered, but hardly the gateway: a proxy, a redirect, another site. */
export const unexpectedAnswer = (response: Response): MuripoError =>
  new MuripoError({
    status: response.status,
    code: 'unexpected_answer',
    message: `The answer is not a gateway's (HTTP ${response.status}). Is the gateway's address right?`,
    requestId: response.headers.get('x-request-id'),
  })
