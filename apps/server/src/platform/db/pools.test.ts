import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import { checkDatabase, createPools, POOL_SIZES } from './pools.ts'

let pools: ReturnType<typeof createPools>

beforeAll(async () => {
  pools = createPools((await testDatabase()).url)
})
afterAll(() => pools.close())

test('checkDatabase: the database answers while callers occupy every session of payments', async () => {
  const sessions = await Promise.all(Array.from({ length: POOL_SIZES.db }, () => pools.db.pool.connect()))
  try {
    await checkDatabase(pools)
    expect(pools.db.pool.waitingCount).toBe(0)
  } finally {
    for (const session of sessions) session.release()
  }
  await checkDatabase(pools)
})

test('checkDatabase: fails when the database is away', async () => {
  const { close, ...away } = createPools('postgres://nobody@127.0.0.1:9/none')
  await expect(checkDatabase(away)).rejects.toThrow('ECONNREFUSED')
  await close()
})
