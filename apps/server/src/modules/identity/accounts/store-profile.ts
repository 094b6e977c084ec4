import type { Account as AccountPage } from '@muripo/contract/account'
import type { AccountType, Locale, MerchantStatus } from '@muripo/contract/enums'
import type { MerchantId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { isActive } from './machine.ts'

export async function findProfile(
  q: Queryable,
  merchantId: MerchantId,
  gatewayMode: AccountPage['gatewayMode'],
): Promise<AccountPage> {
  const row = await q
    .selectFrom('merchants')
    .where('id', '=', uuidOf(merchantId))
    .select([
      'fullname',
      'email',
      'phone',
      'account_type',
      'time_zone',
      'locale',
      'created_at',
      'status',
      'status_reason',
    ])
    .executeTakeFirstOrThrow()
  const status = row.status as MerchantStatus
  return {
    fullname: row.fullname,
    email: row.email,
    phone: row.phone,
    accountType: row.account_type as AccountType,
    timeZone: row.time_zone,
    locale: row.locale as Locale | null,
    createdAt: row.created_at.toISOString(),
    status,
    statusReason: isActive(status) ? null : row.status_reason,
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
