import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import { createDatabase, type Database } from './database.ts'
import { ClockSkewError, createDatabaseClock, type Timers } from './database-time.ts'

const HOUR = 3_600_000

let db: Database
beforeAll(async () => {
  db = createDatabase((await testDatabase()).url, { maxConnections: 1 })
})
afterAll(() => db.close())

/** A process whose clock differs by so many milliseconds, and may be set. */
const processWith = (offMs: number): Timers & { offMs: number } => {
  const timers = {
    offMs,
    wall: () => Date.now() + timers.offMs,
    monotonic: () => performance.now(),
  }
  return timers
}

function makeLog() {
  const lines: string[] = []
  const keep = (_facts: object, message: string) => void lines.push(message)
  return { lines, log: { error: keep, info: keep } as unknown as Parameters<typeof createDatabaseClock>[1] }
}

test.each([
  ['an hour ahead', HOUR, /3600\.\d s ahead of the database's/],
  ['an hour behind', -HOUR, /3600\.\d s behind the database's/],
  ['ten seconds ahead', 10_000, /10\.\d s ahead of/],
])('[INV-31] a process whose clock is %s does not start', async (_what, offMs, message) => {
  const starting = createDatabaseClock(db.pool, makeLog().log, processWith(offMs))
  await expect(starting).rejects.toThrow(ClockSkewError)
  await expect(starting).rejects.toThrow(message)
})

test('a process whose clock is off by less than two seconds starts, and reads the time of the database', async () => {
  const clock = await createDatabaseClock(db.pool, makeLog().log, processWith(1500))
  expect(clock.error()).toBeNull()
  // A busy machine may pause between the two readings.
  const before = Date.now()
  const read = clock.now().getTime()
  expect(read).toBeGreaterThan(before - 1000)
  expect(read).toBeLessThan(Date.now() + 1000)
})

test('[INV-31] a clock that is set while the process runs changes no time that it reads; it is not ready until the clock is right again', async () => {
  const timers = processWith(0)
  const { log, lines } = makeLog()
  const clock = await createDatabaseClock(db.pool, log, timers)
  timers.offMs = HOUR
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1000)
  await clock.measure()
  expect(clock.error()).toMatch(/ahead of the database's/)
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1000)
  expect(lines).toEqual([expect.stringMatching(/ahead of the database's.*this process is not ready$/)])
  timers.offMs = 0
  await clock.measure()
  expect(clock.error()).toBeNull()
  expect(lines).toHaveLength(2)
})

test('a slow round trip is no skew', async () => {
  let at = 0
  // Each reading of the timer is three seconds after the previous one, and the clock agrees.
  const slow: Timers = {
    monotonic: () => {
      at += 3000
      return at
    },
    wall: () => Date.now() + 1500,
  }
  await expect(createDatabaseClock(db.pool, makeLog().log, slow)).resolves.toBeDefined()
})

test('a database on which a simulated time is set is refused', async () => {
  const simulated = createDatabase((await testDatabase()).url, {
    maxConnections: 1,
    settings: ['muripo.now=2020-01-01T00:00:00Z'],
  })
  try {
    await expect(createDatabaseClock(simulated.pool, makeLog().log)).rejects.toThrow(ClockSkewError)
  } finally {
    await simulated.close()
  }
})
