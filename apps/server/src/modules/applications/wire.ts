import type { Application } from '@muripo/contract/applications'
import type { AccountId } from '@muripo/contract/ids'
import { keyPermissions, permissionsOf } from '@muripo/contract/permissions'
import type { Ctx } from '../../platform/ctx.ts'
import type { KeyMode } from '../../platform/settings.ts'
import type { SessionCaller } from '../identity/index.ts'
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
export const maskedKey = (key: string): string => (key.startsWith('mk_live_') ? shortened(key) : key)

const shortened = (key: string): string =>
  key.replace(/^(mk_[a-z]+_).*(.{4})$/, (_key, start: string, end: string) => `${start}…${end}`)

/** Whether a member sees a key in full: one who could do everything with it, and of test keys one who reads keys. */
export const seesKey = ({ role }: Pick<SessionCaller, 'role'>, mode: KeyMode): boolean => {
  const own = permissionsOf[role]
  return own.has('keys.read') && (mode === 'test' || keyPermissions.every((each) => own.has(each)))
}

/** The application with those keys in full that the member may see. */
export function forMember(
  { config }: Pick<Ctx, 'config'>,
  member: Pick<SessionCaller, 'role'>,
  application: Application,
): Application {
  const shown = (key: string | null, mode: KeyMode) => key && (seesKey(member, mode) ? key : shortened(key))
  return {
    ...application,
    applicationKey: shown(application.applicationKey, config.keyMode),
    testKey: shown(application.testKey, 'test'),
  }
}

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
