import type { ApiResult } from '../lib/http.ts'
import { AUTHENTICATION_FAILED } from '../session/client.ts'

/** A failed call inside a query: its message is the sentence for the screen. */
export class CallError extends Error {
  readonly status: number
  /** The page is already on its way out: nothing more has to be said. */
  readonly sessionEnded: boolean
  constructor(
    result: Pick<ApiResult<unknown>, 'status' | 'message' | 'error'>,
    fallback: string,
    networkText?: string,
  ) {
    super(failureText(result, fallback, networkText))
    this.status = result.status
    this.sessionEnded = result.error === AUTHENTICATION_FAILED
  }
}

/** The data of a call that must have worked: 200 or 201, with a body. */
export function dataOf<T>(result: ApiResult<T>, fallback: string, networkText?: string): T {
  const worked = result.status === 200 || result.status === 201
  if (!worked || result.data === null) throw new CallError(result, fallback, networkText)
  return result.data
}

export const CHECK_CONNECTION = 'Network error. Please check your connection and try again.'
export const TRY_AGAIN = 'Network error. Please try again.'

/** The sentence for a failed call: the server's own, the network's, or the screen's. */
export const failureText = (
  result: Pick<ApiResult<unknown>, 'status' | 'message'>,
  fallback: string,
  networkText: string = CHECK_CONNECTION,
): string => (result.status === 0 ? networkText : (result.message ?? fallback))
