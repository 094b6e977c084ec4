import { afterEach, expect, test } from 'vitest'
import { type PoolerFaults, startPooler } from '../../../test/pooler.ts'
import { testDatabase } from '../../../test/test-database.ts'
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
  await expect(checkSessions(url, 300)).rejects.toThrow(
    'The database of DATABASE_URL delivers no NOTIFY to a session that listens. Set DATABASE_URL to the address of PostgreSQL itself',
  )
})

test('a connection that ignores the session settings is refused with their names', async () => {
  const url = await through({ notifications: 'delivered', options: 'dropped' })
  await expect(checkSessions(url)).rejects.toThrow(
    /ignores the session settings .*statement_timeout, lock_timeout, idle_in_transaction_session_timeout\. Set/,
  )
})
