import * as contract from '@muripo/contract/applications'
import { ApplicationId, type MerchantId } from '@muripo/contract/ids'
import { merchantActor } from '../../platform/audit/actor.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/errors.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { parseId } from '../../platform/ids.ts'
import { createApplication } from './actions/create-application.ts'
import { regenerateKey, type TellKeyRegenerated } from './actions/regenerate-key.ts'
import { setStatus } from './actions/set-status.ts'
import { updateBanking } from './actions/update-banking.ts'
import { findApplication, listByMerchant } from './store.ts'
import { toWire } from './wire.ts'

interface Caller {
  readonly merchantId: MerchantId
}

export function applicationRoutes(ctx: Ctx, tellKeyRegenerated: TellKeyRegenerated): Binding<Caller>[] {
  const mode = ctx.config.keyMode

  function idOf(params: { applicationId: string }): ApplicationId {
    const id = parseId(ApplicationId, params.applicationId)
    if (id === null) throw new AppError('not_found')
    return id
  }

  return [
    bind(contract.listApplications, async ({ caller }) => {
      const applications = await listByMerchant(ctx.reads.kysely, caller.merchantId, mode)
      return answer(200, {
        applications: applications.map((application) => toWire(ctx, caller.merchantId, application)),
      })
    }),
    bind(contract.createApplication, async ({ caller, body, confirmed }) =>
      answer(201, await createApplication(confirmed(ctx), caller.merchantId, body)),
    ),
    bind(contract.getApplication, async ({ caller, params }) => {
      const application = await findApplication(ctx.reads.kysely, caller.merchantId, mode, idOf(params))
      if (application === null) throw new AppError('not_found')
      return answer(200, toWire(ctx, caller.merchantId, application))
    }),
    bind(contract.regenerateKey, async ({ caller: { merchantId }, params, query, request, confirmed }) => {
      const actor = merchantActor(merchantId, request)
      const id = idOf(params)
      const key = await regenerateKey(confirmed(ctx), actor, merchantId, id, tellKeyRegenerated, query.mode)
      return answer(200, { newApplicationKey: key })
    }),
    bind(
      contract.setApplicationStatus,
      async ({ caller: { merchantId }, params, body, request, confirmed }) => {
        const actor = merchantActor(merchantId, request)
        return answer(200, await setStatus(confirmed(ctx), actor, merchantId, idOf(params), body.status))
      },
    ),
    bind(contract.updateBanking, async ({ caller: { merchantId }, params, body, request, confirmed }) => {
      const actor = merchantActor(merchantId, request)
      return answer(200, await updateBanking(confirmed(ctx), actor, merchantId, idOf(params), body))
    }),
  ]
}
