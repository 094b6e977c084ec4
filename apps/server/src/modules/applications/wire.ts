import type { Application } from '@muripo/contract/applications'
import type { MerchantId } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import { openKey } from './sealed-key.ts'
import type { StoredApplication } from './store.ts'

export const toWire = (ctx: Ctx, merchantId: MerchantId, application: StoredApplication): Application => ({
  _id: application.id,
  applicationName: application.name,
  description: application.description,
  category: application.category,
  status: application.status,
  applicationKey: openKey(ctx.keys, merchantId, application.id, application.sealedKey),
  bankAccountNumber: application.bankAccountNumber,
  bankAccountName: application.bankAccountName,
  bankAccountType: application.bankAccountType,
  nameApproved: application.nameApproved,
  createdAt: application.createdAt.toISOString(),
  updatedAt: application.updatedAt.toISOString(),
})
