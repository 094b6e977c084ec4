import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { prune, retentionMs } from '../../platform/jobs/retention.ts'
import { purgeDeletedEndpoints } from './endpoints/store-endpoints.ts'
import { deleteEvents } from './events/store-events.ts'

export const webhookTasks = (ctx: Pick<Ctx, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'delete-old-events', pauseMs: 60_000, isSlow: true, run: (signal) => deleteOldEvents(ctx, signal) },
]

/** Deletes events that are older than the retention time, with their deliveries, and deleted endpoints without events. */
export async function deleteOldEvents(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  signal = new AbortController().signal,
): Promise<void> {
  const before = plusMs(ctx.clock.now(), -retentionMs('events'))
  await purgeDeletedEndpoints(ctx.db.kysely, before)
  await prune((most) => deleteEvents(ctx.db.kysely, before, most), signal)
}
