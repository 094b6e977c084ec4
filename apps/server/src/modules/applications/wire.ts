import type { Application } from '@muripo/contract/applications'
import type { AccountId } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import { decryptKey } from './key.ts'
import { logoPathOf } from './logo/logo.ts'
import type { StoredApplication } from './store.ts'

const noBanking = {
  bankName: null,
  bankAccountNumber: null,
  bankAccountName: null,
  bankAccountType: null,
}

/** A live key as `mk_live_…` with its last four characters, by which its owner recognises it. A test key is not masked. */
export const maskedKey = (key: string): string =>
  key.replace(/^(mk_live_).*(.{4})$/, (_key, start: string, end: string) => `${start}…${end}`)

/** The application with its keys in full. Each call that returns it records the reveal of a live key in the audit log. */
export const toWire = (ctx: Ctx, accountId: AccountId, application: StoredApplication): Application => ({
  _id: application.id,
  applicationName: application.name,
  description: application.description,
  category: application.category,
  status: application.stopReason === null ? application.status : 'inactive',
  applicationKey:
    application.encryptedKey && decryptKey(ctx.keys, accountId, application.id, application.encryptedKey),
  testKey:
    application.testKey &&
    decryptKey(ctx.keys, application.testKey.accountId, application.id, application.testKey.encrypted),
  ...(application.banking?.details ?? noBanking),
  nameApproved: application.banking?.nameApproved ?? false,
  stopReason: application.stopReason,
  bankRejection: application.banking?.rejection ?? null,
  brandColour: application.brandColour,
  logoPath: logoPathOf(application.logoHash),
  createdAt: application.createdAt.toISOString(),
  updatedAt: application.updatedAt.toISOString(),
})

export function toMasked(ctx: Ctx, accountId: AccountId, application: StoredApplication): Application {
  const whole = toWire(ctx, accountId, application)
  return { ...whole, applicationKey: whole.applicationKey && maskedKey(whole.applicationKey) }
}
