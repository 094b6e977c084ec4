import { EVENT_DAYS } from '@muripo/contract/constants'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { purgeDeletedEndpoints } from './endpoints/store-endpoints.ts'
import { deleteEvents } from './events/store-events.ts'

export const webhookTasks = (ctx: Pick<Ctx, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'delete-old-events', pauseMs: 600_000, run: () => deleteOldEvents(ctx) },
]

const RETENTION_MS = EVENT_DAYS * 24 * 60 * 60 * 1000
const BATCH = 500
/** The limit lets a process stop while it deletes many events. */
const MOST_BATCHES = 100

/** Deletes events that are older than the retention time, with their deliveries, and deleted endpoints without events. */
export async function deleteOldEvents(ctx: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  const before = plusMs(ctx.clock.now(), -RETENTION_MS)
  await purgeDeletedEndpoints(ctx.db.kysely, before)
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await deleteEvents(ctx.db.kysely, before, BATCH)) < BATCH) return
  }
}
