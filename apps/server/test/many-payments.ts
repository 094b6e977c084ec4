import type { PoolClient } from 'pg'
import { uuidOf } from '../src/platform/ids.ts'
import type { Shop, WorldCtx } from './world.ts'

/** Inserts pending payments of a merchant, a second apart. */
export async function insertManyPayments(
  client: PoolClient,
  { accountId, applicationId }: Pick<Shop, 'accountId' | 'applicationId'>,
  count: number,
): Promise<void> {
  await client.query('set statement_timeout = 0')
  await client.query(
    `insert into payments (account_id, id, application_id, amount_minor, currency, method, description,
       created_at, updated_at, expires_at)
     select $1, (lpad(to_hex(floor(extract(epoch from made) * 1000)::bigint), 12, '0') || '7' ||
         substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       $2, n, 'USD', 'ecocash', 'Basket ' || n, made, made, made + interval '1 day'
     from generate_series(1, $3::int) as n,
       lateral (select timestamptz '2026-11-01' + make_interval(secs => n) as made) as moments`,
    [uuidOf(accountId), uuidOf(applicationId), count],
  )
}

/** Inserts pending payments of a merchant with their totals. */
export async function makeManyPayments(ctx: WorldCtx, shop: Shop, count: number): Promise<void> {
  const client = await ctx.background.pool.connect()
  try {
    await insertManyPayments(client, shop, count)
    await client.query('analyze payments')
    const isLeft = async () =>
      (await client.query('select exists (select from payment_stat_deltas) as is_left')).rows[0].is_left
    while (await isLeft()) await client.query('select aggregate_payment_stats(50000)')
  } finally {
    client.release(true)
  }
}
