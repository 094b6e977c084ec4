import * as contract from '@muripo/contract/auth'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { deviceHeaders } from '../devices/device-cookie.ts'
import { visitorOf } from '../devices/visitor.ts'
import { admitByThrottle } from '../enforce-throttles.ts'
import { throttles } from '../throttles.ts'
import { resendCode } from './actions/resend-code.ts'
import { signIn } from './actions/sign-in.ts'
import { verifyCode } from './actions/verify-code.ts'

export const signInRoutes = (ctx: Ctx): Binding<null>[] => [
  bind(
    contract.signIn,
    async ({ body, request }) => answer(200, await signIn(ctx, body, visitorOf(ctx, request))),
    admitByThrottle(ctx, throttles.signIn),
  ),
  bind(
    contract.verifyOtp,
    async ({ params, body, request }) => {
      const { tokens, device } = await verifyCode(ctx, { ...params, ...body }, visitorOf(ctx, request))
      return { ...answer(200, tokens), headers: deviceHeaders(ctx.config, device) }
    },
    admitByThrottle(ctx, throttles.verifyCode),
  ),
  bind(
    contract.resendOtp,
    async ({ params, request }) => answer(200, await resendCode(ctx, params.otpId, visitorOf(ctx, request))),
    admitByThrottle(ctx, throttles.resendCode),
  ),
]
