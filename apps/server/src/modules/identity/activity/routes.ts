import { listActivity } from '@muripo/contract/activity'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import type { SessionCaller } from '../sessions/session-auth.ts'
import { activityOf } from './read-activity.ts'

export const activityRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(listActivity, async ({ caller, query }) => {
    const found = await activityOf(ctx.reads.kysely, caller.merchantId, {
      ...query,
      limit: query.limit + 1,
    })
    const activity = found.slice(0, query.limit)
    return answer(200, {
      activity,
      nextCursor: found.length > query.limit ? (activity.at(-1)?.id ?? null) : null,
    })
  }),
]
