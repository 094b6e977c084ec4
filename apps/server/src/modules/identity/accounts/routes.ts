import * as contract from '@muripo/contract/account'
import { SessionId } from '@muripo/contract/ids'
import { callerActor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { parseId } from '../../../platform/ids.ts'
import { visitorOf } from '../devices/visitor.ts'
import { changePassword } from '../passwords/actions/change-password.ts'
import { endOneSession } from '../sessions/actions/end-one-session.ts'
import { signOutEverywhere } from '../sessions/actions/sign-out-everywhere.ts'
import { openSessions } from '../sessions/open-sessions.ts'
import type { SessionCaller } from '../sessions/session-auth.ts'
import { changeTimeZone } from './actions/change-time-zone.ts'
import { findProfile } from './store-profile.ts'

/** What a merchant sees and changes of the own account. */
export const accountRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(contract.getAccount, async ({ caller }) =>
    answer(200, await findProfile(ctx.db.kysely, caller.merchantId, ctx.config.keyMode)),
  ),
  bind(contract.changeAccount, async ({ caller, body, request, confirmed }) => {
    const { merchantId } = caller
    await changeTimeZone(confirmed(ctx), callerActor(caller, request), merchantId, body.timeZone)
    return answer(200, await findProfile(ctx.db.kysely, merchantId, ctx.config.keyMode))
  }),
  bind(contract.changePassword, async ({ caller, body, request, confirmed }) =>
    answer(200, await changePassword(confirmed(ctx), caller, body, visitorOf(ctx, request))),
  ),
  bind(contract.listSessions, async ({ caller }) =>
    answer(200, { sessions: await openSessions(ctx, caller) }),
  ),
  bind(contract.endSession, async ({ caller, params, request, confirm }) => {
    const { merchantId } = caller
    const sessionId = parseId(SessionId, params.sessionId)
    if (sessionId === null) throw new AppError('not_found')
    await endOneSession(ctx, callerActor(caller, request), { merchantId, sessionId }, confirm)
    return answer(204, undefined)
  }),
  bind(contract.endAllSessions, async ({ caller, request, confirm }) => {
    const { merchantId } = caller
    await signOutEverywhere(ctx, callerActor(caller, request), merchantId, confirm)
    return answer(204, undefined)
  }),
]
