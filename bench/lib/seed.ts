import { createHash } from 'node:crypto'
import { openShop } from '@muripo/rig/merchant'
import type pg from 'pg'
import { accountOf, newAccounts, newApplicationKeys } from '../../scripts/lib/application-keys.ts'
import { inEachGroup, ofOneNode, type Sessions } from '../../scripts/lib/citus/sessions.ts'
import type { Gateway } from './gateway.ts'

/** Ids of pgbench's merchants, which it derives from a number; application and key have the same UUID. */
export const pgbenchIdTail = '-0000-7000-8000-000000000000'
export const pgbenchFirst = 10_000_001

/**
 * Merchants with one application each, and the applications' keys. The first one signs up and creates its application
 * through the API; the others are copies of it with keys of their own.
 */
export async function seedMerchants(
  { url, directory }: Pick<Gateway, 'url' | 'directory'>,
  sessions: Sessions,
  count: number,
): Promise<string[]> {
  const { sql } = sessions
  const { application } = await openShop(url, 'bench@bench.example')
  const ids = newAccounts(count - 1)
  const keys = await newApplicationKeys(sql, directory, ids)
  await insertMerchants(sql, ids)
  await insertApplications(
    sessions,
    ids,
    keys.map(({ lookup }) => lookup),
  )
  return [application.applicationKey, ...keys.map(({ key }) => key)]
}

/** Merchants whose ids pgbench derives from numbers, each with an application and a key of the same id. */
export async function seedPgbenchMerchants(sql: pg.Client, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, nth) => `${pgbenchFirst + nth}${pgbenchIdTail}`)
  await insertMerchants(sql, ids)
  await insertApplications(
    ofOneNode(sql),
    ids,
    ids.map((id) => createHash('sha256').update(id).digest()),
  )
}

/** The addresses of a number of new merchants, all with the password of the existing one. */
export async function copyMerchants(sql: pg.Client, count: number): Promise<string[]> {
  return insertMerchants(sql, newAccounts(count))
}

/** @returns their addresses */
async function insertMerchants(sql: pg.Client, ids: readonly string[]): Promise<string[]> {
  const { rows: models } = await sql.query<{ document: object; merchant: object }>(
    `select to_jsonb(documents) as document, to_jsonb(merchants) as merchant
     from merchants join documents on documents.id = document_id limit 1`,
  )
  const { document, merchant } = models[0] ?? {}
  // Citus writes one table in a statement.
  await sql.query('begin')
  await sql.query(
    `insert into documents (id, storage_key, ${documentColumns})
     select made, made::text, ${documentColumns} from unnest($1::uuid[]) as made, jsonb_populate_record(null::documents, $2)`,
    [ids, document],
  )
  const { rows } = await sql.query<{ email: string }>(
    `insert into merchants (id, email, document_id, ${merchantColumns})
     select made, made || '@bench.example', made, ${merchantColumns}
     from unnest($1::uuid[]) as made, jsonb_populate_record(null::merchants, $2)
     returning email`,
    [ids, merchant],
  )
  await sql.query(
    'insert into environments (id, merchant_id) select made, made from unnest($1::uuid[]) as made',
    [ids],
  )
  await sql.query(
    `insert into persons (id, fullname, email, password_hash, created_at, proven_at)
     select made, fullname, made || '@bench.example', password_hash, created_at, proven_at
     from unnest($1::uuid[]) as made, (select * from persons limit 1) as model`,
    [ids],
  )
  await sql.query(
    `insert into memberships (merchant_id, person_id, role, created_at)
     select made, made, 'owner', now() from unnest($1::uuid[]) as made`,
    [ids],
  )
  await sql.query('commit')
  await sql.query('vacuum (analyze) merchants, documents, persons, memberships')
  return rows.map(({ email }) => email)
}

/** An application of each merchant, with its key. Application and key have the id of their merchant. */
async function insertApplications(
  sessions: Sessions,
  ids: readonly string[],
  lookups: readonly Buffer[],
): Promise<void> {
  const { sql, groups } = sessions
  const models = await inEachGroup<{ application: object; key: object }>(
    sessions,
    `select to_jsonb(applications) as application, to_jsonb(application_keys) as key
     from applications join application_keys using (account_id) limit 1`,
  )
  const [{ application, key } = {}] = models.flat()
  const made = ids.map((id, nth) => ({ id, lookup: lookups[nth] }))
  for (const [group, own] of Map.groupBy(made, ({ id }) => groups.of(accountOf(id))))
    await group.query(
      `with made as (
        select * from unnest($1::uuid[], $2::bytea[]) as made (id, lookup)
      ), application as (
        insert into applications (account_id, id, ${applicationColumns})
        select made.id, made.id, ${applicationColumns} from made, jsonb_populate_record(null::applications, $3) as model
      )
      insert into application_keys (account_id, application_id, id, mode, lookup, encrypted, created_at)
      select made.id, made.id, made.id, mode, made.lookup, encrypted, created_at
      from made, jsonb_populate_record(null::application_keys, $4) as model`,
      [own.map(({ id }) => id), own.map(({ lookup }) => lookup), application, key],
    )
  await sql.query('vacuum (analyze) applications, application_keys')
}

const documentColumns = 'size_bytes, sha256, uploaded_at, claimed_at'
const merchantColumns = `account_type, fullname, phone, document_type, time_zone, reporting_currency, created_at`
const applicationColumns = 'name, description, category, status, name_approved, created_at, updated_at'
