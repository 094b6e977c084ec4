const FIRST_PAUSE_MS = 500
/** The caller must decide about a retry after a longer pause. */
const LONGEST_PAUSE_MS = 20_000

const retriedStatuses = [429, 500, 502, 503, 504]

/** Whether the same call may succeed a moment later. */
export const isTemporary = (status: number, code: string): boolean =>
  retriedStatuses.includes(status) || code === 'idempotency_in_flight'

/**
 * The pause before the next attempt: the gateway's `Retry-After`, otherwise a random time from half to all of a pause that doubles with
 * each retry. Null when `Retry-After` is too long.
 */
export function pauseMs(
  retry: number,
  retryAfter: string | null,
  chance: () => number = Math.random,
): number | null {
  const requested = retryAfter === null ? null : readRetryAfter(retryAfter)
  if (requested !== null) return requested > LONGEST_PAUSE_MS ? null : requested
  return FIRST_PAUSE_MS * 2 ** retry * (0.5 + chance() / 2)
}

/** The header contains seconds or a date. */
function readRetryAfter(text: string): number | null {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
