import { statfsSync } from 'node:fs'
import type pg from 'pg'
import type { Gateway } from './gateway.ts'
import { zipfParts } from './traffic.ts'

/** The heap, indexes, totals and WAL of one payment. */
const bytesPerRow = 2900
/** The holder of this lock is the only aggregator of the totals. */
const aggregatorLock = '7823486516400'

/** Inserts a number of payments of one account, in up to six of its applications. */
export type InsertPayments = (
  accountId: string,
  applicationIds: readonly string[],
  rows: number,
) => Promise<void>

/**
 * Writes many payments without triggers and foreign keys, and afterwards their indexes and totals. The writing itself is not measured.
 * @param rows of all inserts
 * @param option of the bench that sets the number of rows
 */
export async function insertMany(
  gateway: Gateway,
  rows: number,
  option: string,
  log: (line: string) => void,
  work: (insert: InsertPayments) => Promise<void>,
): Promise<void> {
  const { bavail, bsize } = statfsSync(gateway.directory)
  const needed = rows * bytesPerRow
  if (bavail * bsize < needed) {
    throw new Error(
      `${Math.ceil(needed / 1e9)} GB have to be free in ${gateway.directory}; ${option} asks for less`,
    )
  }
  // The lock and the settings end with the session.
  const sql = await gateway.connect()
  try {
    await sql.query(`select pg_advisory_lock(${aggregatorLock})`)
    await sql.query(
      "set session_replication_role = replica; set maintenance_work_mem = '512MB'; set synchronous_commit = off",
    )
    const indexes = await dropIndexes(sql)
    let inserted = 0
    await work(async (accountId, applicationIds, count) => {
      const { rowCount } = await sql.query(insertPayments, [accountId, applicationIds, count])
      inserted += rowCount ?? 0
    })
    if (inserted !== rows) throw new Error(`${inserted} payments were written instead of ${rows}`)
    log('indexes and totals')
    for (const index of indexes) await sql.query(index)
    await sql.query('select rebuild_payment_figures()')
    await sql.query('vacuum (analyze)')
    await sql.query('checkpoint')
  } finally {
    await sql.end()
  }
}

/** Inserts payments of all merchants by Zipf's law: the earliest merchant has the most, as in the loads. */
export async function insertHistory(
  gateway: Gateway,
  sql: pg.Client,
  rows: number,
  log: (line: string) => void,
): Promise<void> {
  log(`${rows.toLocaleString('en')} earlier payments`)
  const { rows: shops } = await sql.query<{ account: string; application: string }>(
    'select account_id as account, id as application from applications order by account_id',
  )
  await insertMany(gateway, rows, '--payments', log, async (insert) => {
    for (const [nth, part] of zipfParts(rows, shops.length).entries()) {
      const { account, application } = shops[nth] ?? { account: '', application: '' }
      if (part > 0) await insert(account, Array<string>(6).fill(application), part)
    }
  })
}

/** Drops all indexes but the primary key and that of the expiry, which reads due payments each second. */
async function dropIndexes(sql: pg.Client): Promise<string[]> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'payments' and indexname not in ('payments_pkey', 'payments_to_expire')`,
  )
  for (const { name } of rows) await sql.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/**
 * Payments of the last two years, with growth. The applications have different sizes, and the last one has only old payments. Payments of
 * the last day may be pending. There are three currencies, three refunded payments, and a few prices for half of the amounts. A customer has
 * ten payments.
 */
const insertPayments = `
insert into payments (account_id, id, application_id, amount_minor, currency, status, status_reason, method, provider_reference,
  description, reference, customer_email, customer_name, customer_phone, search_phone, success_url, cancel_url, metadata, refunded_minor, last_event,
  created_at, updated_at, completed_at, fee_minor, expires_at, termination_reason, termination_since)
select $1::uuid, id,
  ($2::uuid[])[case when shop < 0.45 then 1 when shop < 0.70 then 2 when shop < 0.85 then 3 when shop < 0.93 then 4 when shop < 0.98 then 5
    when nth < $3::int / 8 then 6 else 1 end],
  amount, case when currency < 0.8 then 'USD' when currency < 0.95 then 'ZWG' else 'ZAR' end,
  status, case status when 'failed' then 'expired' when 'pending' then 'awaiting_payer' end,
  case when status = 'pending' and method < 0.5 then null when method < 0.70 then 'ecocash' when method < 0.84 then 'onemoney'
    when method < 0.97 then 'innbucks' else 'visa' end,
  case when status in ('completed', 'refunded') then 'MP' || nth end,
  'Order ' || nth || ': two shirts', 'order-' || nth, 'tendai@example.com', 'Tendai Moyo' || nth / 10,
  '+26377' || lpad((nth / 10)::text, 7, '0'), '+26377' || lpad((nth / 10)::text, 7, '0'),
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
    case when nth % greatest($3::int / 3, 1) = 7 then 'refunded' when outcome < 0.86 then 'completed' when outcome < 0.97 then 'failed'
      when ms < (extract(epoch from now()) - 86400) * 1000 then 'failed' else 'pending' end as status,
    case when priced < 0.5 then (array[499, 999, 1250, 1999, 2500, 4999, 10000, 25000])[1 + floor(priced * 16)::int]
      else 50 + floor(exp(random() * 7 + random() * 7))::bigint end as amount
  from (
    select nth, (extract(epoch from now()) * 1000)::bigint - 63072000000 + floor(63072000000 * power((nth - 0.5) / $3::int, 0.8))::bigint as ms,
      random() as shop, random() as currency, random() as method, random() as outcome, random() as priced,
      md5($1::uuid::text || nth) as chance
    from generate_series(1, $3::int) as nth
  ) as drawn
) as dated`
