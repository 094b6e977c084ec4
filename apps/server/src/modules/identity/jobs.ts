import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { deleteUnprovenAccounts } from './accounts/actions/delete-unproven-accounts.ts'
import { DEVICE_LIFE_SECONDS } from './devices/device-cookie.ts'
import { deleteStaleDevices } from './devices/store-devices.ts'
import { discardUnusedDocuments } from './documents/actions/discard-unused-documents.ts'
import { deleteOldCodes } from './one-time-codes/store-codes.ts'
import { deleteExpiredChallenges } from './passkeys/store-challenges.ts'
import { resetCodeJob } from './passwords/jobs.ts'
import { deleteExpiredFailures } from './passwords/store-lockouts.ts'
import { deleteOldSessions } from './sessions/store-sessions.ts'
import { refusedAttemptJob } from './sign-in/refused-attempts.ts'
import { DAY_MS } from './throttles.ts'

const SESSIONS_RETENTION_MS = 90 * DAY_MS
const CODES_RETENTION_MS = 30 * DAY_MS
const SLICE = 500

export const identityJobs = (ctx: Ctx): Job[] => [resetCodeJob(ctx), refusedAttemptJob(ctx)]

export const identityTasks = (ctx: Ctx): PeriodicTask[] => [
  { name: 'prune-identity', pauseMs: 60_000, run: () => pruneIdentity(ctx) },
  { name: 'delete-unproven-accounts', pauseMs: 60_000, run: () => deleteUnprovenAccounts(ctx) },
  { name: 'discard-unused-documents', pauseMs: 600_000, run: () => discardUnusedDocuments(ctx) },
]

/** Deletes expired rows of sign-ins: failures, challenges, sessions, codes and devices, a slice of each in a round. */
export async function pruneIdentity(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now()
  const db = ctx.db.kysely
  await deleteExpiredFailures(db, now)
  await deleteExpiredChallenges(db, now)
  await deleteOldSessions(db, plusMs(now, -SESSIONS_RETENTION_MS), SLICE)
  await deleteOldCodes(db, plusMs(now, -CODES_RETENTION_MS), SLICE)
  await deleteStaleDevices(db, plusMs(now, -1000 * DEVICE_LIFE_SECONDS))
}
