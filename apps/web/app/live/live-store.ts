import type { LiveUpdate } from '@muripo/contract/live'
import { type Clock, throttled } from '../lib/timing.ts'
import type { LiveState } from './connection.ts'
import type { LiveEvent } from './leader-tab.ts'

/** A shorter loss is not shown. */
const IGNORED_LOSS_MS = 2000
const ANNOUNCE_EVERY_MS = 10_000
const ANNOUNCED_MS = 5000

interface Shown {
  /** The reason why no updates arrive; null while the stream is connected. */
  readonly loss: Exclude<LiveState, 'live'> | null
  /** The number of updated payments that screen readers announce; zero for no announcement. */
  readonly announced: number
}

const lossOf = (state: LiveState): Shown['loss'] => (state === 'live' ? null : state)

/** The state of the stream in this tab, whichever tab reads it. */
export function createLiveStore(clock: Clock) {
  const updated = createUpdated(clock)
  const readers = new Set<(update: LiveUpdate) => void>()
  const listeners = new Set<() => void>()
  const unannounced = new Set<string>()
  let shown: Shown = { loss: null, announced: 0 }
  let state: LiveState = 'live'
  let callOffLoss: (() => void) | null = null
  let callOffSilence = () => {}

  const show = (change: Partial<Shown>) => {
    shown = { ...shown, ...change }
    for (const listener of listeners) listener()
  }

  const announce = throttled(() => {
    if (unannounced.size === 0) return
    show({ announced: unannounced.size })
    unannounced.clear()
    // A repeated announcement with the same text would not be read out.
    callOffSilence()
    callOffSilence = clock.after(ANNOUNCED_MS, () => show({ announced: 0 }))
  }, ANNOUNCE_EVERY_MS)

  function noteState(now: LiveState): void {
    state = now
    if (now === 'live') {
      callOffLoss?.()
      callOffLoss = null
    }
    if (now === 'live' || shown.loss !== null) show({ loss: lossOf(now) })
    else callOffLoss ??= clock.after(IGNORED_LOSS_MS, () => show({ loss: lossOf(state) }))
  }

  function publish(update: LiveUpdate): void {
    const ids = update.payments.map(({ paymentId }) => paymentId)
    updated.add(ids)
    for (const id of ids) unannounced.add(id)
    announce()
    for (const reader of readers) reader(update)
  }

  return {
    updated,
    onMessage(event: LiveEvent) {
      if (event.kind === 'state') noteState(event.state)
      else publish(event.update)
    },
    get: (): Shown => shown,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    /** Calls the reader with each update from now on; returns a function that stops. */
    onUpdate(reader: (update: LiveUpdate) => void) {
      readers.add(reader)
      return () => {
        readers.delete(reader)
      }
    },
  }
}

export type LiveStore = ReturnType<typeof createLiveStore>

/** The mark of an automatic update shows for this long. */
const SHOWN_MS = 10_000

/** The payments that were updated a moment ago. */
export function createUpdated(clock: Clock) {
  const badges = new Map<string, () => void>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const removeBadge = (id: string) => {
    badges.delete(id)
    changed()
  }

  return {
    has: (paymentId: string): boolean => badges.has(paymentId),
    add(paymentIds: readonly string[]) {
      for (const id of paymentIds) {
        badges.get(id)?.()
        badges.set(
          id,
          clock.after(SHOWN_MS, () => removeBadge(id)),
        )
      }
      changed()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
