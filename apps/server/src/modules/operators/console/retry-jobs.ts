import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { retryFailed } from '../../../platform/jobs/store-jobs.ts'

/** Runs the failed jobs of a kind again. Returns their number. */
export const retryJobs = (ctx: Ctx, operator: Actor, kind: string): Promise<number> =>
  ctx.db.tx(async (tx) => {
    const retried = await retryFailed(tx, kind)
    if (retried > 0)
      await audit(ctx, tx, operator, {
        action: 'jobs.retried',
        subject: kind,
        accountId: null,
        details: { jobs: retried },
      })
    return retried
  })
