import { afterEach, expect, test } from 'vitest'
import { type PoolerFaults, startPooler } from '../../../test/pooler.ts'
import { testDatabase } from '../../../test/test-database.ts'
import { createDatabase } from './database.ts'
import { checkSessions } from './session-check.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function through(faults: PoolerFaults): Promise<string> {
  const { url } = await testDatabase()
  const pooler = await startPooler(url, faults)
  cleanups.push(() => pooler.close())
  return pooler.url
}

test('a connection that keeps sessions is accepted', async () => {
  await checkSessions(await through({ notifications: 'delivered' }))
})

test('a connection without notifications is refused with the next step', async () => {
  const url = await through({ notifications: 'dropped' })
  await expect(checkSessions(url, 2000)).rejects.toThrow(
    'The database of DATABASE_URL delivers no NOTIFY to a session that listens. Use pool_mode = session, or set DATABASE_URL',
  )
})

test('a connection that drops start-up options is accepted, because sessions set their settings themselves', async () => {
  const url = await through({ notifications: 'delivered', options: 'dropped' })
  await checkSessions(url)
  const db = createDatabase(url, { maxConnections: 1 })
  cleanups.push(() => db.close())
  const { rows } = await db.pool.query('select current_setting($1) as limit', ['statement_timeout'])
  expect(rows).toEqual([{ limit: '5s' }])
})
