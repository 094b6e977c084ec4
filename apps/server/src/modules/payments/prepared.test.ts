import { MerchantId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import { byKeys, createDatabase, type Database } from '../../platform/db/database.ts'
import { systemIds } from '../../platform/ids.ts'
import { findPayment } from './store.ts'

let db: Database
beforeAll(async () => {
  db = createDatabase((await testDatabase()).url, { maxConnections: 1, planner: byKeys })
})
afterAll(() => db.close())

test('what a session has prepared before there were payments finds one among many by its key', async () => {
  const asked = () => findPayment(db.kysely, systemIds.next(MerchantId), systemIds.next(PaymentId))
  // PostgreSQL decides for one plan for all values after the fifth time.
  for (let time = 0; time < 7; time += 1) expect(await asked()).toBeNull()
  const { rows } = await sql<Record<'QUERY PLAN', string>>`explain execute "find-payments" ('[]')`.execute(
    db.kysely,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toMatch(/Index.* Scan using payments_(pkey|by_amount) on payments/)
  expect(plan).not.toContain('Seq Scan')
})
