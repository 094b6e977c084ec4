import * as calls from 'virtual:calls/live'
import { LIVE_BEAT_MS } from '@muripo/contract/constants'
import type { LiveUpdate } from '@muripo/contract/live'
import { createParser } from 'eventsource-parser'
import { addressOf, requestInit } from '../lib/http.ts'
import { anyOf, ended, type Signal, until } from '../lib/signals.ts'
import { type Clock, jittered } from '../lib/timing.ts'
import { REFRESH_IF_ACTIVE_WITHIN_MS } from '../session/inactivity.ts'
import type { Refresh } from '../session/refresh.ts'
import type { StoredTokens } from '../session/store.ts'

/** Paused: no attempt to reconnect until the network or the user returns. A hidden page has no stream and no state. */
export type LiveState = 'live' | 'reconnecting' | 'paused'

export interface ConnectionDeps {
  readonly read: Read
  readonly tokens: () => StoredTokens
  readonly refresh: Refresh
  readonly idleMs: () => number
  readonly isVisible: () => boolean
  readonly visibility: Signal
  readonly isOnline: () => boolean
  readonly online: Signal
  readonly offline: Signal
  /** The user is active again, or another tab has renewed the session. */
  readonly activity: Signal
  readonly clock: Clock
  readonly elapsed: (ms: number) => Signal
  /** A random number from 0 to 1. */
  readonly chance: () => number
}

export interface Connection {
  readonly signal: AbortSignal
  readonly onState: (state: LiveState) => void
  readonly onOpen: (missedMs: number) => void
  readonly onUpdate: (update: LiveUpdate) => void
}

const SHORTEST_REST_MS = 1000
const LONGEST_REST_MS = 30_000
/** A stream that lasted this long resets the reconnect delay. */
const GOOD_MS = 10_000
/** Two missed heartbeats: the connection is lost. */
const WATCHDOG_MS = 2 * LIVE_BEAT_MS + 5000
/** A page that was hidden for this long gives its stream back. */
const HIDDEN_MS = 30_000

interface Progress {
  /** No update was missed until this time. */
  lastMessageAt: number
  /** The number of pauses since the last stream that lasted. */
  rests: number
  /** Whether the last token was refused. */
  refusedLast: boolean
}

/** Keeps the stream open while the page is visible, until it is stopped or the session has ended. */
export async function keepConnected(deps: ConnectionDeps, connection: Connection): Promise<void> {
  const { isOnline, isVisible, tokens, refresh } = deps
  const { signal, onState } = connection
  const stopped = ended(signal)
  const progress: Progress = { lastMessageAt: deps.clock.now(), rests: 0, refusedLast: false }

  while (!signal.aborted) {
    if (!isVisible()) {
      await until(stopped, deps.visibility)
      continue
    }
    if (!isOnline()) {
      onState('paused')
      await until(stopped, deps.online)
      continue
    }
    const { authToken, refreshToken } = tokens()
    if (authToken === null) return
    const ending = await followStream(authToken, deps, connection, progress)
    if (signal.aborted) return
    if (ending === 'lost') {
      if (!isOnline() || !isVisible()) continue
      onState('reconnecting')
      await rest(deps, stopped, progress)
      continue
    }
    // The page's own activity must not keep a session alive: only the user's does.
    while (deps.idleMs() > REFRESH_IF_ACTIVE_WITHIN_MS && !signal.aborted) {
      onState('paused')
      await until(stopped, deps.activity)
    }
    // If the new token is refused as well, a refresh at once would repeat without an end.
    if (progress.refusedLast) await rest(deps, stopped, progress)
    progress.refusedLast = true
    if (signal.aborted || !(await refresh(refreshToken))) return
  }
}

function rest(deps: ConnectionDeps, stopped: Signal, progress: Progress): Promise<void> {
  const longestMs = Math.min(LONGEST_REST_MS, SHORTEST_REST_MS * 2 ** progress.rests)
  progress.rests += 1
  const restMs = jittered(longestMs, deps.chance)
  return until(stopped, deps.online, (listener) => deps.clock.after(restMs, listener))
}

const hiddenForLong =
  ({ isVisible, visibility, clock }: ConnectionDeps): Signal =>
  (listener) => {
    let callOff = () => {}
    const check = () => {
      callOff()
      callOff = isVisible() ? () => {} : clock.after(HIDDEN_MS, listener)
    }
    check()
    const stop = visibility(check)
    return () => {
      callOff()
      stop()
    }
  }

/** Reads one stream from its opening to its end. */
async function followStream(
  authToken: string,
  deps: ConnectionDeps,
  { signal, onState, onOpen, onUpdate }: Connection,
  progress: Progress,
): Promise<Ending> {
  const { clock, read, elapsed, offline } = deps
  const attempt = new AbortController()
  const giveUp = () => attempt.abort()
  const stopListening = anyOf(ended(signal), offline, hiddenForLong(deps))(giveUp)
  let callOff = elapsed(WATCHDOG_MS)(giveUp)
  let openedAt = Number.POSITIVE_INFINITY
  const onData = () => {
    progress.lastMessageAt = clock.now()
    callOff()
    callOff = elapsed(WATCHDOG_MS)(giveUp)
  }
  const ending = await read({
    authToken,
    signal: attempt.signal,
    onOpen() {
      openedAt = clock.now()
      progress.refusedLast = false
      onState('live')
      onOpen(openedAt - progress.lastMessageAt)
      onData()
    },
    onData,
    onUpdate,
  })
  callOff()
  stopListening()
  if (clock.now() - openedAt >= GOOD_MS) progress.rests = 0
  return ending
}

export interface Reading {
  readonly authToken: string
  readonly signal: AbortSignal
  readonly onOpen: () => void
  /** Called at each part of the stream, also at a heartbeat. */
  readonly onData: () => void
  readonly onUpdate: (update: LiveUpdate) => void
}

/** Refused: the token is not valid. Lost: the stream has ended for any other reason, also regularly. */
export type Ending = 'refused' | 'lost'
export type Read = (reading: Reading) => Promise<Ending>

/** Reads the stream to its end, by fetch: an EventSource cannot send the bearer token. */
export const readStream: Read = async ({ authToken, signal, onOpen, onData, onUpdate }) => {
  try {
    const response = await fetch(addressOf(calls.live), {
      ...requestInit('GET', undefined, authToken),
      cache: 'no-store',
      signal,
    })
    if (response.status === 401) return 'refused'
    const reader = response.ok ? response.body?.getReader() : undefined
    if (!reader) return 'lost'
    onOpen()
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === 'payments') onUpdate(JSON.parse(data) as LiveUpdate)
      },
    })
    const text = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'lost'
      onData()
      parser.feed(text.decode(value, { stream: true }))
    }
  } catch {
    return 'lost'
  }
}
