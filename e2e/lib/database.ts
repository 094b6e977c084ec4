import path from 'node:path'
import { findPostmaster } from '@muripo/embedded-postgres/postmaster'
import { addressOf, databaseName, superuser } from '@muripo/embedded-postgres/roles'
import { uuidOf } from '@muripo/testing/typed-ids'
import pg from 'pg'

/** The gateway's embedded database, with the rights of its owner. */
async function connected<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const running = findPostmaster(path.join(dataDir, 'postgres'))
  if (!running) throw new Error(`No database runs on ${dataDir}`)
  const client = new pg.Client({ connectionString: addressOf(dataDir, superuser, running, databaseName) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export const query = <Row extends pg.QueryResultRow>(
  dataDir: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> => connected(dataDir, async (client) => (await client.query<Row>(text, [...values])).rows)

/** Locks the payments during the operation. Other sessions fail after waiting for two seconds. */
export const whilePaymentsAreLocked = (dataDir: string, work: () => Promise<void>): Promise<void> =>
  connected(dataDir, async (client) => {
    await client.query('begin; lock table payments in access exclusive mode')
    await work()
    await client.query('rollback')
  })

/** Pending payments of an application, the newest created now, and one each second before. */
export const makeManyPayments = (dataDir: string, applicationId: string, count: number) =>
  query(
    dataDir,
    `insert into payments (account_id, id, application_id, amount_minor, currency, method, description,
       created_at, updated_at, expires_at)
     select a.account_id, (lpad(to_hex(floor(extract(epoch from made) * 1000)::bigint), 12, '0') || '7' ||
         substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       a.id, 100 + n, 'USD', 'ecocash', 'Basket ' || n || repeat(', woven by hand', n % 3), made, made, made + interval '1 day'
     from applications a, generate_series(1, $2::int) as n,
       lateral (select date_trunc('second', now()) - make_interval(secs => n) as made) as moments
     where a.id = $1`,
    [uuidOf(applicationId), count],
  )

/** Transfers of a payment, in the order of time. */
export const transfersOf = (dataDir: string, paymentId: string) =>
  query<{ kind: string; debit: string; credit: string; minor: number }>(
    dataDir,
    `select kind, debit_code as debit, credit_code as credit, amount_minor::int as minor
     from ledger_transfers where payment_id = $1 order by position, kind`,
    [uuidOf(paymentId)],
  )

/** Balances of the accounts of the payment's merchant, debits less credits. */
export const balancesOf = (dataDir: string, paymentId: string) =>
  query<{ code: string; minor: number }>(
    dataDir,
    `select code, balance_minor::int as minor from ledger_balances
     where account_id = (select account_id from payments where id = $1) order by code`,
    [uuidOf(paymentId)],
  )

/** Moves an attempt into the past, which replaces waiting. */
export const ageAttempts = (dataDir: string, paymentId: string, seconds: number) =>
  query(
    dataDir,
    `update payment_attempts set created_at = created_at - make_interval(secs => $2)
     where payment_id = $1`,
    [uuidOf(paymentId), seconds],
  )

/** Makes the next look-up of the open attempts due, which replaces waiting. */
export const lookUpNow = (dataDir: string, paymentId: string) =>
  query(
    dataDir,
    `update payment_attempts set next_check_at = now() where payment_id = $1 and next_check_at is not null`,
    [uuidOf(paymentId)],
  )

/** Makes a payment's expiry due. */
export const expirePayment = (dataDir: string, paymentId: string) =>
  query(dataDir, `update payments set expires_at = now() where id = $1`, [uuidOf(paymentId)])

/** Moves the completion of a payment into the past. */
export const ageCompletion = (dataDir: string, paymentId: string, days: number) =>
  query(
    dataDir,
    `update payments set completed_at = completed_at - make_interval(days => $2) where id = $1`,
    [uuidOf(paymentId), days],
  )

/** Renames a table or view during the operation, so that each statement that reads it fails. */
export async function withoutTable<T>(dataDir: string, table: string, work: () => Promise<T>): Promise<T> {
  await query(dataDir, `alter table ${table} rename to ${table}_away`)
  try {
    return await work()
  } finally {
    await query(dataDir, `alter table ${table}_away rename to ${table}`)
  }
}

export async function withoutColumn<T>(
  dataDir: string,
  table: string,
  column: string,
  work: () => Promise<T>,
): Promise<T> {
  await query(dataDir, `alter table ${table} rename column ${column} to ${column}_away`)
  try {
    return await work()
  } finally {
    await query(dataDir, `alter table ${table} rename column ${column}_away to ${column}`)
  }
}

/** Moves an emailed code and the earlier codes of its merchant into the past. */
export const ageCodes = (dataDir: string, otpId: string, seconds: number) =>
  query(
    dataDir,
    `update one_time_codes set created_at = created_at - make_interval(secs => $2)
     where person_id = (select person_id from one_time_codes where id = $1)`,
    [uuidOf(otpId), seconds],
  )
