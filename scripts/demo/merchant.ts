import { pdf } from '@muripo/testing/pdf'
import { createApplication } from '../../apps/server/src/modules/applications/actions/create-application.ts'
import { setApplicationStatus } from '../../apps/server/src/modules/applications/actions/set-application-status.ts'
import { lookupOf } from '../../apps/server/src/modules/applications/key.ts'
import { findKeyOwner, type KeyOwner } from '../../apps/server/src/modules/applications/store-keys.ts'
import { signUp } from '../../apps/server/src/modules/identity/accounts/actions/sign-up.ts'
import type { Visitor } from '../../apps/server/src/modules/identity/devices/visitor.ts'
import {
  senderAt,
  uploadDocument,
} from '../../apps/server/src/modules/identity/documents/actions/upload-document.ts'
import { signIn } from '../../apps/server/src/modules/identity/sign-in/actions/sign-in.ts'
import { verifyCode } from '../../apps/server/src/modules/identity/sign-in/actions/verify-code.ts'
import { merchantActor } from '../../apps/server/src/platform/audit/actor.ts'
import type { Ctx } from '../../apps/server/src/platform/ctx.ts'
import type { EmailContent } from '../../apps/server/src/platform/mail/email-content.ts'
import type { MerchantId } from '../../packages/contract/src/ids.ts'
import { dayMs } from './calendar.ts'
import type { Course } from './clock.ts'
import { merchant, type Shop, shops } from './shops.ts'

async function signUpMerchant(ctx: Ctx): Promise<MerchantId> {
  const { url } = await uploadDocument(
    ctx,
    (async function* () {
      yield pdf()
    })(),
    senderAt(ctx, '127.0.0.1'),
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

const visitor: Visitor = {
  address: '127.0.0.1',
  requestId: 'sample',
  userAgent: '',
  device: null,
  locale: 'en',
}

/** Signs in once with the emailed code, which confirms the address. */
async function proveAddress(ctx: Ctx, emails: readonly EmailContent[]): Promise<void> {
  const { otpId } = await signIn(ctx, { email: merchant.email, password: merchant.password }, visitor)
  const otp = emails.at(-1)?.code
  if (otp === undefined) throw new Error('the sign-in code was not mailed')
  await verifyCode(ctx, { otpId, purpose: 'signin', otp }, visitor)
}

/** Creates the account, and then one shop a day in reverse order, because lists begin with the newest. */
export async function* merchantCourse(
  ctx: Ctx,
  emails: readonly EmailContent[],
  owners: Map<Shop, KeyOwner>,
): Course {
  const merchantId = await signUpMerchant(ctx)
  await proveAddress(ctx, emails)
  for (const shop of shops.toReversed()) {
    yield ctx.clock.now().getTime() + dayMs
    const { applicationKey } = await createApplication(
      ctx,
      merchantActor(merchantId, { ip: '127.0.0.1', id: 'sample' }),
      merchantId,
      {
        applicationName: shop.name,
        description: shop.description,
        category: shop.category,
      },
    )
    if (applicationKey === null) throw new Error('a new application has its key')
    const owner = await findKeyOwner(ctx.db.kysely, lookupOf(ctx.keys, applicationKey), ctx.config.keyMode)
    if (owner === null) throw new Error('a new key has its owner')
    owners.set(shop, owner)
  }
}

/** Deactivates the applications of closed shops. */
export async function* finalCourse(ctx: Ctx, owners: ReadonlyMap<Shop, KeyOwner>, now: number): Course {
  const closed = shops.filter(({ closedDaysAgo }) => closedDaysAgo !== null)
  for (const shop of closed.toSorted((a, b) => (b.closedDaysAgo ?? 0) - (a.closedDaysAgo ?? 0))) {
    yield now - (shop.closedDaysAgo ?? 0) * dayMs
    const owner = owners.get(shop)
    if (!owner) throw new Error(`there is no application for ${shop.name}`)
    const actor = merchantActor(owner.accountId, { ip: '127.0.0.1', id: 'sample' })
    await setApplicationStatus(ctx, actor, owner.accountId, owner.applicationId, 'inactive')
  }
}
