import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Log } from '../log.ts'

/** The delay of the event loop in milliseconds, over the last complete second. */
export interface EventLoopDelay {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export interface EventLoopWatch {
  /** For a metric. */
  read(): EventLoopDelay
  stop(): void
}

/** The intervals between turns of the event loop in nanoseconds. */
type DelayHistogram = Pick<
  ReturnType<typeof monitorEventLoopDelay>,
  'enable' | 'disable' | 'reset' | 'percentile' | 'max'
>

const RESOLUTION_MS = 20
const READ_EVERY_MS = 1000
const DELAY_LOGGED_MS = 200
const LOGGED_EVERY_MS = 10_000

const ms = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, Math.round(nanoseconds / 1e6) - RESOLUTION_MS) : 0

/** Logs delays of the event loop over 200 ms, one line in ten seconds: all calls, callbacks and leases of the process wait as long. */
export function watchEventLoop(
  log: Log,
  histogram: DelayHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS }),
): EventLoopWatch {
  let last: EventLoopDelay = { p50Ms: 0, p99Ms: 0, maxMs: 0 }
  let longestMs = 0
  let silentUntil = 0
  histogram.enable()

  const timer = setInterval(() => {
    last = {
      p50Ms: ms(histogram.percentile(50)),
      p99Ms: ms(histogram.percentile(99)),
      maxMs: ms(histogram.max),
    }
    histogram.reset()
    longestMs = Math.max(longestMs, last.maxMs)
    const now = performance.now()
    if (longestMs <= DELAY_LOGGED_MS || now < silentUntil) return
    log.warn({ delayMs: longestMs }, 'the event loop was delayed')
    longestMs = 0
    silentUntil = now + LOGGED_EVERY_MS
  }, READ_EVERY_MS)
  timer.unref()

  return {
    read: () => last,
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
