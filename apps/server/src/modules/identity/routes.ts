import * as account from '@muripo/contract/account'
import * as auth from '@muripo/contract/auth'
import { getConfig } from '@muripo/contract/config'
import * as factors from '@muripo/contract/factors'
import { PasskeyId, SessionId } from '@muripo/contract/ids'
import * as passkeys from '@muripo/contract/passkeys'
import { callerActor } from '../../platform/audit/actor.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { requestedId } from '../../platform/ids.ts'
import { admitPerAddressInMemory } from '../../platform/limits/admit.ts'
import { changeAccount } from './accounts/actions/change-account.ts'
import { signUp } from './accounts/actions/sign-up.ts'
import { findProfile } from './accounts/store-profile.ts'
import { deviceHeaders, visitorOf } from './devices/visitor.ts'
import { enableTotp, removeTotp, replaceRecoveryCodes, startTotp } from './factors/actions/manage-totp.ts'
import { readFactors } from './factors/actions/read-factors.ts'
import { stepUp } from './factors/actions/step-up.ts'
import { addPasskey, startPasskey } from './passkeys/actions/add-passkey.ts'
import { removePasskey, renamePasskey } from './passkeys/actions/manage-passkeys.ts'
import { type Passkey, passkeysOf } from './passkeys/store-passkeys.ts'
import { changePassword } from './passwords/actions/change-password.ts'
import { forgotPassword } from './passwords/actions/forgot-password.ts'
import { resetPassword } from './passwords/actions/reset-password.ts'
import { setNewPassword } from './passwords/actions/set-new-password.ts'
import { endOneSession, signOut, signOutEverywhere } from './sessions/actions/end-sessions.ts'
import { refreshSession } from './sessions/actions/refresh-session.ts'
import type { SessionCaller } from './sessions/session-auth.ts'
import { listSessions } from './sessions/sessions.ts'
import type { TokenSubject } from './sessions/tokens.ts'
import { requestPasskey, verifyPasskey } from './sign-in/actions/passkey-sign-in.ts'
import { resendCode } from './sign-in/actions/resend-code.ts'
import { signIn } from './sign-in/actions/sign-in.ts'
import { type SignedIn, verifyCode } from './sign-in/actions/verify-code.ts'
import { admitByThrottle, enforceThrottle, throttles } from './throttles.ts'

/** Routes without a session. Each has a limit by address. */
export const publicIdentityRoutes = (ctx: Ctx): Binding<null>[] => [
  bind(
    getConfig,
    async () => {
      const { publicUrl: apiHost, keyMode: mode } = ctx.config
      return answer(200, { uploadKey: ctx.keys.uploadKey, apiHost, mode })
    },
    admitPerAddressInMemory(ctx, throttles.config),
  ),
  bind(
    auth.signUp,
    async ({ body, request }) => answer(201, await signUp(ctx, body, visitorOf(ctx, request))),
    admitByThrottle(ctx, throttles.signUp),
  ),
  ...signInRoutes(ctx),
  ...resetRoutes(ctx),
  bind(
    auth.refreshToken,
    async ({ body, request }) =>
      answer(200, await refreshSession(ctx, body.refreshToken, visitorOf(ctx, request))),
    admitByThrottle(ctx, throttles.refresh),
  ),
]

function signInRoutes(ctx: Ctx): Binding<null>[] {
  return [
    bind(
      auth.signIn,
      async ({ body, request }) => answer(200, await signIn(ctx, body, visitorOf(ctx, request))),
      admitByThrottle(ctx, throttles.signIn),
    ),
    bind(
      auth.verifyOtp,
      async ({ params, body, request }) =>
        signedIn(ctx, await verifyCode(ctx, { ...params, ...body }, visitorOf(ctx, request))),
      admitByThrottle(ctx, throttles.verifyCode),
    ),
    bind(
      auth.resendOtp,
      async ({ params, request }) =>
        answer(200, await resendCode(ctx, params.otpId, visitorOf(ctx, request))),
      admitByThrottle(ctx, throttles.resendCode),
    ),
    bind(
      passkeys.requestPasskey,
      async ({ params }) => answer(200, await requestPasskey(ctx, params.otpId)),
      admitByThrottle(ctx, throttles.requestPasskey),
    ),
    bind(
      passkeys.verifyPasskey,
      async ({ params, body, request }) =>
        signedIn(ctx, await verifyPasskey(ctx, { ...params, ...body }, visitorOf(ctx, request))),
      admitByThrottle(ctx, throttles.verifyPasskey),
    ),
  ]
}

const signedIn = ({ config }: Ctx, { tokens, device }: SignedIn) => ({
  ...answer(200, tokens),
  headers: deviceHeaders(config, device),
})

function resetRoutes(ctx: Ctx): Binding<null>[] {
  return [
    bind(
      auth.forgotPassword,
      async ({ body, request }) =>
        answer(200, await forgotPassword(ctx, body.email, visitorOf(ctx, request))),
      admitByThrottle(ctx, throttles.forgotPassword),
    ),
    bind(
      auth.setNewPassword,
      async ({ params, body, request }) => {
        const visitor = visitorOf(ctx, request)
        const { message, device } = await setNewPassword(ctx, { ...params, ...body }, visitor)
        return { ...answer(200, { message }), headers: deviceHeaders(ctx.config, device) }
      },
      admitByThrottle(ctx, throttles.setNewPassword),
    ),
    bind(
      auth.resetPassword,
      async ({ body, request }) => {
        const { message, device } = await resetPassword(ctx, body, visitorOf(ctx, request))
        return { ...answer(200, { message }), headers: deviceHeaders(ctx.config, device) }
      },
      admitByThrottle(ctx, throttles.setNewPassword),
    ),
  ]
}

