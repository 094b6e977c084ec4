import { EVENT_DAYS } from '@muripo/contract/constants'

/** The time after which rows are deleted. Rows about money are never deleted. */
export interface Retention {
  readonly tables: readonly string[]
  readonly hours: number
  /** The beginning of the time. */
  readonly since: string
}

const DAY_HOURS = 24

/** All periods; `docs/operate.md` lists them, and a test compares. */
export const retention = {
  sessions: {
    tables: ['sessions', 'refresh_tokens'],
    hours: 90 * DAY_HOURS,
    since: 'the end of the session',
  },
  operatorSessions: {
    tables: ['operator_sessions', 'operator_enrolments', 'operator_reveals'],
    hours: 90 * DAY_HOURS,
    since: 'its expiry',
  },
  oneTimeCodes: { tables: ['one_time_codes'], hours: 30 * DAY_HOURS, since: 'its expiry' },
  invitations: { tables: ['invitations'], hours: 90 * DAY_HOURS, since: 'the invitation' },
  devices: { tables: ['devices'], hours: 400 * DAY_HOURS, since: 'its last sign-in' },
  unprovenAccounts: { tables: ['merchants'], hours: 48, since: 'a sign-up without a sign-in' },
  unclaimedDocuments: { tables: ['documents'], hours: 1, since: 'an upload that no account claimed' },
  events: {
    tables: ['events', 'webhook_deliveries', 'webhook_delivery_attempts'],
    hours: EVENT_DAYS * DAY_HOURS,
    since: 'the event',
  },
  callbacks: {
    tables: ['provider_callbacks'],
    hours: 30 * DAY_HOURS,
    since: 'its receipt, once it is handled',
  },
  retainedNumbers: {
    tables: ['retained_numbers'],
    hours: 180 * DAY_HOURS,
    since: 'the payment, and until its open refunds have ended',
  },
  jobRuns: { tables: ['job_runs'], hours: 3 * DAY_HOURS, since: 'the run' },
  callFigures: { tables: ['provider_call_counts'], hours: 7 * DAY_HOURS, since: 'the minute' },
} as const satisfies Readonly<Record<string, Retention>>

export const retentionMs = (subject: keyof typeof retention): number => retention[subject].hours * 3_600_000

const BATCH = 500

/**
 * Deletes expired rows in bounded statements until none is left, or the process stops: a limit of batches for each round would fall behind the
 * creation of rows under load.
 * @param deleteBatch deletes at most that many rows and returns their number
 * @returns the number of deleted rows
 */
export async function prune(
  deleteBatch: (most: number) => Promise<number>,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0
  while (!signal.aborted) {
    const count = await deleteBatch(BATCH)
    deleted += count
    if (count < BATCH) break
  }
  return deleted
}
