import type { AccountType, DocumentType, MerchantStatus } from '@muripo/contract/enums'
import { FileId, MerchantId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { Merchants } from '../../../platform/db/schema.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

/** A merchant as an operator sees one. */
export interface MerchantRecord {
  readonly id: MerchantId
  readonly accountType: AccountType
  readonly fullname: string
  readonly email: string
  readonly phone: string
  readonly documentType: DocumentType
  readonly documentId: FileId
  readonly createdAt: Date
  readonly status: MerchantStatus
  /** The last change of the status; null when there was none. */
  readonly statusChange: { readonly at: Date; readonly by: string; readonly reason: string } | null
  readonly approvedAt: Date | null
}

const columns = [
  'id',
  'account_type',
  'fullname',
  'email',
  'phone',
  'document_type',
  'document_id',
  'created_at',
  'status',
  'status_changed_at',
  'status_changed_by',
  'status_reason',
  'approved_at',
] as const satisfies readonly (keyof Merchants)[]

const select = (q: Queryable) => q.selectFrom('merchants').select(columns)
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

const toRecord = (row: Row): MerchantRecord => ({
  id: idFrom(MerchantId, row.id),
  accountType: row.account_type as AccountType,
  fullname: row.fullname,
  email: row.email,
  phone: row.phone,
  documentType: row.document_type as DocumentType,
  documentId: idFrom(FileId, row.document_id),
  createdAt: row.created_at,
  status: row.status as MerchantStatus,
  statusChange:
    row.status_changed_at && row.status_changed_by !== null && row.status_reason !== null
      ? { at: row.status_changed_at, by: row.status_changed_by, reason: row.status_reason }
      : null,
  approvedAt: row.approved_at,
})

export async function findMerchant(
  q: Queryable,
  by: MerchantId | { email: string },
): Promise<MerchantRecord | null> {
  const row = await select(q)
    .$if(typeof by === 'string', (query) => query.where('id', '=', uuidOf(by as MerchantId)))
    .$if(typeof by !== 'string', (query) =>
      query.where((eb) =>
        eb(
          eb.fn('lower', ['email']),
          '=',
          eb.fn('lower', [eb.cast(eb.val((by as { email: string }).email), 'text')]),
        ),
      ),
    )
    .executeTakeFirst()
  return row ? toRecord(row) : null
}

/** Locks the status of a merchant until the transaction ends. Null when there is no such merchant. */
export async function lockMerchant(tx: Tx, id: MerchantId): Promise<MerchantRecord | null> {
  const row = await select(tx).where('id', '=', uuidOf(id)).forNoKeyUpdate().executeTakeFirst()
  return row ? toRecord(row) : null
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
      status: change.status,
      status_changed_at: change.at,
      status_changed_by: change.by,
      status_reason: change.reason,
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
  return rows.map(toRecord)
}
