import type { BackgroundTasks } from '../../platform/async/background-tasks.ts'
import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { prune, retentionMs } from '../../platform/jobs/retention.ts'
import type { ProviderCalls } from './calls/provider-calls.ts'
import { deleteOldFigures } from './calls/store-figures.ts'
import { type CallbackActions, retryCallbacks } from './inbound.ts'
import { deleteCallbacks } from './store.ts'

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
    // A round starts at most twenty look-ups, and an outage of a provider leaves thousands of callbacks.
    pauseMs: 3000,
    run: async () => void (await retryCallbacks(ctx, backgroundTasks, actions)),
  },
  {
    name: 'delete-old-callbacks',
    pauseMs: 60_000,
    isSlow: true,
    run: (signal) => deleteOldCallbacks(background, signal),
  },
]

/** Deletes callbacks that were handled long ago: their results are stored with the attempts. */
export async function deleteOldCallbacks(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  signal = new AbortController().signal,
): Promise<void> {
  const before = plusMs(ctx.clock.now(), -retentionMs('callbacks'))
  await prune((most) => deleteCallbacks(ctx.db, before, most), signal)
}
