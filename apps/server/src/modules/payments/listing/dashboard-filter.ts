import type { DashboardPaymentQuery } from '@muripo/contract/dashboard-payments'
import type { AccountId } from '@muripo/contract/ids'
import type { Queryable } from '../../../platform/db/database.ts'
import { namesakesOf } from '../../applications/index.ts'
import { merchantProfile } from '../../identity/index.ts'
import type { DashboardFilter } from './selection.ts'

/** The filter of a merchant's query. It keeps all applications with the name of the requested one. */
export async function dashboardFilter(
  db: Queryable,
  accountId: AccountId,
  query: DashboardPaymentQuery,
): Promise<DashboardFilter> {
  const hasDays = query.from !== undefined || query.to !== undefined
  const [timeZone, namesakes] = await Promise.all([
    // Without days the time zone has no effect, and the list one query less.
    hasDays ? merchantProfile(db, accountId).then((profile) => profile.timeZone) : 'UTC',
    query.applicationId === undefined ? [] : namesakesOf(db, accountId, query.applicationId),
  ])
  return { accountId, query, timeZone, ...(namesakes.length > 0 && { applicationIds: namesakes }) }
}
