import type { Status } from '@muripo/contract/site'
import { sql } from 'kysely'
import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { prune, retentionMs } from '../../platform/jobs/retention.ts'
import { mailDaily } from './console/mail-daily.ts'
import { expireProposals } from './proposals/store-proposals.ts'

/** @param readStatus the state of the parts, as this process sees them */
export const operatorTasks = (ctx: Ctx, readStatus: () => Promise<Status>): PeriodicTask[] => [
  { name: 'close-console', pauseMs: 60_000, run: (signal) => closeConsole(ctx, signal) },
  { name: 'mail-operators', pauseMs: 600_000, isSlow: true, run: () => mailDaily(ctx, readStatus) },
]

/** Closes expired proposals, and deletes what operators can no longer use. */
export async function closeConsole(ctx: Ctx, signal = new AbortController().signal): Promise<void> {
  await expireProposals(ctx.db.kysely)
  await prune((most) => deleteExpired(ctx, 'operator_challenges', 0, most), signal)
  await prune((most) => deleteExpired(ctx, 'operator_reveals', retentionMs('operatorSessions'), most), signal)
  await prune(
    (most) => deleteExpired(ctx, 'operator_enrolments', retentionMs('operatorSessions'), most),
    signal,
  )
  await prune(
    (most) => deleteExpired(ctx, 'operator_sessions', retentionMs('operatorSessions'), most),
    signal,
  )
}

async function deleteExpired(
  { db }: Ctx,
  name: 'operator_challenges' | 'operator_enrolments' | 'operator_reveals' | 'operator_sessions',
  afterMs: number,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(name)} where ctid in (
      select ctid from ${sql.table(name)} where expires_at < muripo_now() - ${afterMs} * interval '1 millisecond' limit ${most}
    )`.execute(db.kysely)
  return Number(numAffectedRows ?? 0n)
}
