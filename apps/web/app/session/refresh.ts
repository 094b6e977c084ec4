import type { refreshToken, Tokens } from '@muripo/contract/auth'
import { type ApiResult, sendPublic } from '../lib/http.ts'
import { logProblem } from '../lib/log.ts'
import { browserClock } from '../lib/timing.ts'
import type { SessionStore } from './store.ts'
import { isUsable } from './token.ts'

interface RefreshDeps {
  readonly store: SessionStore
  readonly trade?: (token: string) => Promise<ApiResult<Tokens>>
  /** Runs one job at a time over all tabs. */
  readonly exclusively?: <T>(job: () => Promise<T>) => Promise<T>
  readonly now?: () => number
}

const tradeOverTheWire = (token: string): Promise<ApiResult<Tokens>> =>
  sendPublic<typeof refreshToken>('POST', '/auth/refresh-token', { body: { refreshToken: token } })

const STORAGE_TRAVEL_MS = 100

async function overAllTabs<T>(job: () => Promise<T>): Promise<T> {
  // Web Locks exist in secure contexts only; without them one tab still refreshes one at a time.
  return typeof navigator !== 'undefined' && navigator.locks
    ? navigator.locks.request('muripo-refresh', async () => {
        const result = await job()
        // This tab's storage reaches the processes of the other tabs a moment later: they must not read it before.
        await new Promise((resolve) => setTimeout(resolve, STORAGE_TRAVEL_MS))
        return result
      })
    : job()
}

/** `seen` is the refresh token of the caller's tokens; by default the stored one. */
export type Refresh = (seen?: string | null) => Promise<boolean>

/** Exchanges the refresh token for new ones, one call at a time; returns whether there is a token to continue with. */
export function createRefresh({
  store,
  trade = tradeOverTheWire,
  exclusively = overAllTabs,
  now = browserClock.now,
}: RefreshDeps): Refresh {
  let running: Promise<boolean> | null = null

  async function refresh(seen: string | null): Promise<boolean> {
    const stored = () => store.tokens().refreshToken
    const token = stored()
    // A refresh token is valid once: a token that another tab or call has just exchanged must not be sent again.
    if (token !== null && token !== seen) return true
    if (token !== null && isUsable(token, now())) {
      const result = await trade(token)
      // A user who signed out meanwhile, in any tab, stays signed out.
      if (stored() !== token) return stored() !== null
      if (result.data?.authToken && result.data.refreshToken) {
        store.renew(result.data)
        return true
      }
      logProblem('The session could not be refreshed', {
        status: result.status,
        body: result.body ?? result.error,
      })
    }
    store.logOut('signed-out')
    return false
  }

  return (seen = store.tokens().refreshToken) => {
    running ??= exclusively(() => refresh(seen)).finally(() => {
      running = null
    })
    return running
  }
}
