import { readFileSync } from 'node:fs'
import path from 'node:path'
import { servingRole } from '@muripo/embedded-postgres/roles'
import { expect, test } from 'vitest'
import { grantServing } from '../../apps/server/src/platform/db/serving-role.ts'
import { testDatabase } from '../../apps/server/test/test-database.ts'
import { withClient } from '../lib/postgres.ts'
import { repository } from '../lib/repository.ts'
import { printSchema } from '../lib/schema/print-schema.ts'

const file = readFileSync(path.join(repository, 'apps/server/schema.sql'), 'utf8')

const makeRole = `do $$ begin
  create role ${servingRole};
exception when duplicate_object or unique_violation then null;
end $$`

async function migratedDatabase(): Promise<string> {
  const { url } = await testDatabase()
  await withClient(url, (client) => client.query(makeRole))
  await grantServing(url, servingRole)
  return url
}

async function restoredDatabase(): Promise<string> {
  const { url } = await testDatabase()
  await withClient(url, async (client) => {
    await client.query(makeRole)
    await client.query('drop schema public cascade; create schema public')
    await client.query(file)
  })
  return url
}

/**
 * Another reading of the catalogue than the printer's: stored values instead of definitions. Expressions are printed without the brackets that
 * their meaning does not need, for "a and b and c" is stored as it was bracketed.
 */
const catalogue = {
  relations: `select relname, relkind, reloptions, relacl::text from pg_class
    where relnamespace = 'public'::regnamespace and relname not like 'pgmigrations%'`,
  columns: `select attrelid::regclass::text, attname, attnum - (
      select count(*) from pg_attribute b where b.attrelid = a.attrelid and b.attnum between 1 and a.attnum and b.attisdropped) as place,
      format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, attcollation::regcollation::text, pg_get_expr(adbin, adrelid, true)
    from pg_attribute a join pg_class c on c.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and relname <> 'pgmigrations' and attnum > 0 and not attisdropped`,
  constraints: `select conrelid::regclass::text, conname, contype, condeferrable, condeferred, convalidated, conenforced,
      confrelid::regclass::text, confupdtype, confdeltype, confmatchtype, pg_get_expr(conbin, conrelid, true),
      (select array_agg(attname order by place) from unnest(conkey) with ordinality as k (num, place)
       join pg_attribute on attrelid = conrelid and attnum = num) as columns,
      (select array_agg(attname order by place) from unnest(confkey) with ordinality as k (num, place)
       join pg_attribute on attrelid = confrelid and attnum = num) as referenced
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid::regclass::text <> 'pgmigrations'`,
  indexes: `select indrelid::regclass::text, indexrelid::regclass::text, indisunique, indisprimary, indnullsnotdistinct, indisvalid, indnkeyatts,
      indoption::text, pg_get_expr(indpred, indrelid, true), amname,
      (select array_agg(pg_get_indexdef(indexrelid, n, false) order by n) from generate_series(1, indnatts) as n) as keys
    from pg_index join pg_class c on c.oid = indexrelid join pg_am on pg_am.oid = relam
    where relnamespace = 'public'::regnamespace and relname not like 'pgmigrations%'`,
  functions: `select proname, prosrc, pg_get_function_sqlbody(oid), provolatile, proparallel, proisstrict, prosecdef, proleakproof, procost, prorows,
      proconfig, pg_get_function_arguments(oid), pg_get_function_result(oid), has_function_privilege('${servingRole}', oid, 'execute')
    from pg_proc where pronamespace = 'public'::regnamespace`,
  triggers: `select tgrelid::regclass::text, tgname, tgfoid::regproc::text, tgtype, tgenabled, tgdeferrable, tginitdeferred, tgoldtable, tgnewtable,
      substring(pg_get_triggerdef(t.oid, true) from 'WHEN.*') as condition,
      (select array_agg(attname order by attname) from pg_attribute where attrelid = tgrelid and attnum = any (tgattr)) as columns
    from pg_trigger t join pg_class c on c.oid = tgrelid where relnamespace = 'public'::regnamespace and not tgisinternal`,
  comments: `select pg_describe_object(classoid, objoid, objsubid) as subject, description from pg_description
    where classoid in ('pg_class'::regclass, 'pg_proc'::regclass)
      and (objoid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
        or objoid in (select oid from pg_proc where pronamespace = 'public'::regnamespace))`,
}

const readAll = (url: string) =>
  withClient(url, async (client) => {
    const read = async ([name, query]: [string, string]) => {
      const { rows } = await client.query(query)
      return [name, rows.map((row) => JSON.stringify(row)).toSorted()] as const
    }
    const parts: (readonly [string, string[]])[] = []
    for (const part of Object.entries(catalogue)) parts.push(await read(part))
    return Object.fromEntries(parts)
  })

test('schema.sql is the schema of a migrated database', async () => {
  const url = await migratedDatabase()
  expect(await withClient(url, (client) => printSchema(client, servingRole))).toBe(file)
})

test('a database that is created from schema.sql prints the same schema', async () => {
  const url = await restoredDatabase()
  expect(await withClient(url, (client) => printSchema(client, servingRole))).toBe(file)
})

test('a database that is created from schema.sql has the catalogue of a migrated one', async () => {
  const [migrated, restored] = [
    await readAll(await migratedDatabase()),
    await readAll(await restoredDatabase()),
  ]
  for (const [name, rows] of Object.entries(migrated)) {
    expect(rows.length, name).toBeGreaterThan(name === 'comments' ? 0 : 10)
    expect(restored[name], name).toEqual(rows)
  }
})

test('what schema.sql has no form for is refused', async () => {
  const { url } = await testDatabase()
  await withClient(url, async (client) => {
    await client.query(makeRole)
    await client.query("create type colour as enum ('red'); alter table payments enable row level security")
    await expect(printSchema(client, servingRole)).rejects.toThrow(
      'schema.sql has no form for: row security or inheritance of payments; type colour',
    )
  })
})

test('a table that no module owns is refused', async () => {
  const { url } = await testDatabase()
  await withClient(url, async (client) => {
    await client.query(makeRole)
    await client.query('create table stray (id uuid primary key)')
    await expect(printSchema(client, servingRole)).rejects.toThrow('names no module for stray')
  })
})
