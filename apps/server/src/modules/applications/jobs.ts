import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { deleteExpiredRecords } from './store-idempotency.ts'

/** A round reads these pages in a few milliseconds; at one round a second a table of 10 GB is read in an hour. */
const PAGES = 400

export const applicationTasks = (ctx: Ctx): PeriodicTask[] => [
  { name: 'delete-idempotency-records', pauseMs: 1000, run: idempotencyPruner(ctx) },
]

/** Deletes records that are older than 30 days, some pages of their table in each round. */
export function idempotencyPruner(ctx: Ctx): () => Promise<void> {
  let page = 0
  return async () => {
    page = await deleteExpiredRecords(ctx.db.kysely, page, PAGES)
  }
}
