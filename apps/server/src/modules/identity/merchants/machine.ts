import type { MerchantStatus } from '@muripo/contract/merchant-statuses'

/**
 * The moves of a merchant's status by an operator. `resume` returns the merchant to the status before the suspension. The database holds
 * the same table and refuses every other change.
 */
export const merchantMoves = {
  approve: { from: ['new'], to: ['approved'] },
  suspend: { from: ['new', 'approved'], to: ['suspended'] },
  resume: { from: ['suspended'], to: ['approved', 'new'] },
  close: { from: ['new', 'approved', 'suspended'], to: ['closed'] },
} as const satisfies Record<
  string,
  { from: readonly MerchantStatus[]; to: readonly [MerchantStatus, ...MerchantStatus[]] }
>

export type MerchantMove = keyof typeof merchantMoves

export const canMove = (status: MerchantStatus, move: MerchantMove): boolean =>
  (merchantMoves[move].from as readonly MerchantStatus[]).includes(status)

/** Whether payments, payers and the dashboard may write. */
export const isActive = (status: MerchantStatus): boolean => status === 'new' || status === 'approved'
