import type { Application } from '@muripo/contract/applications'
import type { MerchantId } from '@muripo/contract/ids'
import { systemActor } from '../../platform/audit/actor.ts'
import type { Ctx } from '../../platform/ctx.ts'
import { createApplication } from './actions/create-application.ts'

export const makeApplication = (ctx: Ctx, merchantId: MerchantId, name = 'Shop'): Promise<Application> =>
  createApplication(ctx, systemActor('factory'), merchantId, {
    applicationName: name,
    description: 'Sells things',
    category: 'Retail',
  })
