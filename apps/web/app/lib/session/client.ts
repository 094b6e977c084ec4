import { addressOf, exchange, failure, requestInit, type Send } from '../api.ts'
import type { Refresh } from './refresh.ts'
import type { SessionStore } from './store.ts'

/** The authenticated client: the stored bearer on every call, and on a 401 one refresh and one retry. */
export function createClient(store: SessionStore, refresh: Refresh): Send {
  return async (method, path, request = {}) => {
    const address = addressOf(path, request.params as object, request.query as object)
    const attempt = (authToken: string | null) =>
      exchange<never>(address, requestInit(method, request.body, authToken))

    const { authToken, refreshToken } = store.tokens()
    const result = await attempt(authToken)
    if (result.status !== 401 || authToken === null) return result
    if (!(await refresh(refreshToken))) return failure(401, AUTHENTICATION_FAILED)
    return attempt(store.tokens().authToken)
  }
}

export const AUTHENTICATION_FAILED = 'Authentication failed'
