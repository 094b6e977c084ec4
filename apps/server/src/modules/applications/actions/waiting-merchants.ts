import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
import type { Ctx } from '../../../platform/ctx.ts'
import { findMerchants, listMerchants, type MerchantRecord } from '../../identity/index.ts'
import { waitingApplications } from '../store-review.ts'

export interface ListedMerchant extends MerchantRecord {
  /** The decision that waits for the operator: the approval of the account, or of what its applications show since. */
  readonly waitsFor:
    | { readonly kind: 'approval' }
    | { readonly kind: 'applications'; readonly applications: number }
    | null
}

/**
 * The merchants of one status or of all, the longest registered first. `waiting` selects merchants that wait for a decision of the
 * operator; a gateway for tests has none.
 */
export async function merchantsForOperator(
  ctx: Ctx,
  status: MerchantStatus | 'waiting' | null,
  limit: number,
): Promise<ListedMerchant[]> {
  const { kysely } = ctx.db
  const isLive = ctx.config.keyMode === 'live'
  const waitingOnes = isLive ? await waitingApplications(kysely, limit) : []
  const counts = new Map(waitingOnes.map(({ merchantId, applications }) => [merchantId, applications]))
  const listed = (merchant: MerchantRecord): ListedMerchant => {
    const applications = counts.get(merchant.id) ?? 0
    const isNew = isLive && merchant.status === 'new'
    return {
      ...merchant,
      waitsFor: isNew
        ? { kind: 'approval' }
        : applications > 0
          ? { kind: 'applications', applications }
          : null,
    }
  }
  if (status !== 'waiting') return (await listMerchants(kysely, status, limit)).map(listed)
  if (!isLive) return []
  const approved = (await Promise.all([...counts.keys()].map((id) => findMerchants(kysely, id)))).flat()
  const waiting = [
    ...(await listMerchants(kysely, 'new', limit)),
    ...approved.filter((each) => each !== null),
  ]
  return waiting.slice(0, limit).map(listed)
}
