import type { LiveUpdate } from '@muripo/contract/live'
import { anyOf, ended, type Signal, until } from '../lib/signals.ts'
import type { Clock } from '../lib/timing.ts'
import type { LiveState } from './connection.ts'

/** Events of the leader tab for the other tabs and itself. */
export type LiveEvent =
  | { readonly kind: 'state'; readonly state: LiveState; readonly lastMessageAt: number }
  | { readonly kind: 'update'; readonly update: LiveUpdate }

type Message = LiveEvent | { readonly kind: 'newcomer' }

export interface Leadership {
  readonly signal: AbortSignal
  /** No update was missed until this time. */
  readonly since: number
  readonly post: (event: LiveEvent) => void
}

interface TabDeps {
  /** The same name for all tabs of one merchant, which share a stream. */
  readonly name: string
  /** Null without a secure context: each visible tab then has a stream of its own. */
  readonly locks: LockManager | null
  readonly clock: Clock
  readonly elapsed: (ms: number) => Signal
  readonly isVisible: () => boolean
  readonly visibility: Signal
  readonly onMessage: (event: LiveEvent) => void
  /** Reads the stream for all tabs until the leadership ends. */
  readonly listen: (leadership: Leadership) => Promise<void>
}

/** A tab that was hidden for this long gives the leadership up. When all tabs are hidden, none has it. */
const LET_GO_MS = 5 * 60_000
const LET_GO_ALONE_MS = 30_000
/** The user may have signed out in the leader tab, and its storage reaches the other tabs a moment later. */
const STORAGE_TRAVEL_MS = 300

/** Makes this tab share a stream with the others; returns a function that leaves. */
export function electLeaderTab(deps: TabDeps): () => void {
  const leaving = new AbortController()
  const left = ended(leaving.signal)
  const stream = createSharedStream(deps)

  async function run(): Promise<void> {
    while (!leaving.signal.aborted) {
      if (!deps.isVisible()) await until(left, deps.visibility)
      if (!deps.isVisible()) continue
      const leadership = new AbortController()
      const stop = anyOf(left, hiddenForLong(deps))(() => leadership.abort())
      // An aborted wait for the lock rejects.
      await lead(deps, stream, leadership.signal).catch(() => undefined)
      stop()
      // The leadership ended because the session ended.
      if (!leadership.signal.aborted) return
      stream.noteNothingMissed()
    }
  }

  void run()
  return () => {
    leaving.abort()
    stream.close()
  }
}

/** Waits for the leadership, and reads the stream for as long as this tab has it. */
async function lead(
  { name, locks, elapsed }: TabDeps,
  { listen, noteNothingMissed }: SharedStream,
  signal: AbortSignal,
): Promise<void> {
  if (!locks) return listen(signal)
  const wasFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await listen(signal)
    return lock !== null
  })
  if (wasFree) return
  await locks.request(name, { signal }, async () => {
    noteNothingMissed()
    await until(ended(signal), elapsed(STORAGE_TRAVEL_MS))
    await listen(signal)
  })
}

/** Signals that the tab was hidden for long. */
const hiddenForLong =
  ({ locks, clock, isVisible, visibility }: TabDeps): Signal =>
  (listener) => {
    const letGoMs = locks ? LET_GO_MS : LET_GO_ALONE_MS
    let callOff = () => {}
    const check = () => {
      callOff()
      if (!isVisible()) callOff = clock.after(letGoMs, listener)
    }
    check()
    const stop = visibility(check)
    return () => {
      callOff()
      stop()
    }
  }

/** The events of the stream in this tab: those of its own reader, and those that the leader tab posts. */
function createSharedStream({ name, locks, clock, onMessage, listen }: TabDeps) {
  const channel = locks ? new BroadcastChannel(name) : null
  let known: Extract<LiveEvent, { kind: 'state' }> | null = null
  let since = clock.now()
  let isListening = false

  const take = (event: LiveEvent) => {
    if (event.kind === 'state') known = event
    onMessage(event)
  }
  const post = (event: LiveEvent) => {
    take(event)
    channel?.postMessage(event satisfies Message)
  }
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.kind !== 'newcomer') take(data)
      else if (isListening && known) channel.postMessage(known satisfies Message)
    }
    channel.postMessage({ kind: 'newcomer' } satisfies Message)
  }
  return {
    /** No update was missed while a leader was listening. */
    noteNothingMissed() {
      if (known) since = known.state === 'live' ? clock.now() : known.lastMessageAt
    },
    async listen(signal: AbortSignal): Promise<void> {
      if (signal.aborted) return
      isListening = true
      await listen({ signal, since, post })
      isListening = false
    },
    close: () => channel?.close(),
  }
}

type SharedStream = ReturnType<typeof createSharedStream>
