import { plusMs } from '../../platform/clock.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { deleteCallbacks } from './store-old-callbacks.ts'

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
const BATCH = 500
/** A job that is far behind lets its process stop in between. */
const MOST_BATCHES = 100

/** Forgets callbacks that were gone through long ago: what they led to stands with the attempts. */
export async function forgetCallbacks(ctx: Pick<Ctx, 'db' | 'clock'>): Promise<void> {
  const before = plusMs(ctx.clock.now(), -KEPT_MS)
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await deleteCallbacks(ctx.db, before, BATCH)) < BATCH) return
  }
}
