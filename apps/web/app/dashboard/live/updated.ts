import type { Clock } from '../../lib/session/clock.ts'

/** What changed by itself is marked for so long, and then fades. */
const MARKED_MS = 10_000
const FADING_MS = 400

export type MarkStage = 'fresh' | 'fading'

/** The payments that changed by themselves a moment ago. */
export function createUpdated(clock: Clock) {
  const marks = new Map<string, { readonly stage: MarkStage; readonly callOff: () => void }>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const forget = (id: string) => {
    marks.delete(id)
    changed()
  }
  const fade = (id: string) => {
    marks.set(id, { stage: 'fading', callOff: clock.after(FADING_MS, () => forget(id)) })
    changed()
  }

  return {
    stage: (paymentId: string): MarkStage | null => marks.get(paymentId)?.stage ?? null,
    mark(paymentIds: readonly string[]) {
      for (const id of paymentIds) {
        marks.get(id)?.callOff()
        marks.set(id, { stage: 'fresh', callOff: clock.after(MARKED_MS, () => fade(id)) })
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
