import * as contract from '@muripo/contract/account'
import { signUp as signUpRoute } from '@muripo/contract/auth'
import { getConfig } from '@muripo/contract/config'
import { callerActor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { admitPerAddressInMemory } from '../../../platform/limits/admit.ts'
import { visitorOf } from '../devices/visitor.ts'
import { admitByThrottle } from '../enforce-throttles.ts'
import type { SessionCaller } from '../sessions/session-auth.ts'
import { throttles } from '../throttles.ts'
import { changeAccount } from './actions/change-account.ts'
import { signUp } from './actions/sign-up.ts'
import { findProfile } from './store-profile.ts'

export const publicAccountRoutes = (ctx: Ctx): Binding<null>[] => [
  bind(
    getConfig,
    async () => {
      const { publicUrl: apiHost, keyMode: mode } = ctx.config
      return answer(200, { uploadKey: ctx.keys.uploadKey, apiHost, mode })
    },
    admitPerAddressInMemory(ctx, throttles.config),
  ),
  bind(
    signUpRoute,
    async ({ body, request }) => answer(201, await signUp(ctx, body, visitorOf(ctx, request))),
    admitByThrottle(ctx, throttles.signUp),
  ),
]

export const accountRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(contract.getAccount, async ({ caller }) =>
    answer(200, await findProfile(ctx.db.kysely, caller.merchantId, ctx.config.keyMode)),
  ),
  bind(contract.changeAccount, async ({ caller, body, request, confirmed }) => {
    const { merchantId } = caller
    await changeAccount(confirmed(ctx), callerActor(caller, request), merchantId, body)
    return answer(200, await findProfile(ctx.db.kysely, merchantId, ctx.config.keyMode))
  }),
]
