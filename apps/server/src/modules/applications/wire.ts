import type { Application } from '@muripo/contract/applications'
import type { MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import { openKey } from './sealed-key.ts'
import type { StoredApplication } from './store.ts'

const noBanking = {
  bankName: null,
  bankAccountNumber: null,
  bankAccountName: null,
  bankAccountType: null,
}

export const toWire = (ctx: Ctx, merchantId: MerchantId, application: StoredApplication): Application => ({
  _id: application.id,
  applicationName: application.name,
  description: application.description,
  category: application.category,
  status: application.stopReason === null ? application.status : 'inactive',
  applicationKey:
    application.sealedKey && openKey(ctx.keys, merchantId, application.id, application.sealedKey),
  testKey:
    application.testKey &&
    openKey(ctx.keys, application.testKey.book, application.id, application.testKey.sealed),
  ...(application.banking?.details ?? noBanking),
  nameApproved: application.banking?.nameApproved ?? false,
  stopReason: application.stopReason,
  bankRejection: application.banking?.rejection ?? null,
  createdAt: application.createdAt.toISOString(),
  updatedAt: application.updatedAt.toISOString(),
})
