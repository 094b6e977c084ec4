import { type Account, createApplication, signIn, signUp } from '@muripo/rig/merchant'
import type pg from 'pg'
import type { Gateway } from '../lib/gateway.ts'
import { type InsertPayments, insertMany } from '../lib/many-payments.ts'

export interface BigMerchant {
  readonly account: Account
  readonly accountId: string
  /** The busiest first; the last one has only old payments. */
  readonly applicationIds: readonly string[]
  /** Of the busiest application. */
  readonly applicationKey: string
}

/** A merchant for each number of payments, all in one database. */
export async function seedBigMerchants(
  gateway: Gateway,
  sql: pg.Client,
  sizes: readonly number[],
  log: (line: string) => void,
): Promise<BigMerchant[]> {
  const merchants: BigMerchant[] = []
  const all = sizes.reduce((sum, rows) => sum + rows, 0)
  await insertMany(gateway, all, '--rows', log, async (insert) => {
    for (const rows of sizes) {
      log(`${rows.toLocaleString('en')} payments of one merchant`)
      merchants.push(await seedMerchant(gateway, sql, rows, insert))
    }
  })
  return merchants
}

async function seedMerchant(
  gateway: Gateway,
  sql: pg.Client,
  rows: number,
  insert: InsertPayments,
): Promise<BigMerchant> {
  const account = await signUp(gateway.url, `bench-${rows}@bench.example`)
  const tokens = await signIn(gateway.url, account)
  const applications: { id: string; key: string }[] = []
  for (const applicationName of ['Shop', 'Market', 'Tickets', 'Airtime', 'School', 'Old shop']) {
    const { _id, applicationKey } = await createApplication(gateway.url, tokens, { applicationName })
    applications.push({ id: _id, key: applicationKey })
  }
  const { rows: found } = await sql.query<{ account_id: string; ids: string[] }>(
    `select account_id, array_agg(id::text order by id) as ids from applications
     where account_id = (select id from merchants where email = $1) group by account_id`,
    [account.email],
  )
  const { account_id: accountId, ids } = found[0] ?? { account_id: '', ids: [] }
  await insert(accountId, ids, rows)
  return {
    account,
    accountId,
    applicationIds: applications.map(({ id }) => id),
    applicationKey: applications[0]?.key ?? '',
  }
}
