import * as contract from '@muripo/contract/account'
import { refreshToken, signOut as signOutRoute } from '@muripo/contract/auth'
import { SessionId } from '@muripo/contract/ids'
import { callerActor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import { visitorOf } from '../devices/visitor.ts'
import { admitByThrottle } from '../enforce-throttles.ts'
import { throttles } from '../throttles.ts'
import { endOneSession } from './actions/end-one-session.ts'
import { listSessions } from './actions/list-sessions.ts'
import { refreshSession } from './actions/refresh-session.ts'
import { signOut } from './actions/sign-out.ts'
import { signOutEverywhere } from './actions/sign-out-everywhere.ts'
import type { SessionCaller } from './session-auth.ts'
import type { TokenSubject } from './tokens.ts'

export const publicSessionRoutes = (ctx: Ctx): Binding<null>[] => [
  bind(
    refreshToken,
    async ({ body, request }) =>
      answer(200, await refreshSession(ctx, body.refreshToken, visitorOf(ctx, request))),
    admitByThrottle(ctx, throttles.refresh),
  ),
]

/** Routes of a token's holder, whether or not its session is active. */
export const signOutRoutes = (ctx: Ctx): Binding<TokenSubject>[] => [
  bind(
    signOutRoute,
    async ({ caller, request }) => {
      await signOut(ctx, callerActor(caller, request), caller)
      return answer(204, undefined)
    },
    admitByThrottle(ctx, throttles.signOut),
  ),
]

export const sessionRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(contract.listSessions, async ({ caller }) =>
    answer(200, { sessions: await listSessions(ctx, caller) }),
  ),
  bind(contract.endSession, async ({ caller, params, request, confirm }) => {
    const { merchantId } = caller
    const sessionId = requestedId(SessionId, params.sessionId)
    await endOneSession(ctx, callerActor(caller, request), { merchantId, sessionId }, confirm)
    return answer(204, undefined)
  }),
  bind(contract.endAllSessions, async ({ caller, request, confirm }) => {
    const { merchantId } = caller
    await signOutEverywhere(ctx, callerActor(caller, request), merchantId, confirm)
    return answer(204, undefined)
  }),
]
