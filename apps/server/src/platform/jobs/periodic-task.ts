import type { Log } from '../log.ts'
import type { Heartbeat } from './heartbeat.ts'

/** Background work of a module that every worker runs periodically. It is bounded, and safe to run twice and in several processes. */
export interface PeriodicTask {
  readonly name: string
  /** The pause between two rounds. */
  readonly pauseMs: number
  /** The signal ends a round when the process stops. */
  run(signal: AbortSignal): Promise<void>
  /** True for a task whose rounds may take long: the heartbeat of the process does not depend on it. */
  readonly isSlow?: boolean
  /** True for a task that updates the memory of its own process: it runs in processes without background work too. */
  readonly isLocal?: boolean
}

export const startPeriodicTask = (
  { name, pauseMs, run, isSlow = false }: PeriodicTask,
  log: Log,
  heartbeat: Heartbeat,
): Sweeper => startSweeper(name, pauseMs, run, log, heartbeat.watch(name, pauseMs, isSlow))

export interface Sweeper {
  /** Waits for the round in progress, whose signal is aborted. */
  stop(): Promise<void>
}

/**
 * Calls `sweep` repeatedly with a pause in between, one call at a time, whatever it throws.
 * @param pauseMs a function is called before each pause
 */
export function startSweeper(
  name: string,
  pauseMs: number | (() => number),
  sweep: (signal: AbortSignal) => Promise<void>,
  log: Log,
  onRound: () => void = () => undefined,
): Sweeper {
  const nextPauseMs = typeof pauseMs === 'number' ? () => pauseMs : pauseMs
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> = Promise.resolve()

  function round(): void {
    current = sweep(stopped.signal)
      .then(onRound)
      .catch((error: unknown) => log.error({ err: error, sweeper: name }, 'a sweep failed'))
      .then(() => {
        if (!stopped.signal.aborted) timer = setTimeout(round, nextPauseMs())
      })
  }

  round()
  return {
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      await current
    },
  }
}
