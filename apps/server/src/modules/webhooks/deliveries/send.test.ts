import { expect, test } from 'vitest'
import { systemIds } from '../../../platform/ids.ts'
import { nextAttemptAt, pausesMs, retryAfterMs } from './send.ts'

const now = new Date('2026-11-20T09:30:00.000Z')
const exactly = { ...systemIds, jitter: () => 1 }

test('ten attempts: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  const pauses = Array.from({ length: 10 }, (_, index) => nextAttemptAt(index + 1, now, exactly))
  expect(pauses.map((at) => at && (at.getTime() - now.getTime()) / 1000)).toEqual([
    5,
    300,
    1800,
    7200,
    18_000,
    36_000,
    50_400,
    72_000,
    86_400,
    null,
  ])
})

test('endpoints are not called at the same moments: each pause is up to a fifth shorter or longer', () => {
  const spread = Array.from(
    { length: 200 },
    () => (nextAttemptAt(2, now, systemIds)?.getTime() ?? 0) - now.getTime(),
  )
  expect(Math.min(...spread)).toBeGreaterThanOrEqual(240_000)
  expect(Math.max(...spread)).toBeLessThanOrEqual(360_000)
  expect(new Set(spread).size).toBeGreaterThan(100)
})

test('an endpoint may request a longer pause, up to a day, and not a shorter one', () => {
  expect(nextAttemptAt(1, now, exactly, 60_000)?.getTime()).toBe(now.getTime() + 60_000)
  expect(nextAttemptAt(2, now, exactly, 60_000)?.getTime()).toBe(now.getTime() + pausesMs[1])
  expect(nextAttemptAt(1, now, exactly, 1e12)?.getTime()).toBe(now.getTime() + 86_400_000)
})

test.each([
  ['120', 120_000],
  ['0', 0],
  [undefined, 0],
  ['', 0],
  ['-5', 0],
  ['1.5', 0],
  ['99999999', 0],
  ['Fri, 20 Nov 2026 09:30:00 GMT', 0],
])('Retry-After %s', (header, ms) => expect(retryAfterMs(header)).toBe(ms))
