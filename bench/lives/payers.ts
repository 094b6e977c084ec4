import { nextMessage, startProcess } from '../lib/child-process.ts'

export interface Lives {
  readonly ports: readonly number[]
  /** The application keys, used in turn. */
  readonly keys: readonly string[]
  readonly connections: number
  readonly seconds: number
}

export interface LivesResult {
  /** All lives that were paid, including those after the end. */
  readonly lived: number
  /** The rate of the lives that were paid before the end. */
  readonly perSecond: number
  /** Milliseconds from the first request to the last answer of a life. */
  readonly p50: number
  readonly p99: number
}

/** @throws when anything but success was answered: a run with errors has no figure */
export function startPayers(): {
  readonly pid: number
  run(lives: Lives): Promise<LivesResult>
  stop(): void
} {
  const child = startProcess(new URL('./payers-process.ts', import.meta.url))
  return {
    pid: child.pid ?? 0,
    run(lives) {
      child.send(lives)
      return nextMessage<LivesResult>(child, 'the payers')
    },
    stop: () => child.disconnect(),
  }
}