/** Routes of a token's holder, whether or not its session is active. */
export const signOutRoutes = (ctx: Ctx): Binding<TokenSubject>[] => [
  bind(
    auth.signOut,
    async ({ caller, request }) => {
      await signOut(ctx, callerActor(caller, request), caller)
      return answer(204, undefined)
    },
    admitByThrottle(ctx, throttles.signOut),
  ),
]

/** Routes of a signed-in merchant. */
export const identityRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  bind(account.getAccount, async ({ caller }) =>
    answer(200, await findProfile(ctx.db.kysely, caller, ctx.config.keyMode)),
  ),
  bind(account.changeAccount, async ({ caller, body, request, confirmed }) => {
    await changeAccount(confirmed(ctx), caller, request, body)
    return answer(200, await findProfile(ctx.db.kysely, caller, ctx.config.keyMode))
  }),
  bind(account.changePassword, async ({ caller, body, request, confirmed }) =>
    answer(200, await changePassword(confirmed(ctx), caller, body, visitorOf(ctx, request))),
  ),
  ...passkeyRoutes(ctx),
  ...factorRoutes(ctx),
  bind(account.listSessions, async ({ caller }) =>
    answer(200, { sessions: await listSessions(ctx, caller) }),
  ),
  bind(account.endSession, async ({ caller, params, request, confirm }) => {
    const sessionId = requestedId(SessionId, params.sessionId)
    await endOneSession(ctx, callerActor(caller, request), { caller, sessionId }, confirm)
    return answer(204, undefined)
  }),
  bind(account.endAllSessions, async ({ caller, request, confirm }) => {
    await signOutEverywhere(ctx, callerActor(caller, request), caller, confirm)
    return answer(204, undefined)
  }),
]

const factorChanges =
  (ctx: Ctx) =>
  ({ personId }: SessionCaller) =>
    enforceThrottle(ctx, throttles.factorChanges, personId)

function factorRoutes(ctx: Ctx): Binding<SessionCaller>[] {
  const countChange = factorChanges(ctx)

  return [
    bind(factors.getFactors, async ({ caller }) => answer(200, await readFactors(ctx, caller))),
    bind(factors.startTotp, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      return answer(200, await startTotp(confirmed(ctx), caller, body.password, visitorOf(ctx, request)))
    }),
    bind(factors.enableTotp, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      const recoveryCodes = await enableTotp(confirmed(ctx), caller, body.code, visitorOf(ctx, request))
      return answer(200, { recoveryCodes })
    }),
    bind(factors.removeTotp, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      await removeTotp(confirmed(ctx), caller, body.password, visitorOf(ctx, request))
      return answer(204, undefined)
    }),
    bind(factors.replaceRecoveryCodes, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      const visitor = visitorOf(ctx, request)
      const recoveryCodes = await replaceRecoveryCodes(confirmed(ctx), caller, body.password, visitor)
      return answer(200, { recoveryCodes })
    }),
    bind(factors.stepUp, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      const until = await stepUp(confirmed(ctx), caller, body, visitorOf(ctx, request))
      return answer(200, { confirmedUntil: until.toISOString() })
    }),
  ]
}

function passkeyRoutes(ctx: Ctx): Binding<SessionCaller>[] {
  const countChange = factorChanges(ctx)

  return [
    bind(passkeys.listPasskeys, async ({ caller }) => {
      const found = await passkeysOf(ctx.db.kysely, caller.personId)
      return answer(200, { passkeys: found.map(passkeyToWire) })
    }),
    bind(passkeys.startPasskey, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      return answer(200, await startPasskey(confirmed(ctx), caller, body.password, visitorOf(ctx, request)))
    }),
    bind(passkeys.addPasskey, async ({ caller, body, request, confirmed }) => {
      await countChange(caller)
      const added = await addPasskey(confirmed(ctx), caller, body.passkey, visitorOf(ctx, request))
      return answer(201, passkeyToWire(added))
    }),
    bind(passkeys.renamePasskey, async ({ caller, params, body, request, confirmed }) => {
      await countChange(caller)
      const actor = callerActor(caller, request)
      const change = { id: requestedId(PasskeyId, params.passkeyId), name: body.name }
      const renamed = await renamePasskey(confirmed(ctx), actor, caller, change)
      return answer(200, passkeyToWire(renamed))
    }),
    bind(passkeys.removePasskey, async ({ caller, params, body, request, confirmed }) => {
      await countChange(caller)
      const removal = { id: requestedId(PasskeyId, params.passkeyId), password: body.password }
      await removePasskey(confirmed(ctx), caller, removal, visitorOf(ctx, request))
      return answer(204, undefined)
    }),
  ]
}

const passkeyToWire = ({ id, name, synced, createdAt, lastUsedAt }: Passkey): passkeys.Passkey => ({
  _id: id,
  name,
  synced,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
