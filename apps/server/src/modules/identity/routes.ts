import * as contract from '@muripo/contract/auth'
import { getConfig } from '@muripo/contract/config'
import * as passkeys from '@muripo/contract/passkeys'
import { callerActor } from '../../platform/audit/actor.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { pacePerAddress } from '../../platform/limits/admit.ts'
import { signUp } from './accounts/actions/sign-up.ts'
import { type Device, deviceCookie } from './devices/device-cookie.ts'
import { visitorOf } from './devices/visitor.ts'
import { admit, configReads } from './limits.ts'
import { askForPasskey } from './passkeys/actions/ask-for-passkey.ts'
import { verifyPasskey } from './passkeys/actions/verify-passkey.ts'
import { forgotPassword } from './passwords/actions/forgot-password.ts'
import { resetPassword } from './passwords/actions/reset-password.ts'
import { setNewPassword } from './passwords/actions/set-new-password.ts'
import { refreshSession } from './sessions/actions/refresh-session.ts'
import { signOut } from './sessions/actions/sign-out.ts'
import type { TokenSubject } from './sessions/tokens.ts'
import { resendCode } from './sign-in/actions/resend-code.ts'
import { signIn } from './sign-in/actions/sign-in.ts'
import { verifyCode } from './sign-in/actions/verify-code.ts'

/** What anybody may call, so and so often. */
export function identityRoutes(ctx: Ctx): Binding<null>[] {
  const keeping = (device: Device) => ({ 'set-cookie': deviceCookie(ctx.config, device) })
  return [
    bind(
      getConfig,
      async () => {
        const { publicUrl: apiHost, keyMode: mode } = ctx.config
        return answer(200, { uploadKey: ctx.keys.uploadKey, apiHost, mode })
      },
      pacePerAddress(ctx, configReads),
    ),
    bind(
      contract.signUp,
      async ({ body, request }) => answer(201, await signUp(ctx, body, visitorOf(ctx, request))),
      admit(ctx, 'signUp'),
    ),
    bind(
      contract.signIn,
      async ({ body, request }) => answer(200, await signIn(ctx, body, visitorOf(ctx, request))),
      admit(ctx, 'signIn'),
    ),
    bind(
      contract.verifyOtp,
      async ({ params, body, request }) => {
        const { tokens, device } = await verifyCode(ctx, { ...params, ...body }, visitorOf(ctx, request))
        return { ...answer(200, tokens), headers: keeping(device) }
      },
      admit(ctx, 'verifyCode'),
    ),
    bind(
      passkeys.askForPasskey,
      async ({ params }) => answer(200, await askForPasskey(ctx, params.otpId)),
      admit(ctx, 'askForPasskey'),
    ),
    bind(
      passkeys.verifyPasskey,
      async ({ params, body, request }) => {
        const { tokens, device } = await verifyPasskey(ctx, { ...params, ...body }, visitorOf(ctx, request))
        return { ...answer(200, tokens), headers: keeping(device) }
      },
      admit(ctx, 'verifyPasskey'),
    ),
    bind(
      contract.resendOtp,
      async ({ params, request }) =>
        answer(200, await resendCode(ctx, params.otpId, visitorOf(ctx, request))),
      admit(ctx, 'resendCode'),
    ),
    bind(
      contract.forgotPassword,
      async ({ body, request }) =>
        answer(200, await forgotPassword(ctx, body.email, visitorOf(ctx, request))),
      admit(ctx, 'forgotPassword'),
    ),
    bind(
      contract.setNewPassword,
      async ({ params, body, request }) => {
        const visitor = visitorOf(ctx, request)
        const { message, device } = await setNewPassword(ctx, { ...params, ...body }, visitor)
        return { ...answer(200, { message }), headers: keeping(device) }
      },
      admit(ctx, 'setNewPassword'),
    ),
    bind(
      contract.resetPassword,
      async ({ body, request }) => {
        const { message, device } = await resetPassword(ctx, body, visitorOf(ctx, request))
        return { ...answer(200, { message }), headers: keeping(device) }
      },
      admit(ctx, 'setNewPassword'),
    ),
    bind(
      contract.refreshToken,
      async ({ body, request }) =>
        answer(200, await refreshSession(ctx, body.refreshToken, visitorOf(ctx, request))),
      admit(ctx, 'refresh'),
    ),
  ]
}

/** What needs a token, in force or not. */
export const signOutRoutes = (ctx: Ctx): Binding<TokenSubject>[] => [
  bind(
    contract.signOut,
    async ({ caller, request }) => {
      await signOut(ctx, callerActor(caller, request), caller)
      return answer(204, undefined)
    },
    admit(ctx, 'signOut'),
  ),
]
