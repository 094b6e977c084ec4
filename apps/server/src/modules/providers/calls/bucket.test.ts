import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bucket, callClasses, capacityOf, grant, levelAt, roomAt, waitMs } from './bucket.ts'

const MINUTE = 60_000
const nothing = { charge: 0, refund: 0, callback: 0, schedule: 0, watch: 0 }
const full = (limit: number): Bucket => ({ level: capacityOf(limit), filledAt: 0, pausedUntil: 0 })
const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0)
const many = fc.nat(400)
const demand = fc.record({ charge: many, refund: many, callback: many, schedule: many, watch: many })

test('no minute has more calls than the limit, whatever the demand', () => {
  const steps = fc.array(fc.record({ afterMs: fc.nat(20_000), demand }), { maxLength: 60 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), steps, (limit, each) => {
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

test('a class is served only after those before it have what they want', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), demand, (limit, wants) => {
      const { granted } = grant(full(limit), limit, wants, 0)
      const counts = callClasses.map((of) => [wants[of], granted[of]] as const)
      const short = counts.findIndex(([want, got]) => got < want)
      const later = short < 0 ? [] : counts.slice(short + 1)
      expect(later.every(([, got]) => got === 0)).toBe(true)
    }),
  )
})

test('every class has its turn when there is no other demand', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(...callClasses), (limit, of) => {
      const empty = { level: 0, filledAt: 0, pausedUntil: 0 }
      const at = waitMs(empty, limit, of, 0)
      expect(grant(empty, limit, { ...nothing, [of]: 1 }, at).granted[of]).toBe(1)
      expect(at).toBeLessThanOrEqual(70 * 1000)
    }),
  )
})

describe('a provider that allows 500 calls a minute', () => {
  test('fills while nothing is called, up to a tenth of the limit', () => {
    expect(levelAt({ ...full(500), level: 0 }, 500, MINUTE)).toBe(50)
    expect(levelAt({ ...full(500), level: 0 }, 500, 1000)).toBeCloseTo(7.5)
  })

  test('leaves a part of the bucket to charges, to refunds and to the look-ups of callbacks', () => {
    expect(callClasses.map((of) => roomAt(50, of, 500))).toEqual([50, 45, 40, 30, 15])
  })

  test('gets no call during a pause that it has requested', () => {
    const paused = { ...full(500), pausedUntil: 5000 }
    expect(sum(grant(paused, 500, { ...nothing, charge: 3 }, 4999).granted)).toBe(0)
    expect(sum(grant(paused, 500, { ...nothing, charge: 3 }, 5000).granted)).toBe(3)
    expect(waitMs(paused, 500, 'charge', 0)).toBe(5000)
  })
})
