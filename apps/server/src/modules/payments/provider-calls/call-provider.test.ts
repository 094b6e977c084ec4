import { expect, test } from 'vitest'
import { plusMs } from '../../../platform/clock.ts'
import { maySend, startSending } from './call-provider.ts'

/** Whether a process may send a call after its two clocks have moved by these times. */
function mayStillSend({ clockMs = 0, wallClockMs = 0 }): boolean {
  const at = new Date('2026-11-22T10:00:00Z')
  const clocks = (clock: number, wallClock: number) => ({
    clock: { now: () => plusMs(at, clock) },
    wallClock: { now: () => plusMs(at, wallClock) },
    log: { error: () => {} } as never,
  })
  const start = startSending(clocks(0, 0))
  return maySend(clocks(clockMs, wallClockMs), start, { paymentId: 'pay_1' as never })
}

test.each([
  ['just within its lease by both clocks', { clockMs: 59_999, wallClockMs: 59_999 }, true],
  [
    'past its lease by the timer, with a wall clock that was set back',
    { clockMs: 60_000, wallClockMs: -3_600_000 },
    false,
  ],
  ['whose machine was suspended, so that its timer stood still', { clockMs: 5, wallClockMs: 60_000 }, false],
  ['with a wall clock that was set back', { clockMs: 5, wallClockMs: -3_600_000 }, true],
])('a call %s', (_what, elapsed, expected) => {
  expect(mayStillSend(elapsed)).toBe(expected)
})
