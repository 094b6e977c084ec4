import * as contract from '@muripo/contract/console-settings'
import { IncidentId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import { requestedId } from '../../../platform/ids.ts'
import { openIncident, recentIncidents, updateIncident } from '../../site/index.ts'
import { operatorsSeen } from '../people/store-operators.ts'
import type { OperatorCaller } from '../people/store-sessions.ts'
import type { ActorBy } from './deps.ts'

export const settingsRoutes = (ctx: Ctx, actorBy: ActorBy): Binding<OperatorCaller>[] => [
  bind(contract.listOperators, async () => {
    const operators = await operatorsSeen(ctx.db.kysely)
    return answer(200, {
      operators: operators.map(({ removedAt: _, lastSeenAt, ...operator }) => ({
        ...operator,
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
      })),
    })
  }),
  bind(contract.listConsoleIncidents, async () =>
    answer(200, { incidents: await recentIncidents(ctx.db.kysely) }),
  ),
  bind(contract.openConsoleIncident, async ({ caller, body: { title, text }, request, confirmed }) =>
    answer(201, { id: await openIncident(confirmed(ctx), actorBy(caller, request), title, text) }),
  ),
  bind(contract.updateConsoleIncident, async ({ caller, params, body, request, confirmed }) => {
    const id = requestedId(IncidentId, params.incidentId)
    const actor = actorBy(caller, request)
    if (!(await updateIncident(confirmed(ctx), actor, id, body.status, body.text)))
      throw new AppError('not_found', { detail: 'No incident with this id is open' })
    return answer(204, undefined)
  }),
]
