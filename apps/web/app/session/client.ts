import {
  type ApiResult,
  AUTHENTICATION_FAILED,
  addressOf,
  errorCode,
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

/** Asks the person of the session for the password or a code. False without an answer. */
type Confirm = () => Promise<boolean>
const nobody: Confirm = async () => false

/** A call that the person must confirm is sent again after that, unchanged: under the same idempotency key, where it has one. */
export function createAuthorised(
  store: SessionStore,
  refresh: Refresh,
  confirm: Confirm = nobody,
): Authorised {
  const authorised = withToken(store, refresh)
  return async (call) => {
    const result = await authorised(call)
    return errorCode(result) === 'step_up_required' && (await confirm()) ? authorised(call) : result
  }
}

function withToken(store: SessionStore, refresh: Refresh): Authorised {
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
export function createClient(store: SessionStore, refresh: Refresh, confirm?: Confirm): Send {
  const authorised = createAuthorised(store, refresh, confirm)
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
