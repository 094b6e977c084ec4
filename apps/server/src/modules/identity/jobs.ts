import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { prune, retentionMs } from '../../platform/jobs/retention.ts'
import { deleteStaleDevices } from './devices/store-devices.ts'
import { discardUnusedDocuments } from './documents/actions/discard-documents.ts'
import { deleteOldInvitations } from './memberships/store-invitations.ts'
import { deleteUnprovenAccounts } from './merchants/actions/delete-unproven-accounts.ts'
import { deleteOldCodes } from './one-time-codes/store-codes.ts'
import { deleteExpiredChallenges } from './passkeys/store-challenges.ts'
import { resetCodeJob } from './passwords/actions/send-reset-code.ts'
import { deleteExpiredFailures } from './passwords/store-lockouts.ts'
import { refusedAttemptJob } from './refused-attempts.ts'
import { deleteOldSessions } from './sessions/store-sessions.ts'

export const identityJobs = (ctx: Ctx): Job[] => [resetCodeJob(ctx), refusedAttemptJob(ctx)]

export const identityTasks = (ctx: Ctx): PeriodicTask[] => [
  { name: 'prune-identity', pauseMs: 60_000, isSlow: true, run: (signal) => pruneIdentity(ctx, signal) },
  { name: 'delete-unproven-accounts', pauseMs: 60_000, run: () => deleteUnprovenAccounts(ctx) },
  { name: 'discard-unused-documents', pauseMs: 600_000, run: () => discardUnusedDocuments(ctx) },
]

/** Deletes expired rows of sign-ins: failures, challenges, sessions, codes and devices. */
export async function pruneIdentity(ctx: Ctx, signal = new AbortController().signal): Promise<void> {
  const now = ctx.clock.now()
  const db = ctx.db.kysely
  await deleteExpiredFailures(db, now)
  await deleteExpiredChallenges(db, now)
  await prune((most) => deleteOldSessions(db, plusMs(now, -retentionMs('sessions')), most), signal)
  await prune((most) => deleteOldCodes(db, plusMs(now, -retentionMs('oneTimeCodes')), most), signal)
  await prune((most) => deleteOldInvitations(db, plusMs(now, -retentionMs('invitations')), most), signal)
  await deleteStaleDevices(db, plusMs(now, -retentionMs('devices')))
}
