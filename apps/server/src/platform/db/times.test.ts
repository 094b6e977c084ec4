import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import { createDatabase, type Database } from './database.ts'

let db: Database
beforeAll(async () => {
  db = createDatabase((await testDatabase()).url, { maxConnections: 2 })
})
afterAll(() => db.close())

test.each([
  ['2026-11-21 23:05:35.105123+00', '2026-11-21T23:05:35.105Z'],
  ['2026-11-21 23:05:35+00', '2026-11-21T23:05:35.000Z'],
  ['2024-02-29 00:00:00.9+00', '2024-02-29T00:00:00.900Z'],
  ['2026-01-01 01:30:00+02', '2025-12-31T23:30:00.000Z'],
  ['1969-12-31 23:59:59.999+00', '1969-12-31T23:59:59.999Z'],
  ['0099-01-01 00:00:00+00', '0099-01-01T00:00:00.000Z'],
])('the time %s is read as %s', async (written, read) => {
  const { rows } = await sql<{ time: Date }>`select ${written}::text::timestamptz as time`.execute(db.kysely)
  expect(rows[0]?.time.toISOString()).toBe(read)
})

test('a time without end is no date', async () => {
  const { rows } = await sql<{ time: unknown }>`select '-infinity'::timestamptz as time`.execute(db.kysely)
  expect(rows[0]?.time).toBe(Number.NEGATIVE_INFINITY)
})
