import type { Status } from '@muripo/contract/site'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { PerDatabase } from '../../../platform/db/databases.ts'
import type { PaymentsCtx } from '../../payments/index.ts'
import { actorOf } from '../people/console-auth.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import type { DecisionCtx } from '../proposals/actions/decide.ts'
import { fourEyesMarks } from '../proposals/four-eyes.ts'

export interface ConsoleDeps extends DecisionCtx {
  readonly ctxs: PerDatabase<PaymentsCtx>
  readonly readStatus: () => Promise<Status>
}

/** The author of what a call does. */
export const actorBy =
  (ctx: Pick<Ctx, 'config'>) =>
  (caller: OperatorCaller, request: FastifyRequest): Actor => ({
    ...actorOf(caller, request),
    ...fourEyesMarks(ctx),
  })

export type ActorBy = ReturnType<typeof actorBy>
