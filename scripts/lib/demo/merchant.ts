import { createApplication } from '../../../apps/server/src/modules/applications/actions/create-application.ts'
import type { KeyOwner } from '../../../apps/server/src/modules/applications/store-keys.ts'
import { keepDocument } from '../../../apps/server/src/modules/identity/actions/keep-document.ts'
import { signUp } from '../../../apps/server/src/modules/identity/actions/sign-up.ts'
import type { Ctx } from '../../../apps/server/src/platform/ctx.ts'
import { uuidOf } from '../../../apps/server/src/platform/ids.ts'
import type { MerchantId } from '../../../packages/contract/src/ids.ts'
import { dayMs } from './calendar.ts'
import type { HandClock } from './clock.ts'
import { merchant, type Shop, shops } from './shops.ts'

const document = `%PDF-1.4
% The sample merchant of a demo has no papers.
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`

export async function makeMerchant(ctx: Ctx): Promise<MerchantId> {
  const { url } = await keepDocument(
    ctx,
    (async function* () {
      yield Buffer.from(document)
    })(),
  )
  const form = {
    role: 'merchant',
    accountType: 'business',
    fullname: merchant.fullname,
    email: merchant.email,
    password: merchant.password,
    phonenumber: merchant.phone,
    identificationDocumentType: 'certificate_of_incorporation',
    identificationDocumentPdf: url,
  } as const
  const { merchantId } = await signUp(ctx, form, { address: '127.0.0.1', requestId: 'sample' })
  return merchantId
}

/** A day apart, the first shop last: lists show the newest on top. */
export async function makeShops(
  ctx: Ctx,
  clock: HandClock,
  merchantId: MerchantId,
): Promise<ReadonlyMap<Shop, KeyOwner>> {
  const owners = new Map<Shop, KeyOwner>()
  for (const shop of shops.toReversed()) {
    clock.forward(dayMs)
    const { _id: applicationId } = await createApplication(ctx, merchantId, {
      applicationName: shop.name,
      description: shop.description,
      category: shop.category,
    })
    const key = await ctx.db.kysely
      .selectFrom('application_keys')
      .select('id')
      .where('merchant_id', '=', uuidOf(merchantId))
      .where('application_id', '=', uuidOf(applicationId))
      .executeTakeFirstOrThrow()
    owners.set(shop, {
      merchantId,
      applicationId,
      keyId: key.id,
      applicationName: shop.name,
      active: true,
      mode: ctx.config.keyMode,
    })
  }
  return owners
}

/** A shop takes no payment any more once it is closed, so this comes last. */
export async function closeShops(ctx: Ctx, owners: ReadonlyMap<Shop, KeyOwner>, now: number): Promise<void> {
  for (const [{ closedDaysAgo }, { merchantId, applicationId }] of owners) {
    if (closedDaysAgo === null) continue
    await ctx.db.kysely
      .updateTable('applications')
      .set({ status: 'inactive', updated_at: new Date(now - closedDaysAgo * dayMs) })
      .where('merchant_id', '=', uuidOf(merchantId))
      .where('id', '=', uuidOf(applicationId))
      .execute()
  }
}
