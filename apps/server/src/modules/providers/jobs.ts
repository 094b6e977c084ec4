import type { BackgroundTasks } from '../../platform/async/background-tasks.ts'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { type CallbackActions, retryCallbacks } from './inbound.ts'
import { deleteCallbacks } from './store-old-callbacks.ts'

/**
 * @param ctx for callbacks: they end in an outcome of a payment, which its payer waits for, and use the sessions of payments
 * @param background for everything else
 */
export const providerTasks = (
  ctx: Ctx,
  background: Ctx,
  backgroundTasks: BackgroundTasks,
  actions: CallbackActions,
): PeriodicTask[] => [
  {
    name: 'retry-callbacks',
    pauseMs: 30_000,
    run: async () => void (await retryCallbacks(ctx, backgroundTasks, actions)),
  },
  { name: 'delete-old-callbacks', pauseMs: 600_000, run: () => deleteOldCallbacks(background) },
]

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
const BATCH = 500
/** A job that is far behind lets its process stop in between. */
const MOST_BATCHES = 100

/** Forgets callbacks that were gone through long ago: what they led to stands with the attempts. */
export async function deleteOldCallbacks(ctx: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  const before = plusMs(ctx.clock.now(), -KEPT_MS)
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await deleteCallbacks(ctx.db, before, BATCH)) < BATCH) return
  }
}
