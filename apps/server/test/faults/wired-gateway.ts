import { CreatePayment } from '@muripo/contract/payments'
import { startPostgresProxy, throughPort } from '@muripo/testing/postgres-proxy'
import { afterAll } from 'vitest'
import { paymentsCtx } from '../../src/modules/payments/context.ts'
import { createBackgroundTasks } from '../../src/platform/async/background-tasks.ts'
import { createDatabase } from '../../src/platform/db/database.ts'
import { simulateTime } from '../../src/platform/db/simulated-time.ts'
import { makeShop, makeWorld } from '../world.ts'

/** A gateway whose connection to the database the tests cut; it has one session, so that the messages have one order. */
export async function wiredGateway() {
  const world = await makeWorld()
  const shop = await makeShop(world.ctx)
  const proxy = await startPostgresProxy(world.ctx.databaseUrl)
  const wiredUrl = throughPort(world.ctx.databaseUrl, proxy.port)
  const db = simulateTime(createDatabase(wiredUrl, { maxConnections: 1, watchdogMs: 300 }), world.ctx.clock)
  const wired = paymentsCtx({ ...world.ctx, db }, world.ctx.providers, createBackgroundTasks(world.ctx.log))
  afterAll(async () => {
    await wired.db.close()
    await proxy.close()
    await world.ctx.close()
  })

  const ping = () => wired.db.pool.query('select 1')
  const order = (key: string) =>
    CreatePayment.parse({
      amount: 12.5,
      currency: 'USD',
      description: 'Order 1001',
      metadata: { order: key },
    })

  async function madeUnder(key: string): Promise<string[]> {
    const { rows } = await world.ctx.db.pool.query("select id from payments where metadata->>'order' = $1", [
      key,
    ])
    return rows.map(({ id }) => id)
  }

  return { world, shop, proxy, wired, wiredUrl, ping, order, madeUnder }
}
