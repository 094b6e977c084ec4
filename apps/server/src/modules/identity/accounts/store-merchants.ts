import type { MerchantStatus } from '@muripo/contract/enums'
import type { MerchantId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { merchants } from '../tables.ts'
import { hasEmail } from './store-accounts.ts'

const records = merchants.view([
  'id',
  'accountType',
  'fullname',
  'email',
  'phone',
  'documentType',
  'documentId',
  'createdAt',
  'status',
  'statusChange',
  'approvedAt',
])

/** A merchant as an operator sees one. */
export type MerchantRecord = EntityOf<typeof records>

const select = (q: Queryable) => q.selectFrom('merchants').select(records.names)

export async function findMerchant(
  q: Queryable,
  by: MerchantId | { email: string },
): Promise<MerchantRecord | null> {
  const all = select(q)
  const found = typeof by === 'string' ? all.where('id', '=', uuidOf(by)) : all.where(hasEmail(by.email))
  const row = await found.executeTakeFirst()
  return row ? records.read(row) : null
}

/** Locks the status of a merchant until the transaction ends. Null when there is no such merchant. */
export async function lockMerchant(tx: Tx, id: MerchantId): Promise<MerchantRecord | null> {
  const row = await select(tx).where('id', '=', uuidOf(id)).forNoKeyUpdate().executeTakeFirst()
  return row ? records.read(row) : null
}

/** The status of the merchant of an account id, which a shared lock keeps until the transaction ends. */
export async function shareLockStatus(tx: Tx, accountId: MerchantId): Promise<MerchantStatus> {
  const row = await tx
    .selectFrom('merchants as m')
    .innerJoin('environments as b', 'b.merchant_id', 'm.id')
    .select('m.status')
    .where('b.id', '=', uuidOf(accountId))
    .forShare('m')
    .executeTakeFirstOrThrow()
  return row.status as MerchantStatus
}

/** On several nodes, the schema names the merchants of all nodes: those of a shard group are a view on its node. */
export async function setMerchantStatus(
  tx: Tx,
  merchant: MerchantRecord,
  change: { status: MerchantStatus; at: Date; by: string; reason: string },
): Promise<void> {
  const isFirstApproval = change.status === 'approved' && merchant.approvedAt === null
  await tx
    .withSchema('public')
    .updateTable('merchants')
    .set({
      ...merchants.row({ status: change.status, statusChange: change }),
      ...(isFirstApproval ? { approved_at: change.at, prompt_name: merchant.fullname } : {}),
    })
    .where('id', '=', uuidOf(merchant.id))
    .execute()
}

/** Of one status or of all, the longest registered first. */
export async function listMerchants(
  q: Queryable,
  status: MerchantStatus | null,
  limit: number,
): Promise<MerchantRecord[]> {
  const rows = await select(q)
    .$if(status !== null, (query) => query.where('status', '=', status ?? 'new'))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(records.read)
}
