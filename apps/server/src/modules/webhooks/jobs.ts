import { EVENT_DAYS } from '@muripo/contract/constants'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { purgeDeletedEndpoints } from './endpoints/store-endpoints.ts'
import { deleteEvents } from './events/store-events.ts'

export const webhookTasks = (ctx: Pick<Ctx, 'db' | 'clock'>): PeriodicTask[] => [
  { name: 'delete-old-events', pauseMs: 600_000, run: () => deleteOldEvents(ctx) },
]

const KEPT_MS = EVENT_DAYS * 24 * 60 * 60 * 1000
const BATCH = 500
/** A job that is far behind lets its process stop in between. */
const MOST_BATCHES = 100

/** Forgets what is older than events are kept, with its deliveries, and the endpoints of which nothing is left by then. */
export async function deleteOldEvents(ctx: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  const before = plusMs(ctx.clock.now(), -KEPT_MS)
  await purgeDeletedEndpoints(ctx.db.kysely, before)
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await deleteEvents(ctx.db.kysely, before, BATCH)) < BATCH) return
  }
}
