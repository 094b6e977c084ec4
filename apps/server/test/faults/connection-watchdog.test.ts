import { describe, expect, test } from 'vitest'
import { createPayment } from '../../src/modules/payments/actions/create-payment.ts'
import { paymentsCtx } from '../../src/modules/payments/context.ts'
import { createBackgroundTasks } from '../../src/platform/async/background-tasks.ts'
import { createDatabase } from '../../src/platform/db/database.ts'
import { isDatabaseAway } from '../../src/platform/db/failures.ts'
import { simulateTime } from '../../src/platform/db/simulated-time.ts'
import { uuidOf } from '../../src/platform/ids.ts'
import { wiredGateway } from './wired-gateway.ts'

const { world, shop, proxy, wired, wiredUrl, ping, order, madeUnder } = await wiredGateway()

describe('a connection to the database that', () => {
  test('is reset within a transaction leaves its outcome certain, whatever the rollback returns', async () => {
    const cut = wired.db.tx(async (tx) => {
      await tx.selectFrom('payments').select('id').execute()
      proxy.reset()
      await tx.selectFrom('payments').select('id').execute()
    })
    const error: unknown = await cut.catch((caught: unknown) => caught)
    expect(isDatabaseAway(error), String(error)).toBe(true)
    await expect(ping()).resolves.toBeDefined()
  })

  test('swallows everything is dropped after a while, and replaced when the network is back', async () => {
    await ping()
    proxy.set({ swallow: 'both' })
    await expect(wired.db.tx((tx) => tx.selectFrom('payments').select('id').execute())).rejects.toThrow(
      'Connection terminated',
    )
    proxy.set({})
    await expect(ping()).resolves.toBeDefined()
  })

  test('loses a reply is dropped although the database is reachable', async () => {
    await ping()
    const lost = expect(ping()).rejects.toThrow('Connection terminated')
    proxy.set({ swallow: 'down' })
    await expect.poll(() => proxy.swallowed).toBeGreaterThan(0)
    // The watchdog's query finds the session idle: it has answered already.
    proxy.set({})
    await lost
  })

  test('is slow and delivers each byte separately changes nothing', async () => {
    proxy.set({ delayMs: 1, sliceBytes: 7 })
    const db = simulateTime(createDatabase(wiredUrl, { maxConnections: 1 }), world.ctx.clock)
    const slow = paymentsCtx({ ...world.ctx, db }, world.ctx.providers, createBackgroundTasks(world.ctx.log))
    const { json } = await createPayment(slow, shop.owner, order('slow'), { idempotencyKey: 'slow' })
    proxy.set({})
    await db.close()
    expect(await madeUnder('slow')).toEqual([uuidOf(JSON.parse(json).id)])
  })

  test('is silent because a statement takes its time is left alone', async () => {
    await expect(wired.db.pool.query('select pg_sleep(1.2)')).resolves.toBeDefined()
  })
})
