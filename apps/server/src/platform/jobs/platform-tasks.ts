import type { Ctx } from '../ctx.ts'
import type { DatabaseClock } from '../db/database-clock.ts'
import { deleteExpiredLimits } from '../limits/limits.ts'
import { freeOrphans } from './orphans.ts'
import type { PeriodicTask } from './periodic-task.ts'

/** For the queue of jobs of one node. */
export const freeOrphansTask = (ctx: Ctx): PeriodicTask => ({
  name: 'free-orphans',
  pauseMs: 10_000,
  run: () => freeOrphans(ctx.db.kysely),
})

export const platformTasks = (ctx: Ctx, clock: DatabaseClock): PeriodicTask[] => [
  { name: 'measure-disk', pauseMs: 5000, isLocal: true, run: () => ctx.disk.measure() },
  { name: 'measure-clock', pauseMs: 60_000, isLocal: true, run: () => clock.measure() },
  freeOrphansTask(ctx),
  { name: 'delete-expired-limits', pauseMs: 60_000, run: () => deleteExpiredLimits(ctx) },
]
