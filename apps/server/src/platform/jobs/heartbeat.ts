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
  /**
   * Registers a part whose rounds begin at most so far apart, and returns the function that it calls after each.
   * @param isSlow the rounds may take long, so that the state does not depend on them
   */
  watch(name: string, everyMs: number, isSlow?: boolean): () => void
  /** The time by which a round of each part is overdue. */
  lags(): readonly { readonly name: string; readonly lagMs: number }[]
  state(): State
}

export function createHeartbeat(clock: Clock): Heartbeat {
  const parts: { name: string; everyMs: number; isSlow: boolean; lastAt: number }[] = []
  const now = () => clock.now().getTime()

  return {
    watch(name, everyMs, isSlow = false) {
      const part = { name, everyMs, isSlow, lastAt: now() }
      parts.push(part)
      return () => {
        part.lastAt = now()
      }
    },
    lags() {
      // A task over several databases has several parts.
      const lags = new Map<string, number>()
      for (const { name, everyMs, lastAt } of parts)
        lags.set(name, Math.max(lags.get(name) ?? 0, now() - lastAt - everyMs))
      return [...lags].map(([name, lagMs]) => ({ name, lagMs }))
    },
    state() {
      const steady = parts.filter(({ isSlow }) => !isSlow)
      const late = steady.filter(({ everyMs, lastAt }) => now() - lastAt > everyMs + GRACE_MS)
      if (late.length === 0) return steady.length > 0 ? 'operational' : 'down'
      return late.length < steady.length ? 'degraded' : 'down'
    },
  }
}
