import * as contract from '@muripo/contract/applications'
import { ApplicationId } from '@muripo/contract/ids'
import { callerActor } from '../../platform/audit/actor.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Tx } from '../../platform/db/database.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { requestedId } from '../../platform/ids.ts'
import { type SessionCaller, visitorOf } from '../identity/index.ts'
import { createApplication } from './actions/create-application.ts'
import { mayMakeLive, requireHeld } from './actions/named-keys.ts'
import { type OnKeyRegenerated, regenerateKey } from './actions/regenerate-key.ts'
import { setApplicationStatus } from './actions/set-application-status.ts'
import { mailFirstReveal, showApplication } from './actions/show-application.ts'
import { updateBanking } from './actions/update-banking.ts'
import { updateBrand } from './actions/update-brand.ts'
import { listByMerchant } from './store.ts'
import { forMember, seesKey, toMasked } from './wire.ts'

export function applicationRoutes(ctx: Ctx, emitKeyRegenerated: OnKeyRegenerated): Binding<SessionCaller>[] {
  const mode = ctx.config.keyMode

  return [
    bind(contract.listApplications, async ({ caller }) => {
      const applications = await listByMerchant(ctx.reads.kysely, caller.merchantId, mode)
      return answer(200, {
        applications: applications
          .filter(({ id }) => caller.applications?.includes(id) ?? true)
          .map((application) => forMember(ctx, caller, toMasked(ctx, caller.merchantId, application))),
      })
    }),
    bind(contract.createApplication, async ({ caller, body, request, confirmed }) => {
      const actor = callerActor(caller, request)
      const sees = seesKey(caller, mode)
      const mail = async (tx: Tx) => {
        if (sees) await mailFirstReveal(ctx, tx, caller, visitorOf(ctx, request), body.applicationName)
      }
      const isLive = mayMakeLive(ctx, caller)
      const created = await createApplication(confirmed(ctx), actor, caller.merchantId, body, isLive, mail)
      return answer(201, forMember(ctx, caller, created))
    }),
    bind(contract.getApplication, async ({ caller, params, request }) => {
      const id = requestedId(ApplicationId, params.applicationId)
      return answer(200, await showApplication(ctx, caller, id, visitorOf(ctx, request)))
    }),
    bind(contract.regenerateKey, async ({ caller, params, query, request, confirmed }) => {
      const { merchantId } = caller
      const actor = callerActor(caller, request)
      const applicationId = requestedId(ApplicationId, params.applicationId)
      requireHeld(ctx, caller, query.mode ?? mode)
      const key = await regenerateKey(
        confirmed(ctx),
        actor,
        { merchantId, applicationId, mode: query.mode },
        emitKeyRegenerated,
      )
      return answer(200, { newApplicationKey: key })
    }),
    bind(contract.setApplicationStatus, async ({ caller, params, body, request, confirmed }) => {
      const { merchantId } = caller
      const actor = callerActor(caller, request)
      const id = requestedId(ApplicationId, params.applicationId)
      const { status } = body
      return answer(200, await setApplicationStatus(confirmed(ctx), actor, merchantId, id, status))
    }),
    bind(contract.updateBanking, async ({ caller, params, body, request, confirmed }) => {
      const { merchantId } = caller
      const actor = callerActor(caller, request)
      const id = requestedId(ApplicationId, params.applicationId)
      return answer(200, await updateBanking(confirmed(ctx), actor, merchantId, id, body))
    }),
    bind(contract.updateBrand, async ({ caller, params, body, request, confirmed }) => {
      const { merchantId } = caller
      const actor = callerActor(caller, request)
      const id = requestedId(ApplicationId, params.applicationId)
      return answer(200, await updateBrand(confirmed(ctx), actor, merchantId, id, body))
    }),
  ]
}
