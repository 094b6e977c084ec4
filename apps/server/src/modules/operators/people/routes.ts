import type { Me } from '@muripo/contract/console'
import { consolePermissions, consolePermissionsOf } from '@muripo/contract/console-permissions'
import * as contract from '@muripo/contract/console-sign-in'
import type { FastifyRequest } from 'fastify'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { admitPerAddress } from '../../../platform/limits/admit.ts'
import type { Limit } from '../../../platform/limits/limits.ts'
import { finishEnrolment, signIn, startEnrolment, startSigning } from './actions/sign.ts'
import { actorOf, consoleCookie } from './console-auth.ts'
import { endSession, type OperatorCaller } from './store-sessions.ts'

const ENROL: Limit = { name: 'console-enrol', quota: 20, windowMs: 60_000 }
const SIGN_IN: Limit = { name: 'console-sign-in', quota: 20, windowMs: 60_000 }

const originOf = ({ ip, id }: FastifyRequest) => ({ address: ip, requestId: id })

/** The operator of a session as the console shows it. */
export const meOf = ({ operator, sessionEndsAt }: OperatorCaller, fourEyes: Me['fourEyes']): Me => ({
  id: operator.id,
  email: operator.email,
  name: operator.name,
  role: operator.role,
  permissions: consolePermissions.filter((each) => consolePermissionsOf[operator.role].has(each)),
  fourEyes,
  sessionEndsAt: sessionEndsAt.toISOString(),
})

/** The calls without a session: to register a passkey with a one-time link, and to sign in. */
export const signInRoutes = (ctx: Ctx, readFourEyes: () => Promise<Me['fourEyes']>): Binding<null>[] => {
  const [enrolling, signingIn] = [ENROL, SIGN_IN].map((limit) => admitPerAddress(ctx, [limit]))
  return [
    bind(
      contract.startEnrolment,
      async ({ body }) => answer(200, await startEnrolment(ctx, body.token)),
      enrolling,
    ),
    bind(
      contract.finishEnrolment,
      async ({ body, request }) => {
        const { email, name } = await finishEnrolment(ctx, body, originOf(request))
        return answer(201, { email, name })
      },
      enrolling,
    ),
    bind(
      contract.startConsoleSignIn,
      async () => answer(200, await startSigning(ctx, { purpose: 'sign_in' })),
      signingIn,
    ),
    bind(
      contract.consoleSignIn,
      async ({ body, request }) => {
        const signedIn = await signIn(ctx, body.passkey, originOf(request))
        const headers = { 'set-cookie': consoleCookie(ctx, signedIn.token) }
        return { ...answer(200, meOf(signedIn, await readFourEyes())), headers }
      },
      signingIn,
    ),
  ]
}

export const signOutRoutes = (ctx: Ctx): Binding<OperatorCaller>[] => [
  bind(contract.consoleSignOut, async ({ caller, request, confirm }) => {
    await ctx.db.tx(async (tx) => {
      await confirm(tx)
      await endSession(tx, caller.sessionId)
      const { id: subject } = caller.operator
      await audit(ctx, tx, actorOf(caller, request), {
        action: 'operator.signed_out',
        subject,
        accountId: null,
      })
    })
    return { ...answer(204, undefined), headers: { 'set-cookie': consoleCookie(ctx, null) } }
  }),
]
