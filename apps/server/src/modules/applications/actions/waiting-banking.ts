import type { Ctx } from '../../../platform/ctx.ts'
import { type MerchantProfile, merchantProfile } from '../../identity/index.ts'
import { type BankingOf, listWaitingBanking } from '../store-banking.ts'

export interface WaitingBanking extends BankingOf {
  readonly merchant: MerchantProfile
}

/** Banking details that wait for a review, of all merchants, the longest waiting first. */
export async function waitingBanking(ctx: Ctx, limit: number): Promise<WaitingBanking[]> {
  const { kysely } = ctx.db
  const found = await listWaitingBanking(kysely, limit)
  return Promise.all(
    found.map(async (each) => ({ ...each, merchant: await merchantProfile(kysely, each.merchantId) })),
  )
}
