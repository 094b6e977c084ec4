import { setTimeout } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { type EventLoopWatch, watchEventLoop } from './event-loop.ts'

let watch: EventLoopWatch | undefined
afterEach(() => watch?.stop())

function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a delay of the event loop over 200 ms is logged with its length, once in ten seconds, and read by a metric', async () => {
  const lines: { delayMs: number; level: number }[] = []
  watch = watchEventLoop(pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) }))
  await setTimeout(100)
  block(400)
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 5000 })
  expect(lines[0]?.delayMs).toBeGreaterThanOrEqual(350)
  expect(lines[0]?.level).toBe(40)
  expect(watch.read().maxMs).toBeGreaterThanOrEqual(350)
  expect(watch.read().p50Ms).toBeLessThan(350)
  block(400)
  await setTimeout(1500)
  expect(lines).toHaveLength(1)
})

test('a watch that is stopped logs nothing more', async () => {
  const write = vi.fn()
  watch = watchEventLoop(pino({ level: 'warn' }, { write }))
  watch.stop()
  block(300)
  await setTimeout(1200)
  expect(write).not.toHaveBeenCalled()
})
