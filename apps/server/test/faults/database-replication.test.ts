import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabase, createPool, type Database } from '../../src/platform/db/database.ts'
import { isDatabaseAway, isOutcomeUnknown } from '../../src/platform/db/failures.ts'
import { type PrivateCluster, startPrivateCluster } from '../private-cluster.ts'

let cluster: PrivateCluster
let db: Database

beforeAll(async () => {
  cluster = await startPrivateCluster()
  await cluster.execute('create table orders (name text primary key)')
  db = createDatabase(cluster.url, { maxConnections: 2, watchdogMs: 300 })
})
afterAll(async () => {
  await db.close()
  await cluster.stop()
})

const names = async () =>
  (await cluster.execute<{ name: string }>('select name from orders order by name')).map(({ name }) => name)

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

const insert = (name: string) => sql`insert into orders values (${name})`

describe('a commit whose synchronous standby never answers', () => {
  beforeAll(() => cluster.set({ synchronous_standby_names: 'never_there' }))
  afterAll(() => cluster.set({ synchronous_standby_names: '' }))
  beforeEach(() => cluster.execute('truncate orders'))

  const cancelWaiting = () =>
    expect
      .poll(() =>
        cluster.execute(
          "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'waits'",
        ),
      )
      .not.toEqual([])

  const patient = () => createPool(cluster.url, { maxConnections: 1, application_name: 'waits' })

  test('comes back as an unknown outcome of the transaction, whose row exists', async () => {
    const error = await failureOf(db.tx((tx) => insert('in a transaction').execute(tx)))
    expect(isOutcomeUnknown(error), String(error)).toBe(true)
    expect(isDatabaseAway(error)).toBe(true)
    expect(await names()).toEqual(['in a transaction'])
  })

  test('comes back as an unknown outcome of a statement of its own', async () => {
    const errors = await Promise.all(
      [
        insert('by builder').execute(db.kysely),
        db.pool.query("insert into orders values ('by text')"),
        db.pool.query({ name: 'insert-order', text: 'insert into orders values ($1)', values: ['by name'] }),
      ].map(failureOf),
    )
    expect(errors.map(isOutcomeUnknown)).toEqual([true, true, true])
    expect(await names()).toEqual(['by builder', 'by name', 'by text'])
  })

  test('is an unknown outcome of a statement outside of a transaction', async () => {
    const statement = { name: 'commit', text: 'insert into orders values ($1)', values: ['by itself'] }
    expect(isOutcomeUnknown(await failureOf(db.commitStatement(statement)))).toBe(true)
    expect(await names()).toEqual(['by itself'])
  })

  test('comes back as an unknown outcome when an operator cancels the wait', async () => {
    const pool = patient()
    const outcome = failureOf(pool.query("insert into orders values ('cancelled')"))
    await cancelWaiting()
    expect(isOutcomeUnknown(await outcome)).toBe(true)
    await pool.end()
  })

  test('leaves a session that reports the next outcome unchanged', async () => {
    const pool = patient()
    const client = await pool.connect()
    const outcome = failureOf(client.query("insert into orders values ('first')"))
    await cancelWaiting()
    expect(isOutcomeUnknown(await outcome)).toBe(true)
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    const refused = await failureOf(client.query("insert into orders values ('first')"))
    expect(refused).toMatchObject({ code: '23505' })
    client.release()
    await pool.end()
  })
})

describe('a connection that is lost', () => {
  const endSessions = (name: string) =>
    expect
      .poll(() =>
        cluster.execute(
          `select pg_terminate_backend(pid) from pg_stat_activity where query like '%${name}%' and pid <> pg_backend_pid()`,
        ),
      )
      .not.toEqual([])

  test('under a statement of its own leaves its outcome unknown', async () => {
    const outcome = failureOf(db.pool.query('select pg_sleep(3) as lost_alone'))
    await endSessions('lost_alone')
    expect(isOutcomeUnknown(await outcome)).toBe(true)
  })

  test('before COMMIT has undone the transaction, and that is known', async () => {
    const outcome = failureOf(db.tx((tx) => sql`select pg_sleep(3) as lost_inside`.execute(tx)))
    await endSessions('lost_inside')
    const error = await outcome
    expect([isDatabaseAway(error), isOutcomeUnknown(error)]).toEqual([true, false])
  })

  test('before a session was had is no unknown outcome', async () => {
    const nobody = createPool('postgres://muripo@127.0.0.1:9/none', { maxConnections: 1 })
    const error = await failureOf(nobody.query('select 1'))
    expect([isDatabaseAway(error), isOutcomeUnknown(error)]).toEqual([true, false])
    await nobody.end()
  })
})

describe('a server that became a standby', () => {
  test('loses the sessions that it refuses a write', async () => {
    const pool = createPool(cluster.url, { maxConnections: 1 })
    const processId = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid
    const client = await pool.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    await client.query('set default_transaction_read_only = on')
    const error = await failureOf(client.query("insert into orders values ('refused')"))
    expect(error).toMatchObject({ code: '25006' })
    expect(isDatabaseAway(error)).toBe(true)
    client.release()
    expect(await processId()).not.toBe(rows[0].pid)
    await pool.query("insert into orders values ('taken')")
    await pool.end()
  })

  test('gets no new session until it is promoted', async () => {
    await cluster.restart(() => writeFileSync(path.join(cluster.dataDir, 'postgres/standby.signal'), ''))
    const pool = createPool(cluster.url, { maxConnections: 1 })
    const error = await failureOf(pool.query('select 1'))
    expect(error).toMatchObject({ code: '25006' })
    await cluster.execute('select pg_promote()')
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })
})
