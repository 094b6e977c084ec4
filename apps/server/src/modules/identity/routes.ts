import type { Ctx } from '../../platform/ctx.ts'
import type { Binding } from '../../platform/http/route.ts'
import { accountRoutes, publicAccountRoutes } from './accounts/routes.ts'
import { passkeyRoutes, publicPasskeyRoutes } from './passkeys/routes.ts'
import { passwordRoutes, publicPasswordRoutes } from './passwords/routes.ts'
import { publicSessionRoutes, sessionRoutes } from './sessions/routes.ts'
import type { SessionCaller } from './sessions/session-auth.ts'
import { signInRoutes } from './sign-in/routes.ts'

/** Routes without a session. Each has a limit by address. */
export const publicIdentityRoutes = (ctx: Ctx): Binding<null>[] => [
  ...publicAccountRoutes(ctx),
  ...signInRoutes(ctx),
  ...publicPasskeyRoutes(ctx),
  ...publicPasswordRoutes(ctx),
  ...publicSessionRoutes(ctx),
]

/** Routes of a signed-in merchant. */
export const identityRoutes = (ctx: Ctx): Binding<SessionCaller>[] => [
  ...accountRoutes(ctx),
  ...passkeyRoutes(ctx),
  ...passwordRoutes(ctx),
  ...sessionRoutes(ctx),
]
