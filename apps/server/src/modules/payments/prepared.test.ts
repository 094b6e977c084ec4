import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import { test } from '../../../test/fixtures.ts'
import { skipOnCitus } from '../../../test/on-citus.ts'
import { createDatabase, indexPlansOnly } from '../../platform/db/database.ts'
import { createPools } from '../../platform/db/pools.ts'
import { simulateTime } from '../../platform/db/simulated-time.ts'
import { makePayment } from './factory.ts'
import type { Payment } from './payment/payment.ts'
import { findPayment } from './payment/store-payment.ts'

test(
  'a statement that a session prepared before there were payments uses their key once they are counted',
  skipOnCitus('the plan is that of a view'),
  async ({ world, shop }) => {
    // There is one session, so that the test inspects the one that ran the statements.
    const db = simulateTime(
      createDatabase(world.ctx.databaseUrl, { maxConnections: 1, planSettings: indexPlansOnly }),
      world.ctx.clock,
    )
    onTestFinished(() => db.close())
    const find = ({ accountId, id }: Payment) => findPayment(db.kysely, accountId, id)
    const plan = async () => {
      const explain = sql<Record<'QUERY PLAN', string>>`explain execute "find-payments" ('[]')`
      return (await explain.execute(db.kysely)).rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    const first = await makePayment(world.ctx, shop.owner)
    // PostgreSQL decides for a generic plan after the fifth execution.
    for (let time = 0; time < 7; time += 1) expect((await find(first))?.id).toBe(first.id)
    expect(await plan()).toContain('Index Scan')
    expect(await plan()).not.toContain('Seq Scan')

    for (let more = 0; more < 200; more += 1) await makePayment(world.ctx, shop.owner)
    await sql`analyze payments`.execute(world.ctx.db.kysely)
    expect((await find(first))?.id).toBe(first.id)
    expect(await plan()).toContain('payments_pkey')
  },
)

test('a session of payments plans a prepared statement once for all values, also while its tables grow', async ({
  world,
  shop,
}) => {
  const pools = createPools(world.ctx.databaseUrl)
  try {
    const { accountId, id } = await makePayment(world.ctx, shop.owner)
    for (let round = 0; round < 3; round += 1) {
      for (let time = 0; time < 7; time += 1) await findPayment(pools.db.kysely, accountId, id)
      for (let more = 0; more < 20; more += 1) await makePayment(world.ctx, shop.owner)
      await sql`analyze payments`.execute(world.ctx.db.kysely)
    }
    const counts = sql<{ generic_plans: bigint; custom_plans: bigint }>`
      select generic_plans, custom_plans from pg_prepared_statements where name = 'find-payments'`
    expect((await counts.execute(pools.db.kysely)).rows).toEqual([{ generic_plans: 21n, custom_plans: 0n }])
  } finally {
    await pools.close()
  }
})
