import type { Log } from '../log.ts'
import type { Heartbeat } from './heartbeat.ts'
import { type Sweeper, startSweeper } from './sweeper.ts'

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
