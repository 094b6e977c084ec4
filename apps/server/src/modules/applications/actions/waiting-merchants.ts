import type { MerchantStatus } from '@muripo/contract/enums'
import type { Ctx } from '../../../platform/ctx.ts'
import { findMerchant, listMerchants, type MerchantRecord } from '../../identity/index.ts'
import { waitingNames } from '../store-review.ts'

export interface ListedMerchant extends MerchantRecord {
  /** The decision that waits for the operator: the approval of the account, or of the names that were added since. */
  readonly waitsFor: { readonly kind: 'approval' } | { readonly kind: 'names'; readonly names: number } | null
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
  const names = new Map(
    isLive ? (await waitingNames(kysely, limit)).map(({ merchantId, names }) => [merchantId, names]) : [],
  )
  const listed = (merchant: MerchantRecord): ListedMerchant => {
    const count = names.get(merchant.id) ?? 0
    const isNew = isLive && merchant.status === 'new'
    return {
      ...merchant,
      waitsFor: isNew ? { kind: 'approval' } : count > 0 ? { kind: 'names', names: count } : null,
    }
  }
  if (status !== 'waiting') return (await listMerchants(kysely, status, limit)).map(listed)
  if (!isLive) return []
  const withNames = await Promise.all([...names.keys()].map((id) => findMerchant(kysely, id)))
  const waiting = [
    ...(await listMerchants(kysely, 'new', limit)),
    ...withNames.filter((each) => each !== null),
  ]
  return waiting.slice(0, limit).map(listed)
}
