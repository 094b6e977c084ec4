import type { DashboardPaymentQuery } from '@muripo/contract/dashboard-payments'
import type { MerchantId } from '@muripo/contract/ids'
import type { Queryable } from '../../platform/db/database.ts'
import { namesakesOf } from '../applications/index.ts'
import { merchantProfile } from '../identity/index.ts'
import type { DashboardFilter } from './selection.ts'

/** What a merchant asks for. An application is meant by its name, which several may bear, and by its id when none bears it. */
export async function dashboardFilter(
  db: Queryable,
  merchantId: MerchantId,
  query: DashboardPaymentQuery,
): Promise<DashboardFilter> {
  const [{ timeZone }, namesakes] = await Promise.all([
    merchantProfile(db, merchantId),
    query.applicationId === undefined ? [] : namesakesOf(db, merchantId, query.applicationId),
  ])
  return { merchantId, query, timeZone, ...(namesakes.length > 0 && { applicationIds: namesakes }) }
}
