import { AccountId, ApplicationId, type MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { KeyMode } from '../../../platform/settings.ts'
import { decryptKey } from '../key.ts'
import { isActiveKey } from '../store-keys.ts'

/** A key that works, as an operator may see it. */
export interface WorkingKey {
  readonly applicationId: ApplicationId
  readonly mode: KeyMode
  /** Null for the key of the application itself. */
  readonly name: string | null
  /** The last characters, by which a found key is recognised; null for a named key, whose text is not stored. */
  readonly ending: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const SHOWN_CHARACTERS = 4

/** The keys of all applications of a merchant in both environments, the newest first. */
export async function workingKeys(
  { db, keys }: Pick<Ctx, 'db' | 'keys'>,
  merchantId: MerchantId,
): Promise<WorkingKey[]> {
  const rows = await db.kysely
    .selectFrom('application_keys as k')
    .select([
      'k.account_id',
      'k.application_id',
      'k.mode',
      'k.name',
      'k.encrypted',
      'k.created_at',
      'k.last_used_at',
    ])
    .where('k.account_id', 'in', (eb) =>
      eb.selectFrom('environments').select('id').where('merchant_id', '=', uuidOf(merchantId)),
    )
    .where(sql<boolean>`${sql.raw(isActiveKey)}`)
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .execute()
  return rows.map((row) => {
    const applicationId = idFrom(ApplicationId, row.application_id)
    const text =
      row.encrypted && decryptKey(keys, idFrom(AccountId, row.account_id), applicationId, row.encrypted)
    return {
      applicationId,
      mode: row.mode as KeyMode,
      name: row.name,
      ending: text?.slice(-SHOWN_CHARACTERS) ?? null,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
    }
  })
}
