import type { Account as AccountPage } from '@muripo/contract/account'
import type { Locale } from '@muripo/contract/enums'
import type { MerchantId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { merchants } from '../tables.ts'
import { isActive } from './machine.ts'

const profiles = merchants.view([
  'fullname',
  'email',
  'phone',
  'accountType',
  'timeZone',
  'locale',
  'createdAt',
  'status',
  'statusChange',
])

export async function findProfile(
  q: Queryable,
  merchantId: MerchantId,
  gatewayMode: AccountPage['gatewayMode'],
): Promise<AccountPage> {
  const row = await q
    .selectFrom('merchants')
    .where('id', '=', uuidOf(merchantId))
    .select(profiles.names)
    .executeTakeFirstOrThrow()
  const { createdAt, statusChange, ...profile } = profiles.read(row)
  return {
    ...profile,
    createdAt: createdAt.toISOString(),
    statusReason: isActive(profile.status) ? null : (statusChange?.reason ?? null),
    gatewayMode,
  }
}

export async function updateProfile(
  tx: Tx,
  merchantId: MerchantId,
  { timeZone, locale }: { readonly timeZone: string; readonly locale: Locale | null },
): Promise<void> {
  await tx
    .updateTable('merchants')
    .set({ time_zone: timeZone, locale })
    .where('id', '=', uuidOf(merchantId))
    .execute()
}
