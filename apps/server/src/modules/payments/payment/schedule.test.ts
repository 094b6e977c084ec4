import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plusMs } from '../../../platform/clock.ts'
import { type Ids, systemIds } from '../../../platform/ids.ts'
import { GIVE_UP_AFTER_MS, nextCheckAt } from './schedule.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const since = new Date('2026-11-20T09:00:00.000Z')
const withJitter = (factor: number): Ids => ({ ...systemIds, jitter: () => factor })

/** The age of the next look-up for a charge of this age, or null. */
function nextAge(age: number, factor = 1, minPollMs = 3000): number | null {
  const next = nextCheckAt(since, plusMs(since, age), minPollMs, withJitter(factor))
  return next && next.getTime() - since.getTime()
}

function allAges(jitter: () => number): number[] {
  const ages: number[] = []
  for (let age = nextAge(0, jitter()); age !== null; age = nextAge(age, jitter())) ages.push(age)
  return ages
}

test('a charge that is a day old is no longer looked up on schedule', () => {
  expect(nextAge(GIVE_UP_AFTER_MS)).toBeNull()
  expect(nextAge(GIVE_UP_AFTER_MS - 1)).not.toBeNull()
})

test('with any jitter, its last look-up is when it is a day old', () => {
  for (const factor of [0.9, 0.95, 1, 1.05, 1.1]) {
    expect(allAges(() => factor).at(-1)).toBe(GIVE_UP_AFTER_MS)
    // After a look-up of the 24th hour that came early.
    expect(nextAge(GIVE_UP_AFTER_MS - 6 * MINUTE, factor)).toBe(GIVE_UP_AFTER_MS)
  }
})

test('the look-ups have the agreed ages', () => {
  const ages = allAges(() => 1)
  const [seconds, minutes, hours] = [1000, MINUTE, HOUR].map((unit) => ages.map((age) => age / unit))
  expect(seconds?.slice(0, 16)).toEqual([3, 6, 10, 15, 20, 30, 45, 60, 90, 120, 150, 180, 210, 240, 270, 300])
  expect(minutes?.slice(16, 27)).toEqual([10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60])
  expect(hours?.slice(27)).toEqual(Array.from({ length: 23 }, (_, index) => index + 2))
})

test('with any jitter, a day has the agreed number of look-ups, evenly distributed', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.9, max: 1.1, noNaN: true }), { minLength: 80 }), (factors) => {
      let index = 0
      const ages = allAges(() => factors[index++ % factors.length] ?? 1)
      expect(ages.length).toBeGreaterThanOrEqual(47)
      expect(ages.length).toBeLessThanOrEqual(51)
    }),
  )
})

test('a look-up is never sooner than the provider allows, and at most a tenth off its agreed pause', () => {
  const age = fc.oneof(fc.integer({ min: 0, max: 10 * MINUTE }), fc.integer({ min: 0, max: 24 * HOUR - 1 }))
  fc.assert(
    fc.property(
      age,
      fc.double({ min: 0.9, max: 1.1, noNaN: true }),
      fc.constantFrom(1000, 3000, 30_000),
      (at, factor, floor) => {
        const next = nextAge(at, factor, floor)
        expect(next).not.toBeNull()
        const waitMs = (next ?? 0) - at
        // A look-up up to a tenth too early was the look-up of its age, and the next interval is the one after it.
        const longest = at < 5 * MINUTE - 3000 ? 30_000 : at < HOUR - 30_000 ? 5 * MINUTE : HOUR
        expect(waitMs).toBeGreaterThanOrEqual(floor)
        expect(waitMs).toBeLessThanOrEqual(Math.max(floor, longest * 1.2 + 1))
      },
    ),
  )
})
