import * as contract from '@muripo/contract/auth'
import { getConfig } from '@muripo/contract/config'
import type { Ctx } from '../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { forgotPassword } from './actions/forgot-password.ts'
import { refreshSession } from './actions/refresh-session.ts'
import { resendCode } from './actions/resend-code.ts'
import { setNewPassword } from './actions/set-new-password.ts'
import { signIn } from './actions/sign-in.ts'
import { signOut } from './actions/sign-out.ts'
import { signUp } from './actions/sign-up.ts'
import { verifyCode } from './actions/verify-code.ts'
import type { TokenSubject } from './tokens.ts'

/** What anybody may call. */
export const identityRoutes = (ctx: Ctx): Binding<null>[] => [
  bind(getConfig, async () => {
    const { publicUrl: apiHost, mode } = ctx.config
    return answer(200, { uploadKey: ctx.keys.uploadKey, apiHost, mode })
  }),
  bind(contract.signUp, async ({ body }) => answer(201, await signUp(ctx, body))),
  bind(contract.signIn, async ({ body }) => answer(200, await signIn(ctx, body))),
  bind(contract.verifyOtp, async ({ params, body }) =>
    answer(200, await verifyCode(ctx, { ...params, ...body })),
  ),
  bind(contract.resendOtp, async ({ params }) => answer(200, await resendCode(ctx, params.otpId))),
  bind(contract.forgotPassword, async ({ body }) => answer(200, await forgotPassword(ctx, body.email))),
  bind(contract.setNewPassword, async ({ params, body }) =>
    answer(200, await setNewPassword(ctx, { ...params, ...body })),
  ),
  bind(contract.refreshToken, async ({ body }) => answer(200, await refreshSession(ctx, body.refreshToken))),
]

/** What needs a token, in force or not. */
export const signOutRoutes = (ctx: Ctx): Binding<TokenSubject>[] => [
  bind(contract.signOut, async ({ caller }) => {
    await signOut(ctx, caller)
    return answer(204, undefined)
  }),
]
