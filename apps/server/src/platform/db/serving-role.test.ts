import { servingRole } from '@muripo/embedded-postgres/roles'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PrivateCluster, startPrivateCluster } from '../../../test/private-cluster.ts'
import { startJobs } from '../jobs/jobs.ts'
import { prepareDatabase } from '../jobs/prepare-database.ts'
import { createLog } from '../log.ts'

const log = createLog('silent')
let cluster: PrivateCluster
let serving: pg.Client

beforeAll(async () => {
  cluster = await startPrivateCluster()
  await prepareDatabase(cluster.url, cluster.servingUrl, log)
  // The preparation runs again, as at every later start.
  await prepareDatabase(cluster.url, cluster.servingUrl, log)
  serving = new pg.Client({ connectionString: cluster.servingUrl })
  await serving.connect()
})
afterAll(async () => {
  await serving.end()
  await cluster.stop()
})

const rights = async () => {
  const rows = await cluster.execute<{ name: string; rights: string }>(
    `select table_name as name, string_agg(lower(privilege_type), ' ' order by privilege_type) as rights
     from information_schema.role_table_grants
     where grantee = '${servingRole}' and table_schema = 'public' group by table_name`,
  )
  return new Map(rows.map(({ name, rights: of }) => [name, of]))
}

test('the role that serves owns nothing and is no superuser', async () => {
  const owned = await cluster.execute(
    `select objid from pg_shdepend where refobjid = '${servingRole}'::regrole and deptype = 'o'`,
  )
  expect(owned).toEqual([])
  const [role] = await cluster.execute(
    `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = '${servingRole}'`,
  )
  expect(Object.values(role ?? {})).toEqual([false, false, false, false, false])
})

test('it inserts into the ledger, the audit log and the environments, and changes nothing there', async () => {
  const of = await rights()
  for (const table of ['ledger_transfers', 'ledger_accounts', 'audit_log', 'environments', 'deployment'])
    expect([table, of.get(table)]).toEqual([table, 'insert select'])
  for (const table of ['payments', 'payment_attempts', 'refunds'])
    expect([table, of.get(table)]).toEqual([table, 'insert select update'])
  for (const table of ['events', 'payment_stat_deltas', 'sessions'])
    expect([table, of.get(table)]).toEqual([table, 'delete insert select update'])
  expect(of.get('pgmigrations')).toBe('select')
})

test('it may read every table', async () => {
  const of = await rights()
  const tables = await cluster.execute<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')",
  )
  expect(tables.filter(({ name }) => !of.get(name)?.includes('select'))).toEqual([])
})

test.each([
  'alter table ledger_transfers disable trigger all',
  'set session_replication_role = replica',
  'update ledger_transfers set amount_minor = 1',
  'delete from audit_log',
  'delete from payments',
  'truncate payments cascade',
  'drop table payments',
  'create table mine (a int)',
  'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
  'drop trigger ledger_transfers_append_only on ledger_transfers',
  'alter role muripo_serving superuser',
  'set role muripo',
  "select pg_read_file('/etc/hostname')",
  "copy (select 1) to program 'cat'",
  "alter system set fsync = 'off'",
  "insert into pgmigrations (name, run_on) values ('0999_none', now())",
])('it is refused: %s', async (statement) => {
  await expect(serving.query(statement)).rejects.toMatchObject({ code: '42501' })
})

test('its rights are granted to the role of the session, whatever the address contains', async () => {
  const address = new URL(cluster.servingUrl)
  address.searchParams.set('user', decodeURIComponent(address.username))
  address.searchParams.set('password', decodeURIComponent(address.password))
  address.username = ''
  address.password = ''
  await cluster.execute(`revoke select on payments from ${servingRole}`)
  await prepareDatabase(cluster.url, address.href, log)
  expect((await rights()).get('payments')).toBe('insert select update')
})

test('the triggers of a new application lock only permitted rows', async () => {
  const insert = `insert into applications (account_id, id, name, description, category, created_at, updated_at)
    values (gen_random_uuid(), gen_random_uuid(), 'Shop', 'Sells things', 'Retail', now(), now())`
  // The last trigger finds no merchant: the locks before it were permitted.
  await expect(serving.query(insert)).rejects.toMatchObject({ code: 'P0002' })
})

test('a job that it creates is run by the runner', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const runner = await startJobs(
    cluster.servingUrl,
    [{ name: 'say', run: async (payload) => resolve(payload) }],
    log,
  )
  await serving.query(`insert into jobs (kind, payload, max_attempts) values ('say', '{"word":"done"}', 1)`)
  expect(await promise).toEqual({ word: 'done' })
  await expect.poll(() => cluster.execute('select from jobs')).toEqual([])
  await runner.stop()
})
