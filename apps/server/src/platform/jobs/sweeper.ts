import type { Log } from '../log.ts'

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
