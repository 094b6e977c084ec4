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

export const startPeriodicTask = (task: PeriodicTask, log: Log, heartbeat: Heartbeat): RunningTask =>
  repeatTask(task, log, heartbeat.watch(task.name, task.pauseMs, task.isSlow ?? false))

export interface RunningTask {
  /** Starts the next round now, or at the end of the round in progress. */
  wake(): void
  /** Waits for the round in progress, whose signal is aborted. */
  stop(): Promise<void>
}

interface RepeatedTask extends Pick<PeriodicTask, 'name' | 'run'> {
  /** A function is called before each pause. */
  readonly pauseMs: number | (() => number)
}

/** Runs a task repeatedly with a pause in between, one round at a time, whatever a round throws. */
export function repeatTask(
  { name, pauseMs, run }: RepeatedTask,
  log: Log,
  onRound: () => void = () => undefined,
): RunningTask {
  const nextPauseMs = typeof pauseMs === 'number' ? () => pauseMs : pauseMs
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let isWoken = false
  let current: Promise<void> = Promise.resolve()

  function round(): void {
    timer = undefined
    isWoken = false
    current = run(stopped.signal)
      .then(onRound)
      .catch((error: unknown) => log.error({ err: error, task: name }, 'a round of a task failed'))
      .then(() => {
        if (stopped.signal.aborted) return
        if (isWoken) round()
        else timer = setTimeout(round, nextPauseMs())
      })
  }

  round()
  return {
    wake() {
      isWoken = true
      if (timer === undefined) return
      clearTimeout(timer)
      round()
    },
    async stop() {
      stopped.abort()
      clearTimeout(timer)
      timer = undefined
      await current
    },
  }
}
