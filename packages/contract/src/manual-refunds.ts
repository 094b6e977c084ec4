/** At most this many refunds are confirmed by one proposal. */
export const MOST_IN_BATCH = 50

/**
 * The way of a refund that a person sends. to_send: by hand. to_clarify: the provider's answer is needed. proposed: another operator has to
 * approve. sent: confirmed by operators. came_back: sent, and returned to the account.
 */
export const manualRefundStates = ['to_send', 'to_clarify', 'proposed', 'sent', 'came_back'] as const
export type ManualRefundState = (typeof manualRefundStates)[number]
