import type { LiveUpdate } from '@muripo/contract/live'
import { createListeners } from '../lib/signals.ts'
import { type Clock, throttled } from '../lib/timing.ts'
import type { LiveState } from './connection.ts'

/** A shorter interruption is not shown. */
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

/** The state of the stream, and what has just arrived on it. */
export function createLiveStore(clock: Clock) {
  const updated = createUpdated(clock)
  const updates = createListeners<[update: LiveUpdate]>()
  const changes = createListeners()
  const unannounced = new Set<string>()
  let shown: Shown = { loss: null, announced: 0 }
  let state: LiveState = 'live'
  let callOffLoss: (() => void) | null = null
  let callOffSilence = () => {}

  const show = (change: Partial<Shown>) => {
    shown = { ...shown, ...change }
    changes.notify()
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
    updates.notify(update)
  }

  return {
    updated,
    noteState,
    publish,
    get: (): Shown => shown,
    subscribe: changes.subscribe,
    onUpdate: updates.subscribe,
  }
}

export type LiveStore = ReturnType<typeof createLiveStore>

/** The time for which the badge of an automatic update is shown. */
const SHOWN_MS = 10_000

/** The payments that were updated in the last seconds. */
export function createUpdated(clock: Clock) {
  const badges = new Map<string, () => void>()
  const changes = createListeners()
  const removeBadge = (id: string) => {
    badges.delete(id)
    changes.notify()
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
      changes.notify()
    },
    subscribe: changes.subscribe,
  }
}
