/** A budget counts as exhausted when calls have waited for it for this time. */
const EXHAUSTED_AFTER_MS = 10_000
/** The pause between two reports about one exhausted budget. */
const REPORT_PAUSE_MS = 60_000
/** Readings that are further apart belong to different periods: nobody waited between them. */
const MOST_GAP_MS = 10_000

/** The time for which calls have waited for one budget. */
export interface Exhaustion {
  /** The whole time since the start of the process. */
  readonly waitedMs: number
  /**
   * Notes whether calls still wait after a reading of the budget.
   * @returns the milliseconds for which calls have waited without a break, when they are to be reported now; otherwise null
   */
  note(doCallsWait: boolean, now: number): number | null
}

export function createExhaustion(): Exhaustion {
  let waitedMs = 0
  let period: { readonly since: number; readonly last: number } | null = null
  let reportedAt: number | null = null
  return {
    get waitedMs() {
      return waitedMs
    },
    note(doCallsWait, now) {
      const isContinued = period !== null && now - period.last <= MOST_GAP_MS
      if (period && isContinued) waitedMs += now - period.last
      if (!doCallsWait) {
        period = null
        return null
      }
      if (!isContinued) reportedAt = null
      const since = period && isContinued ? period.since : now
      period = { since, last: now }
      if (now - since < EXHAUSTED_AFTER_MS) return null
      if (reportedAt !== null && now - reportedAt < REPORT_PAUSE_MS) return null
      reportedAt = now
      return now - since
    },
  }
}
