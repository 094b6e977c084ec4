import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Bucket,
  type CallCounts,
  callClasses,
  capacityOf,
  filled,
  grant,
  roomIn,
  waitMs,
} from './bucket.ts'

const MINUTE = 60_000
const nothing = { charge: 0, confirmation: 0, schedule: 0, watch: 0 }
const full = (limit: number): Bucket => ({ ...capacityOf(limit), filledAt: 0, pausedUntil: 0 })
const empty: Bucket = { charges: 0, others: 0, filledAt: 0, pausedUntil: 0 }
const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0)
const many = fc.nat(400)
const demand = fc.record({ charge: many, confirmation: many, schedule: many, watch: many })
const limits = fc.integer({ min: 1, max: 3000 })

/** The calls of each class in a minute in which each second brings the same demand. */
function inMinute(limit: number, wants: CallCounts, stepMs = 100): CallCounts {
  let bucket = empty
  const made = { ...nothing }
  for (let now = stepMs; now <= MINUTE; now += stepMs) {
    const result = grant(bucket, limit, wants, now)
    bucket = result.bucket
    for (const of of callClasses) made[of] += result.granted[of]
  }
  return made
}

test('no minute has more calls than the limit, whatever the demand', () => {
  const steps = fc.array(fc.record({ afterMs: fc.nat(20_000), demand }), { maxLength: 60 })
  fc.assert(
    fc.property(limits, steps, (limit, each) => {
      let bucket = full(limit)
      let now = 0
      const made: { at: number; count: number }[] = []
      for (const step of each) {
        now += step.afterMs
        const result = grant(bucket, limit, step.demand, now)
        bucket = result.bucket
        made.push({ at: now, count: sum(result.granted) })
        const within = made.filter(({ at }) => at > now - MINUTE).reduce((all, { count }) => all + count, 0)
        expect(within).toBeLessThanOrEqual(limit)
      }
    }),
  )
})

test('charges and confirmations each have their share of the calls, whatever the demand of the others', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 3000 }), fc.nat(400), (limit, other) => {
      const wants = { charge: 400, confirmation: 400, schedule: other, watch: other }
      const made = inMinute(limit, wants)
      // A bucket that starts empty holds back less than one call of each part.
      const flow = limit - sum(capacityOf(limit))
      expect(made.charge).toBeGreaterThanOrEqual(Math.floor(flow * 0.4) - 1)
      expect(made.confirmation).toBeGreaterThanOrEqual(Math.floor(flow * 0.6) - 1)
    }),
    { numRuns: 30 },
  )
})

test('a share that is not used goes to the calls that need it', () => {
  const alone = (of: Partial<CallCounts>) => inMinute(500, { ...nothing, ...of })
  expect(alone({ charge: 400 }).charge).toBeGreaterThan(400)
  expect(alone({ confirmation: 400 }).confirmation).toBeGreaterThan(420)
  // 432 calls of the minute, less the parts that stay filled for the confirmations.
  expect(alone({ schedule: 400 }).schedule).toBeGreaterThan(400)
})

test('look-ups on schedule leave room for a confirmation at any time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 3000 }), demand, fc.nat(100_000), (limit, wants, now) => {
      const { bucket } = grant(full(limit), limit, { ...wants, confirmation: 0 }, now)
      expect(roomIn(bucket, 'confirmation', limit)).toBeGreaterThan(0)
    }),
  )
})

test('a limit too small for two parts serves confirmations first', () => {
  const { granted } = grant(full(5), 5, { charge: 3, confirmation: 1, schedule: 3, watch: 3 }, 0)
  expect(granted).toEqual({ ...nothing, confirmation: 1 })
})

test('every class has its turn when there is no other demand', () => {
  fc.assert(
    fc.property(limits, fc.constantFrom(...callClasses), (limit, of) => {
      const at = waitMs(empty, limit, of, 0)
      expect(grant(empty, limit, { ...nothing, [of]: 1 }, at).granted[of]).toBe(1)
      expect(at).toBeLessThanOrEqual(70 * 1000)
    }),
  )
})

test('a bucket that was filled in the future fills from now on', () => {
  fc.assert(
    fc.property(limits, fc.constantFrom(...callClasses), fc.nat(10 * MINUTE), (limit, of, aheadMs) => {
      const ahead = { ...empty, filledAt: aheadMs }
      const { bucket } = grant(ahead, limit, nothing, 0)
      expect(grant(bucket, limit, { ...nothing, [of]: 1 }, waitMs(bucket, limit, of, 0)).granted[of]).toBe(1)
    }),
  )
})

describe('a provider that allows 500 calls a minute', () => {
  test('fills while nothing is called, up to a tenth of the limit', () => {
    expect(filled(empty, 500, MINUTE)).toMatchObject({ charges: 20, others: 30 })
    expect(sum(capacityOf(500))).toBe(50)
    const second = filled(empty, 500, 1000)
    expect([second.charges, second.others]).toEqual([expect.closeTo(3), expect.closeTo(4.5)])
  })

  test('leaves a part of the bucket to charges, and of the other part to confirmations', () => {
    expect(callClasses.map((of) => roomIn(full(500), of, 500))).toEqual([20, 30, 18, 9])
  })

  test('gets no call during a pause that it has requested', () => {
    const paused = { ...full(500), pausedUntil: 5000 }
    expect(sum(grant(paused, 500, { ...nothing, charge: 3 }, 4999).granted)).toBe(0)
    expect(sum(grant(paused, 500, { ...nothing, charge: 3 }, 5000).granted)).toBe(3)
    expect(waitMs(paused, 500, 'charge', 0)).toBe(5000)
  })
})
