import { changePassword as changePasswordRoute } from '@muripo/contract/account'
import * as contract from '@muripo/contract/auth'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { deviceHeaders } from '../devices/device-cookie.ts'
import { visitorOf } from '../devices/visitor.ts'
import { admitByThrottle } from '../enforce-throttles.ts'
import type { SessionCaller } from '../sessions/session-auth.ts'
import { throttles } from '../throttles.ts'
import { changePassword } from './actions/change-password.ts'
import { forgotPassword } from './actions/forgot-password.ts'
import { resetPassword } from './actions/reset-password.ts'
import { setNewPassword } from './actions/set-new-password.ts'

export const publicPasswordRoutes = (ctx: Ctx): Binding<null>[] => [
  bind(
    contract.forgotPassword,
    async ({ body, request }) => answer(200, await forgotPassword(ctx, body.email, visitorOf(ctx, request))),
    admitByThrottle(ctx, throttles.forgotPassword),
  ),
  bind(
    contract.setNewPassword,
    async ({ params, body, request }) => {
      const visitor = visitorOf(ctx, request)
      const { message, device } = await setNewPassword(ctx, { ...params, ...body }, visitor)
      return { ...answer(200, { message }), headers: deviceHeaders(ctx.config, device) }
    },
    admitByThrottle(ctx, throttles.setNewPassword),
  ),
  bind(
    contract.resetPassword,
    async ({ body, request }) => {
      const { message, device } = await resetPassword(ctx, body, visitorOf(ctx, request))
      return { ...answer(200, { message }), headers: deviceHeaders(ctx.config, device) }
    },
    admitByThrottle(ctx, throttles.setNewPassword),
  ),
]

export const passwordRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(changePasswordRoute, async ({ caller, body, request, confirmed }) =>
    answer(200, await changePassword(confirmed(ctx), caller, body, visitorOf(ctx, request))),
  ),
]
