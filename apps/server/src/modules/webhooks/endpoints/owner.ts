import { ApplicationId, type MerchantId, WebhookId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { requestedId } from '../../../platform/ids.ts'
import type { EventOwner } from '../events/store-events.ts'
import { allEndpoints } from './store-endpoints.ts'

export const ownerOf = ({ accountId, applicationId }: EventOwner): EventOwner => ({
  accountId,
  applicationId,
})

/** The merchant's own account with the application of a path. */
export const applicationOwner = (
  { merchantId }: { merchantId: MerchantId },
  params: { applicationId: string },
): EventOwner => ({ accountId: merchantId, applicationId: requestedId(ApplicationId, params.applicationId) })

/** The application's account that has the endpoint: what a test key created is the merchant's too. */
export async function endpointOwner(
  { db }: Pick<Ctx, 'db'>,
  caller: { merchantId: MerchantId },
  params: { applicationId: string; webhookId: string },
): Promise<EventOwner> {
  const owner = applicationOwner(caller, params)
  const id = requestedId(WebhookId, params.webhookId)
  const endpoints = await allEndpoints(db.kysely, { ...owner, merchantId: caller.merchantId })
  const found = endpoints.find((endpoint) => endpoint.id === id)
  return found ? ownerOf(found) : owner
}
