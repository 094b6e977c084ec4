import type { Application, Brand } from '@muripo/contract/applications'
import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { readLogo } from '../logo/logo.ts'
import { touchApplication } from '../store.ts'
import { storeBrand } from '../store-brands.ts'
import { changeApplication } from './change-application.ts'

/**
 * Sets the colour and the logo of the payer's page. Pages of live payments show a new one once the operator has approved it.
 * @throws AppError not_found when the merchant has no such application; validation_failed for a logo that cannot be shown safely.
 */
export function updateBrand(
  ctx: Ctx,
  actor: Actor,
  merchantId: MerchantId,
  applicationId: ApplicationId,
  { colour, logo: file }: Brand,
): Promise<Application> {
  const logo = typeof file === 'string' ? readLogo(file) : file
  return changeApplication(ctx, merchantId, applicationId, async (tx) => {
    await storeBrand(tx, merchantId, applicationId, colour === '' ? null : colour, logo)
    await touchApplication(tx, merchantId, applicationId, ctx.clock.now())
    await audit(ctx, tx, actor, {
      action: 'application.brand_changed',
      subject: applicationId,
      accountId: merchantId,
      details: { colour, ...(logo !== undefined && { logo: logo?.hash ?? null }) },
    })
  })
}
