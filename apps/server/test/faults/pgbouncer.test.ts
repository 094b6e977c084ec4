import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createDatabase, sessionSettings } from '../../src/platform/db/database.ts'
import { listen } from '../../src/platform/db/listen.ts'
import { checkSessions } from '../../src/platform/db/session-check.ts'
import { createLog } from '../../src/platform/log.ts'
import { skipOnCitus } from '../on-citus.ts'
import { pgbouncer, startPgBouncer } from '../pgbouncer.ts'
import { testDatabase } from '../test-database.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function through(mode: 'session' | 'transaction'): Promise<string> {
  const { url } = await testDatabase()
  const bouncer = await startPgBouncer(url, mode)
  cleanups.push(bouncer.close)
  return bouncer.url
}

function open(url: string, options: Partial<Parameters<typeof createDatabase>[1]> = {}) {
  const db = createDatabase(url, { maxConnections: 4, ...options })
  cleanups.push(() => db.close())
  return db
}

describe.skipIf(
  pgbouncer === undefined ||
    skipOnCitus('sessions of groups do not pass PgBouncer before the coordinator').skip,
)('PgBouncer (skipped where the Debian package pgbouncer is missing)', () => {
  test('pool_mode = session is accepted, and sessions have their settings', async () => {
    const url = await through('session')
    await checkSessions(url)
    const db = open(url, { settings: ['default_transaction_read_only=on'] })
    const { rows } = await db.pool.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [Object.keys(sessionSettings)],
    )
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(sessionSettings)
    await expect(db.pool.query('create table t (id int)')).rejects.toMatchObject({ code: '25006' })
  })

  test('through pool_mode = session, named statements, transactions and notifications work', async () => {
    const url = await through('session')
    const db = open(url)
    const statement = { name: 'one', text: 'select $1::int as one', values: [1] }
    const results = await Promise.all(Array.from({ length: 20 }, () => db.commitStatement(statement)))
    expect(results).toEqual(Array.from({ length: 20 }, () => [{ one: 1 }]))
    const received: string[] = []
    const handlers = { onMessage: (text: string) => void received.push(text), missed: () => undefined }
    const listener = await listen(url, 'news', handlers, createLog('silent'))
    cleanups.push(() => listener.close())
    await db.tx((tx) => sql`select pg_notify('news', 'one')`.execute(tx))
    await expect.poll(() => received).toEqual(['one'])
  })

  test('through pool_mode = session, the connection watchdog keeps a session with a long statement', async () => {
    const db = open(await through('session'), { watchdogMs: 100 })
    const { rows } = await db.pool.query('select 1 as slept from pg_sleep(1)')
    expect(rows).toEqual([{ slept: 1 }])
  })

  test('pool_mode = transaction is refused with its reason', async () => {
    await expect(checkSessions(await through('transaction'))).rejects.toThrow(
      /^The database of DATABASE_URL is behind a connection pooler that shares a session between clients \(pool_mode = transaction or statement\): .*Use pool_mode = session/,
    )
  })
})
