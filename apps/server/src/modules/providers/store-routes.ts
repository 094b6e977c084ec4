import { MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import { databaseNow } from '../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { Routes } from './method-routes.ts'

/** The routes of all merchants that have own ones: few merchants do, and every process holds them. */
export async function merchantRoutes(db: Queryable): Promise<ReadonlyMap<MerchantId, Routes>> {
  const rows = await db
    .selectFrom('provider_routes')
    .select(['merchant_id', 'route', 'accounts'])
    .orderBy('merchant_id')
    .orderBy('route')
    .execute()
  return byMerchant(rows)
}

interface Row {
  readonly merchant_id: string
  readonly route: string
  readonly accounts: string[]
}

const byMerchant = (rows: readonly Row[]): ReadonlyMap<MerchantId, Routes> =>
  new Map(
    [...Map.groupBy(rows, (row) => row.merchant_id)].map(([merchantId, routes]) => [
      idFrom(MerchantId, merchantId),
      new Map(routes.map(({ route, accounts }) => [route, accounts])),
    ]),
  )

/**
 * The routes of one page of merchants.
 * @param account only routes with this account
 */
export async function pageOfRoutes(
  db: Queryable,
  {
    account,
    after,
    limit,
  }: { readonly account?: string | undefined; readonly after: MerchantId | null; readonly limit: number },
): Promise<ReadonlyMap<MerchantId, Routes>> {
  const named = account === undefined ? sql<boolean>`true` : sql<boolean>`${account} = any (accounts)`
  const rows = await db
    .selectFrom('provider_routes')
    .select(['merchant_id', 'route', 'accounts'])
    .where(named)
    .where('merchant_id', 'in', (eb) =>
      eb
        .selectFrom('provider_routes')
        .select('merchant_id')
        .distinct()
        .where(named)
        .$if(after !== null, (query) => query.where('merchant_id', '>', after && uuidOf(after)))
        .orderBy('merchant_id')
        .limit(limit),
    )
    .orderBy('merchant_id')
    .orderBy('route')
    .execute()
  return byMerchant(rows)
}

export async function setRoute(
  tx: Tx,
  merchantId: MerchantId,
  route: string,
  accounts: readonly string[],
): Promise<void> {
  await tx
    .insertInto('provider_routes')
    .values({ merchant_id: uuidOf(merchantId), route, accounts: [...accounts], changed_at: databaseNow })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'route']).doUpdateSet((eb) => ({
        accounts: eb.ref('excluded.accounts'),
        changed_at: eb.ref('excluded.changed_at'),
      })),
    )
    .execute()
}

export async function deleteRoute(tx: Tx, merchantId: MerchantId, route: string): Promise<void> {
  await tx
    .deleteFrom('provider_routes')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('route', '=', route)
    .execute()
}
