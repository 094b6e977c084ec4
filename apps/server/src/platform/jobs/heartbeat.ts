import type { Clock } from '../clock.ts'

/** The delay after which a part of the worker counts as stuck. */
const GRACE_MS = 10_000

type State = 'operational' | 'degraded' | 'down'

/** The state of the background work of this process, or of other processes. */
export interface WorkerHealth {
  state(): State | Promise<State>
}

/** Whether the background work of this process continues: each part reports each of its rounds. */
export interface Heartbeat {
  /** Registers a part whose rounds begin at most so far apart, and returns the function that it calls after each. */
  watch(everyMs: number): () => void
  state(): State
}

export function createHeartbeat(clock: Clock): Heartbeat {
  const parts: { everyMs: number; lastAt: number }[] = []
  const now = () => clock.now().getTime()

  return {
    watch(everyMs) {
      const part = { everyMs, lastAt: now() }
      parts.push(part)
      return () => {
        part.lastAt = now()
      }
    },
    state() {
      const late = parts.filter(({ everyMs, lastAt }) => now() - lastAt > everyMs + GRACE_MS)
      if (late.length === 0) return parts.length > 0 ? 'operational' : 'down'
      return late.length < parts.length ? 'degraded' : 'down'
    },
  }
}
