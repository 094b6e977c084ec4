import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type Database } from '../src/platform/db/database.ts'
import { createLog } from '../src/platform/log.ts'
import { type PrivateCluster, startPrivateCluster } from './private-cluster.ts'

const planted = 'tariro.planted@example.co.zw'

let cluster: PrivateCluster
let db: Database

beforeAll(async () => {
  cluster = await startPrivateCluster()
  await cluster.execute(`create table people (email text primary key, age int not null check (age > 0))`)
  db = createDatabase(cluster.url, { maxConnections: 1 })
})
afterAll(async () => {
  await db.close()
  await cluster.stop()
})

const databaseLog = () => readFileSync(path.join(cluster.dataDir, 'postgres.log'), 'utf8')

test("a slow statement is in the database's log without its parameters", async () => {
  const text = 'select pg_sleep(1.1), $1::text as slow_statement'
  await db.pool.query(text, [planted])
  await db.pool.query({ name: 'slow', text: `${text} -- named`, values: [planted] })
  await expect.poll(() => databaseLog().match(/duration: \d+.*slow_statement/g)?.length).toBe(2)
  expect(databaseLog()).not.toContain(planted)
})

test('a write that a constraint refuses is in neither log with the row or the key', async () => {
  const lines: string[] = []
  const log = createLog(
    'info',
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line))
        done()
      },
    }),
  )
  const insert = 'insert into people values ($1, $2)'
  await db.pool.query(insert, [planted, 20])
  for (const [age, code] of [
    [0, '23514'],
    [null, '23502'],
    [20, '23505'],
  ] as const) {
    const error = await db.pool.query(insert, [planted, age]).then(
      () => null,
      (refused: Error & { code: string; detail: string }) => refused,
    )
    expect(error).toMatchObject({ code, detail: expect.stringContaining(planted) })
    log.error({ err: error }, 'request failed')
    log.error(error)
  }
  expect(lines).toHaveLength(6)
  expect(lines.filter((line) => line.includes(planted))).toEqual([])
  await expect.poll(() => databaseLog().match(/violates/g)?.length).toBeGreaterThanOrEqual(3)
  expect(databaseLog()).not.toContain(planted)
})
