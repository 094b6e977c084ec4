import { PaymentId } from '@muripo/contract/ids'
import { expect, test } from 'vitest'
import { createIds, systemIds, timeOf } from './ids.ts'

test('each id is later in order than every one before it, also within one millisecond, and contains its time', () => {
  const before = Date.now()
  const ids = Array.from({ length: 50_000 }, () => systemIds.next(PaymentId))
  expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] as string))).toBe(true)
  expect(timeOf(ids[0] as PaymentId).getTime()).toBeGreaterThanOrEqual(before)
  expect(timeOf(ids.at(-1) as PaymentId).getTime()).toBeLessThanOrEqual(Date.now())
})

test('no two ids share their random part', () => {
  // The last 38 bits are random; two of 5,000 ids have the same in one of 22,000 runs.
  const tails = Array.from({ length: 5000 }, () => systemIds.next(PaymentId).slice(-7))
  expect(new Set(tails).size).toBeGreaterThan(4990)
})

test('[INV-31] after a clock was set back by an hour an id contains the present time, and no id is issued twice', () => {
  let now = Date.parse('2026-11-22T10:00:00Z')
  const ids = createIds({ now: () => new Date(now) })
  const made = Array.from({ length: 100 }, () => ids.next(PaymentId))
  now -= 3_600_000
  const again = Array.from({ length: 100 }, () => ids.next(PaymentId))
  expect(timeOf(again[0] as PaymentId).getTime()).toBe(now)
  now += 3_600_000
  made.push(...again, ...Array.from({ length: 100 }, () => ids.next(PaymentId)))
  expect(new Set(made).size).toBe(300)
})

test('while a clock is adjusted in small steps ids continue to rise', () => {
  let now = Date.parse('2026-11-22T10:00:00Z')
  const ids = createIds({ now: () => new Date(now) })
  const made = Array.from({ length: 100 }, () => {
    now -= 5
    return ids.next(PaymentId)
  })
  expect(made).toEqual([...made].sort())
})
