import { MerchantId } from '@muripo/contract/ids'
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
  const byMerchant = Map.groupBy(rows, (row) => row.merchant_id)
  return new Map(
    [...byMerchant].map(([merchantId, routes]) => [
      idFrom(MerchantId, merchantId),
      new Map(routes.map(({ route, accounts }) => [route, accounts])),
    ]),
  )
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
