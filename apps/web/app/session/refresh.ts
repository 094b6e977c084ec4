import * as calls from 'virtual:calls/auth'
import type { Tokens } from '@muripo/contract/auth'
import { type ApiResult, isTemporary, sendPublic } from '../lib/http.ts'
import { logProblem } from '../lib/log.ts'
import { browserClock, type Clock, jittered, serverNow } from '../lib/timing.ts'
import { isUsable, type SessionStore } from './store.ts'

interface RefreshDeps {
  readonly store: SessionStore
  readonly trade?: (token: string, signal: AbortSignal) => Promise<ApiResult<Tokens>>
  /** Runs one job at a time over all tabs. */
  readonly exclusively?: <T>(job: () => Promise<T>) => Promise<T>
  readonly now?: () => number
  readonly clock?: Clock
}

const tradeOverTheWire = (token: string, signal: AbortSignal): Promise<ApiResult<Tokens>> =>
  sendPublic(calls.refreshToken, { body: { refreshToken: token }, signal })

/** The longest time that the other tabs wait for the lock. The server repeats its answer to an exchanged token for 30 s. */
const TRY_FOR_MS = 20_000
/** A stalled call is aborted and repeated. */
const ATTEMPT_MS = 6000
const FIRST_REST_MS = 1000
const LONGEST_REST_MS = 4000

const STORAGE_TRAVEL_MS = 100

/** Runs one job at a time over all tabs. */
export async function overAllTabs<T>(job: () => Promise<T>): Promise<T> {
  // Web Locks exist in secure contexts only; without them one tab still refreshes one at a time.
  return typeof navigator !== 'undefined' && navigator.locks
    ? navigator.locks.request('muripo-refresh', async () => {
        const result = await job()
        // The browser passes this tab's storage to the processes of the other tabs with a delay: they must not read it before.
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
  now = serverNow,
  clock = browserClock,
}: RefreshDeps): Refresh {
  let running: Promise<boolean> | null = null

  async function attempt(token: string, limitMs: number): Promise<ApiResult<Tokens>> {
    const limit = new AbortController()
    const callOff = clock.after(limitMs, () => limit.abort())
    const result = await trade(token, limit.signal)
    callOff()
    return result
  }

  /** Repeats the exchange while its failure is temporary, until a sign-out. */
  async function tradeInTime(token: string): Promise<ApiResult<Tokens>> {
    const deadline = clock.now() + TRY_FOR_MS
    for (let restMs = FIRST_REST_MS; ; restMs = Math.min(2 * restMs, LONGEST_REST_MS)) {
      const result = await attempt(token, Math.min(ATTEMPT_MS, deadline - clock.now()))
      const pauseMs = jittered(restMs)
      if (!isTemporary(result) || clock.now() + pauseMs >= deadline) return result
      await new Promise<void>((resolve) => clock.after(pauseMs, resolve))
      if (store.tokens().refreshToken !== token) return result
    }
  }

  async function refresh(seen: string | null): Promise<boolean> {
    const stored = () => store.tokens().refreshToken
    const token = stored()
    // A refresh token is valid once: a token that another tab or call has just exchanged must not be sent again.
    if (token !== null && token !== seen) return true
    if (token !== null && isUsable(token, now())) {
      const result = await tradeInTime(token)
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
