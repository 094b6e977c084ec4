import { statfsSync } from 'node:fs'
import type pg from 'pg'
import type { Gateway } from '../gateway.ts'
import { type Account, makeApplication, signIn, signUp } from '../seed.ts'

export interface BigMerchant {
  readonly account: Account
  readonly rows: number
  readonly accountId: string
  /** The busiest first; the last has been still for long. */
  readonly applicationIds: readonly string[]
  /** Of the busiest application. */
  readonly applicationKey: string
}

/** Heap, indexes, totals, and what PostgreSQL writes ahead. */
const bytesPerRow = 2500
/** The holder of this lock is the only aggregator of the totals. */
const aggregatorLock = '7823486516400'

/** A merchant for each number of payments, all in one database. */
export async function seedBigMerchants(
  gateway: Gateway,
  sql: pg.Client,
  sizes: readonly number[],
  log: (line: string) => void,
): Promise<BigMerchant[]> {
  const { bavail, bsize } = statfsSync(gateway.directory)
  const needed = sizes.reduce((sum, rows) => sum + rows, 0) * bytesPerRow
  if (bavail * bsize < needed) {
    throw new Error(
      `${Math.ceil(needed / 1e9)} GB have to be free in ${gateway.directory}; --rows asks for less`,
    )
  }
  // Rows are written without triggers and foreign keys and indexed when all are there: it is the reading that is measured.
  await sql.query(`select pg_advisory_lock(${aggregatorLock})`)
  await sql.query(
    "set session_replication_role = replica; set maintenance_work_mem = '512MB'; set synchronous_commit = off",
  )
  const indexes = await dropIndexes(sql)
  const merchants: BigMerchant[] = []
  for (const rows of sizes) {
    log(`${rows.toLocaleString('en')} payments of one merchant`)
    merchants.push(await seedMerchant(gateway, sql, rows))
  }
  log('indexes and totals')
  for (const index of indexes) await sql.query(index)
  await sql.query('select rebuild_payment_figures()')
  await sql.query('vacuum (analyze)')
  await sql.query('checkpoint')
  await sql.query(`select pg_advisory_unlock(${aggregatorLock})`)
  return merchants
}

async function dropIndexes(sql: pg.Client): Promise<string[]> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'payments' and indexname not like '%_pkey'`,
  )
  for (const { name } of rows) await sql.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

async function seedMerchant(gateway: Gateway, sql: pg.Client, rows: number): Promise<BigMerchant> {
  const account = await signUp(gateway.url, `bench-${rows}@bench.example`)
  const token = await signIn(gateway.url, account)
  const applications: { id: string; key: string }[] = []
  for (const name of ['Shop', 'Market', 'Tickets', 'Airtime', 'School', 'Old shop']) {
    const { _id, applicationKey } = await makeApplication(gateway.url, token, name)
    applications.push({ id: _id, key: applicationKey })
  }
  const { rows: found } = await sql.query<{ account_id: string; ids: string[] }>(
    `select account_id, array_agg(id::text order by id) as ids from applications
     where account_id = (select id from merchants where email = $1) group by account_id`,
    [account.email],
  )
  const { account_id: accountId, ids } = found[0] ?? { account_id: '', ids: [] }
  await sql.query(insertPayments, [accountId, ids, rows])
  return {
    account,
    rows,
    accountId,
    applicationIds: applications.map(({ id }) => id),
    applicationKey: applications[0]?.key ?? '',
  }
}

/**
 * Two years up to now, more of them lately. Applications of every size, one without anything in seven years of eight; three
 * currencies; three refunded payments; amounts of which half are a few prices.
 */
const insertPayments = `
insert into payments (account_id, id, application_id, amount_minor, currency, status, status_reason, method, provider_reference,
  description, reference, customer_email, customer_name, customer_phone, success_url, cancel_url, metadata, refunded_minor, last_event,
  created_at, updated_at, completed_at, fee_minor, expires_at, termination_reason, termination_since)
select $1::uuid, id,
  ($2::uuid[])[case when shop < 0.45 then 1 when shop < 0.70 then 2 when shop < 0.85 then 3 when shop < 0.93 then 4 when shop < 0.98 then 5
    when nth < $3::int / 8 then 6 else 1 end],
  amount, case when currency < 0.8 then 'USD' when currency < 0.95 then 'ZWG' else 'ZAR' end,
  status, case status when 'failed' then 'expired' when 'pending' then 'awaiting_payer' end,
  case when status = 'pending' and method < 0.5 then null when method < 0.70 then 'ecocash' when method < 0.84 then 'onemoney'
    when method < 0.97 then 'innbucks' else 'visa' end,
  case when status in ('completed', 'refunded') then 'MP' || nth end,
  'Order ' || nth || ': two shirts', 'order-' || nth, 'tendai@example.com', 'Tendai Moyo', '+263771234567',
  'https://shop.example/orders/' || nth || '/thanks', 'https://shop.example/orders/' || nth,
  '{"order": "10482", "channel": "web"}'::jsonb,
  case status when 'refunded' then amount else 0 end, 1, at, at + interval '30 s',
  case when status in ('completed', 'refunded') then at + interval '20 s' end,
  case when status in ('completed', 'refunded') then amount / 28 end,
  -- The gateway expires no payment while the lists are measured.
  case status when 'pending' then now() else at end + interval '1 day',
  case status when 'failed' then 'expired' end, case status when 'failed' then at + interval '1 day' end
from (
  select nth, to_timestamp(ms / 1000::float8) as at, shop, currency, method,
    (lpad(to_hex(ms), 12, '0') || '7' || substr(chance, 1, 3) || '8' || substr(chance, 4, 15))::uuid as id,
    case when nth % ($3::int / 3) = 7 then 'refunded' when outcome < 0.86 then 'completed' when outcome < 0.97 then 'failed'
      else 'pending' end as status,
    case when priced < 0.5 then (array[499, 999, 1250, 1999, 2500, 4999, 10000, 25000])[1 + floor(priced * 16)::int]
      else 50 + floor(exp(random() * 7 + random() * 7))::bigint end as amount
  from (
    select nth, (extract(epoch from now()) * 1000)::bigint - 63072000000 + floor(63072000000 * power((nth - 0.5) / $3::int, 0.8))::bigint as ms,
      random() as shop, random() as currency, random() as method, random() as outcome, random() as priced,
      md5($1::uuid::text || nth) as chance
    from generate_series(1, $3::int) as nth
  ) as drawn
) as dated`
