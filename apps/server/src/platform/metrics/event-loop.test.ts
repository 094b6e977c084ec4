import pino from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type EventLoopWatch, watchEventLoop } from './event-loop.ts'

/** A histogram whose median is an undelayed interval. */
const intervals = { enable: vi.fn(), disable: vi.fn(), reset: vi.fn(), percentile: () => 20e6, max: 20e6 }
const lines: { delayMs: number; level: number }[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })

let watch: EventLoopWatch
beforeEach(() => {
  lines.length = 0
  intervals.max = 20e6
})
afterEach(() => {
  watch.stop()
  vi.useRealTimers()
})

test('a delay of the event loop over 200 ms is logged with its length, once in ten seconds, and read by a metric', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  watch = watchEventLoop(log, intervals)
  vi.advanceTimersByTime(1000)
  expect(watch.read()).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0 })
  intervals.max = 420e6
  vi.advanceTimersByTime(1000)
  expect(lines).toMatchObject([{ delayMs: 400, level: 40 }])
  expect(watch.read()).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 400 })
  intervals.max = 620e6
  vi.advanceTimersByTime(9000)
  expect(lines).toHaveLength(1)
  intervals.max = 20e6
  vi.advanceTimersByTime(1000)
  expect(lines[1]).toMatchObject({ delayMs: 600 })
})

test('a watch that is stopped logs nothing more', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  watch = watchEventLoop(log, intervals)
  intervals.max = 420e6
  watch.stop()
  vi.advanceTimersByTime(10_000)
  expect(lines).toEqual([])
  expect(intervals.disable).toHaveBeenCalled()
})

test('a process that is busy for 400 ms has a delay of that length', async () => {
  watch = watchEventLoop(log)
  await expect
    .poll(() => {
      const until = performance.now() + 400
      while (performance.now() < until);
      return watch.read().maxMs
    })
    .toBeGreaterThanOrEqual(350)
  expect(lines).not.toEqual([])
})
