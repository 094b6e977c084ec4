import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import { migrate, pendingMigrations } from './migrate.ts'

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test('migrate: processes that start at once apply each file once', async () => {
  const { url } = await testDatabase()
  await query(url, 'drop schema public cascade; create schema public')
  const pending = await pendingMigrations(url)
  const results = await Promise.all([1, 2, 3].map(() => migrate(url, { log: () => {} })))
  expect(pending.length).toBeGreaterThan(0)
  expect(results.flatMap(({ applied }) => applied)).toEqual(pending)
  expect(await pendingMigrations(url)).toEqual([])
})

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
    /^the database is older than version 0\.1 and cannot be migrated: start with a new MURIPO_DATA directory/,
  )
  expect(await query(url, 'select * from pgmigrations')).toEqual(before)
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
