import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { skipOnCitus } from '../../../test/on-citus.ts'
import { testDatabase } from '../../../test/test-database.ts'
import { migrate, pendingMigrations } from './migrate.ts'

const own = fileURLToPath(new URL('../../../migrations', import.meta.url))

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test(
  'migrate: processes that start at once apply each file once',
  skipOnCitus('an empty database beside the extension'),
  async () => {
    const { url } = await testDatabase()
    await query(url, 'drop schema public cascade; create schema public')
    const pending = await pendingMigrations(url)
    const results = await Promise.all([1, 2, 3].map(() => migrate(url, { log: () => {} })))
    expect(pending.length).toBeGreaterThan(0)
    expect(results.flatMap(({ applied }) => applied)).toEqual(pending)
    expect(await pendingMigrations(url)).toEqual([])
  },
)

test('migrate: a second time changes nothing', async () => {
  const { url } = await testDatabase()
  expect(await migrate(url, { log: () => {} })).toEqual({ applied: [] })
})

test('migrate: a database from before the baseline is refused with what to do, and stays as it is', async () => {
  const { url } = await testDatabase()
  await query(
    url,
    "delete from pgmigrations; insert into pgmigrations (name, run_on) values ('0001_identity', now())",
  )
  const before = await query(url, 'select * from pgmigrations')
  await expect(migrate(url, { log: () => {} })).rejects.toThrow(
    /^a commit before 18e12c95 of 24 November 2026 created the database\. .* start the earlier commit again, or this one with a new MURIPO_DATA directory or an empty/,
  )
  expect(await query(url, 'select * from pgmigrations')).toEqual(before)
})

describe('migrate: a database that a later version has migrated', () => {
  const later = async (...names: string[]) => {
    const { url } = await testDatabase()
    for (const name of names)
      await query(url, `insert into pgmigrations (name, run_on) values ('${name}', now())`)
    return url
  }

  test('serves this version, as it must when an upgrade is taken back', async () => {
    const url = await later('9001_note', '9002_note_concurrently')
    expect(await migrate(url, { log: () => {} })).toEqual({ applied: [] })
    expect(await pendingMigrations(url)).toEqual([])
  })

  test('serves this version after the removal of a form that this version has replaced', async () => {
    const url = await later('9001_note_of_0007_contract')
    expect(await migrate(url, { log: () => {} })).toEqual({ applied: [] })
  })

  test('is refused after the removal of a form that this version uses', async () => {
    const url = await later('9001_note', '9002_note_of_9001_contract')
    await expect(migrate(url, { log: () => {} })).rejects.toThrow(
      /^the database is newer than this version, and 9002_note_of_9001_contract has removed a form .* start a later version, or restore/,
    )
  })
})

test('pendingMigrations: names what the database has not seen', async () => {
  const { url } = await testDatabase()
  const [last] = await query(
    url,
    'delete from pgmigrations where id = (select max(id) from pgmigrations) returning name',
  )
  expect(await pendingMigrations(url)).toEqual([last.name])
})

test('migrate: a role that may not change tables is refused while something is pending, and not before', async () => {
  const { url } = await testDatabase()
  const role = `migrates_nothing_${process.pid}`
  await query(url, `create role ${role} login password 'x'`)
  try {
    await query(url, `grant select on pgmigrations to ${role}`)
    const other = new URL(url)
    other.username = role
    other.password = 'x'
    expect(await migrate(other.href, { log: () => {} })).toEqual({ applied: [] })
    await query(url, 'delete from pgmigrations where id = (select max(id) from pgmigrations)')
    await expect(migrate(other.href, { log: () => {} })).rejects.toMatchObject({ code: '42501' })
  } finally {
    await query(url, `drop owned by ${role}`)
    await query(url, `drop role ${role}`)
  }
})

describe('migrate: while others use a table', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'muripo-migrations-'))
  afterAll(() => rmSync(directory, { recursive: true }))
  for (const file of readdirSync(own)) copyFileSync(path.join(own, file), path.join(directory, file))
  writeFileSync(path.join(directory, '9001_note.sql'), 'alter table deployment add column note text;')
  writeFileSync(
    path.join(directory, '9002_note_concurrently.sql'),
    'drop index concurrently if exists by_note;\ncreate index concurrently by_note on deployment (note);\n',
  )

  test('a change waits half a second for its lock and is repeated; an index is built outside of a transaction', async () => {
    const { url } = await testDatabase()
    const holder = new pg.Client({ connectionString: url })
    await holder.connect()
    await holder.query('begin; select * from deployment')
    const lines: string[] = []
    const migrated = migrate(url, {
      log: (line) => lines.push(line),
      directory,
      retryMs: { least: 20, most: 20 },
    })
    await expect.poll(() => lines.join()).toContain('did not get its lock within 500 ms, attempt 2')
    // Meanwhile the table is free for everybody.
    await query(url, 'select * from deployment')
    await holder.query('commit')
    await holder.end()
    expect(await migrated).toEqual({ applied: ['9001_note', '9002_note_concurrently'] })
    expect(
      await query(url, "select indisvalid from pg_index where indexrelid = 'by_note'::regclass"),
    ).toEqual([{ indisvalid: true }])
  })
})
