import { addressOf, exchange, failure, requestInit, type Send } from '../api.ts'
import type { SessionStore } from './store.ts'

/** The authenticated client: the stored bearer on every call, and on a 401 one refresh and one retry. */
export function createClient(store: SessionStore, refresh: () => Promise<boolean>): Send {
  return async (method, path, request = {}) => {
    const address = addressOf(path, request.params as object, request.query as object)
    const attempt = () =>
      exchange<never>(address, requestInit(method, request.body, store.tokens().authToken))

    const hadToken = store.tokens().authToken !== null
    const result = await attempt()
    if (result.status !== 401 || !hadToken) return result
    return (await refresh()) ? attempt() : failure(401, AUTHENTICATION_FAILED)
  }
}

export const AUTHENTICATION_FAILED = 'Authentication failed'
