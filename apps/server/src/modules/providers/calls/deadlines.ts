/** A call waits in a process for its turn at most for this time. */
export const TURN_WAIT_MS = 5000

/** The look-up after a callback waits longer, because its retry is later. */
export const CALLBACK_TURN_WAIT_MS = 30_000

/** From its turn on, a call to a provider has ended by then, including its further requests and its retries. */
export const CALL_MAX_MS = 50_000

/** The time for the statements before and after a call. */
const STATEMENTS_MS = 5000

/** The lease of a call: after it, other processes look the call up. It is longer than any call with its wait. */
export const CALL_LEASE_MS = TURN_WAIT_MS + CALL_MAX_MS + STATEMENTS_MS

/** The lease of a callback: after it, another round looks its call up. */
export const CALLBACK_LEASE_MS = CALLBACK_TURN_WAIT_MS + CALL_MAX_MS + STATEMENTS_MS

/** The longest pause that a provider can request. */
export const MOST_PAUSE_MS = 5 * 60_000
