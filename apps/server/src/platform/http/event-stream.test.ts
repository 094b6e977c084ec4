import { afterEach, expect, test } from 'vitest'
import { EventStream } from './event-stream.ts'

const opened: EventStream[] = []
afterEach(() => {
  for (const stream of opened.splice(0)) stream.destroy()
})

function open(): EventStream {
  const stream = new EventStream(1000)
  opened.push(stream)
  return stream
}
/** Reads chunk by chunk, as a socket does. */
function readAll(stream: EventStream): void {
  while (stream.read() !== null);
}
const kilobytes = (count: number) => JSON.stringify('x'.repeat(count * 1024))

test('a client that leaves 256 KB unread is disconnected, and one that reads is not', () => {
  const [reads, leaves] = [open(), open()]
  for (let count = 0; count < 3; count += 1) {
    reads.event('payments', kilobytes(100))
    readAll(reads)
    leaves.event('payments', kilobytes(100))
  }
  expect(reads.destroyed).toBe(false)
  expect(leaves.destroyed).toBe(true)
})

test('the unread data of all slow clients together is bounded, and a client that reads is not affected', () => {
  const fast = open()
  const slow = Array.from({ length: 200 }, () => open())
  for (const stream of slow) stream.event('payments', kilobytes(200))
  fast.event('payments', kilobytes(10))
  const unread = slow.reduce((sum, stream) => sum + (stream.destroyed ? 0 : stream.readableLength), 0)
  expect(unread).toBeGreaterThan(15 * 1024 * 1024)
  expect(unread).toBeLessThanOrEqual(16 * 1024 * 1024)
  expect(fast.destroyed).toBe(false)
  for (const stream of slow) readAll(stream)
  const next = open()
  next.event('payments', kilobytes(200))
  expect(next.destroyed).toBe(false)
})
