import { LIVE_BEAT_MS } from '@muripo/contract/constants'
import type { LiveUpdate, live } from '@muripo/contract/live'
import { createParser } from 'eventsource-parser'
import { addressOf, requestInit } from '../lib/http.ts'
import { anyOf, ended, type Signal, until } from '../lib/signals.ts'
import { type Clock, jittered } from '../lib/timing.ts'
import { REFRESH_IF_ACTIVE_WITHIN_MS } from '../session/inactivity.ts'
import type { Refresh } from '../session/refresh.ts'
import type { StoredTokens } from '../session/store.ts'

/** Paused: no reconnect until the network or the user is back. */
export type LiveState = 'live' | 'reconnecting' | 'paused'

export interface ConnectionDeps {
  readonly read: Read
  readonly tokens: () => StoredTokens
  readonly refresh: Refresh
  readonly idleMs: () => number
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
  /** No update was missed until this time. */
  readonly since: number
  /** Called with each state, and the time until which no update was missed. */
  readonly onState: (state: LiveState, lastMessageAt: number) => void
  readonly onOpen: (missedMs: number) => void
  readonly onUpdate: (update: LiveUpdate) => void
}

const SHORTEST_REST_MS = 1000
const LONGEST_REST_MS = 30_000
/** A stream that lasted this long resets the reconnect delay. */
const GOOD_MS = 10_000
/** Two missed heartbeats: the connection is lost. */
const SILENCE_MS = 2 * LIVE_BEAT_MS + 5000

/** Keeps the stream open until it is stopped, or the session has ended. */
export async function keepConnected(deps: ConnectionDeps, connection: Connection): Promise<void> {
  const { clock, tokens, refresh } = deps
  const { signal, onState } = connection
  const stopped = ended(signal)
  let lastMessageAt = connection.since
  let rests = 0
  let refusedLast = false

  const rest = () => {
    const longestMs = Math.min(LONGEST_REST_MS, SHORTEST_REST_MS * 2 ** rests)
    rests += 1
    const restMs = jittered(longestMs, deps.chance)
    return until(stopped, deps.online, (listener) => clock.after(restMs, listener))
  }

  /** Reads one stream from its opening to its end. */
  async function follow(authToken: string): Promise<'refused' | 'lost'> {
    const attempt = new AbortController()
    const giveUp = () => attempt.abort()
    const stopListening = anyOf(stopped, deps.offline)(giveUp)
    let callOff = deps.elapsed(SILENCE_MS)(giveUp)
    let openedAt = Number.POSITIVE_INFINITY
    const onData = () => {
      lastMessageAt = clock.now()
      callOff()
      callOff = deps.elapsed(SILENCE_MS)(giveUp)
    }
    const onOpen = () => {
      openedAt = clock.now()
      refusedLast = false
      onState('live', openedAt)
      connection.onOpen(openedAt - lastMessageAt)
      onData()
    }
    const ending = await deps.read({
      authToken,
      signal: attempt.signal,
      onOpen,
      onData,
      onUpdate: connection.onUpdate,
    })
    callOff()
    stopListening()
    if (clock.now() - openedAt >= GOOD_MS) rests = 0
    return ending
  }

  while (!signal.aborted) {
    if (!deps.isOnline()) {
      onState('paused', lastMessageAt)
      await until(stopped, deps.online)
      continue
    }
    const { authToken, refreshToken } = tokens()
    if (authToken === null) return
    const ending = await follow(authToken)
    if (signal.aborted) return
    if (ending === 'lost') {
      if (!deps.isOnline()) continue
      onState('reconnecting', lastMessageAt)
      await rest()
      continue
    }
    // The page's own activity must not keep a session alive: only the user's does.
    while (deps.idleMs() > REFRESH_IF_ACTIVE_WITHIN_MS && !signal.aborted) {
      onState('paused', lastMessageAt)
      await until(stopped, deps.activity)
    }
    // A new token that is refused: a request for another one at once would never end.
    if (refusedLast) await rest()
    refusedLast = true
    if (signal.aborted || !(await refresh(refreshToken))) return
  }
}

export interface Reading {
  readonly authToken: string
  readonly signal: AbortSignal
  readonly onOpen: () => void
  /** Anything at all has come: the stream lives. */
  readonly onData: () => void
  readonly onUpdate: (update: LiveUpdate) => void
}

/** Refused: the token is not good, or no longer. Lost: everything else that ends a stream, an end in good order included. */
export type Ending = 'refused' | 'lost'
export type Read = (reading: Reading) => Promise<Ending>

const path: (typeof live)['path'] = '/live'

/** Reads the stream to its end. By fetch and not by EventSource, which cannot send the bearer. */
export const readStream: Read = async ({ authToken, signal, onOpen, onData, onUpdate }) => {
  try {
    const response = await fetch(addressOf(path), {
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
