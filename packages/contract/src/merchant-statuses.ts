/**
 * new: accepts payments with test keys; live keys follow the operator's approval. suspended and closed: can read everything and change
 * nothing, and no payer can pay; closed is final.
 */
export const merchantStatuses = ['new', 'approved', 'suspended', 'closed'] as const
export type MerchantStatus = (typeof merchantStatuses)[number]
