import { listActivity } from '@muripo/contract/activity'
import { plusDays, startOfDay } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { merchantProfile } from '../merchants/store-merchants.ts'
import type { SessionCaller } from '../sessions/session-auth.ts'
import { activityOf } from './read-activity.ts'

export const activityRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(listActivity, async ({ caller, query: { from, to, ...query } }) => {
    const hasDays = from !== undefined || to !== undefined
    const timeZone = hasDays ? (await merchantProfile(ctx.reads.kysely, caller.merchantId)).timeZone : 'UTC'
    const found = await activityOf(ctx.reads.kysely, caller.merchantId, {
      ...query,
      from: from === undefined ? undefined : startOfDay(from, timeZone),
      before: to === undefined ? undefined : startOfDay(plusDays(to, 1), timeZone),
      limit: query.limit + 1,
    })
    const activity = found.slice(0, query.limit)
    return answer(200, {
      activity,
      nextCursor: found.length > query.limit ? (activity.at(-1)?.id ?? null) : null,
    })
  }),
]
