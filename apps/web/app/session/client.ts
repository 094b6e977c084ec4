import {
  type ApiResult,
  AUTHENTICATION_FAILED,
  addressOf,
  exchange,
  failure,
  requestInit,
  type Send,
  type Transport,
} from '../lib/http.ts'
import type { Refresh } from './refresh.ts'
import type { SessionStore } from './store.ts'

/** Sends a call with the stored bearer token, and after a 401 and a refresh once again. It is not sent for another session than the page shows. */
export type Authorised = <T>(
  call: (authToken: string | null) => Promise<ApiResult<T>>,
) => Promise<ApiResult<T>>

export function createAuthorised(store: SessionStore, refresh: Refresh): Authorised {
  return async (call) => {
    const isReplaced = store.watch()
    const refused = failure(401, AUTHENTICATION_FAILED)
    if (isReplaced()) {
      store.reload()
      return refused
    }
    const { authToken, refreshToken } = store.tokens()
    const result = await call(authToken)
    if (result.status !== 401 || authToken === null) return result
    if (!(await refresh(refreshToken)) || isReplaced()) return refused
    return call(store.tokens().authToken)
  }
}

/** The transport of the authenticated client; undefined for `fetch`. */
export const sending: { transport: Transport | undefined } = { transport: undefined }

/** The authenticated client. */
export function createClient(store: SessionStore, refresh: Refresh): Send {
  const authorised = createAuthorised(store, refresh)
  return (route, { params, query, body, idempotencyKey, signal = null } = {}) => {
    const address = addressOf(route, params as object, query as object)
    return authorised((authToken) =>
      exchange<never>(
        address,
        { ...requestInit(route.method, body, authToken, idempotencyKey), signal },
        undefined,
        sending.transport,
      ),
    )
  }
}
