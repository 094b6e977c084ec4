import type { BackgroundTasks } from '../../platform/async/background-tasks.ts'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import type { ProviderCalls } from './calls/provider-calls.ts'
import { deleteOldFigures } from './calls/store-figures.ts'
import { type CallbackActions, retryCallbacks } from './inbound.ts'
import { deleteCallbacks } from './store-old-callbacks.ts'

/**
 * @param ctx for callbacks: they end in an outcome of a payment, for which its payer waits, and use the sessions of payments
 * @param background for all other tasks
 */
export const providerTasks = (
  ctx: Ctx,
  background: Ctx,
  backgroundTasks: BackgroundTasks,
  actions: CallbackActions,
  calls: ProviderCalls,
): PeriodicTask[] => [
  { name: 'exchange-call-figures', pauseMs: 5000, isLocal: true, run: () => calls.exchange() },
  { name: 'delete-old-call-figures', pauseMs: 600_000, run: () => deleteOldFigures(background.db) },
  {
    name: 'retry-callbacks',
    pauseMs: 30_000,
    run: async () => void (await retryCallbacks(ctx, backgroundTasks, actions)),
  },
  { name: 'delete-old-callbacks', pauseMs: 600_000, run: () => deleteOldCallbacks(background) },
]

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000
const BATCH = 500
/** The limit lets a process stop while it deletes many callbacks. */
const MOST_BATCHES = 100

/** Deletes callbacks that were handled long ago: their results are stored with the attempts. */
export async function deleteOldCallbacks(ctx: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  const before = plusMs(ctx.clock.now(), -RETENTION_MS)
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await deleteCallbacks(ctx.db, before, BATCH)) < BATCH) return
  }
}
