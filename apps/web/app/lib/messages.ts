import type { ApiResult } from './api.ts'

export const CHECK_CONNECTION = 'Network error. Please check your connection and try again.'
export const TRY_AGAIN = 'Network error. Please try again.'

/** The sentence for a failed call: the server's own, the network's, or the screen's. */
export const failureText = (
  result: Pick<ApiResult<unknown>, 'status' | 'message'>,
  fallback: string,
  networkText: string = CHECK_CONNECTION,
): string => (result.status === 0 ? networkText : (result.message ?? fallback))
