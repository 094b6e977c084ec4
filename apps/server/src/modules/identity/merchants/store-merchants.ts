import { MerchantId } from '@muripo/contract/ids'
import type { MerchantStatus } from '@muripo/contract/merchant-statuses'
import { sql } from 'kysely'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { retentionMs } from '../../../platform/jobs/retention.ts'
import { isOwnedBy } from '../persons/store-persons.ts'
import { merchants } from '../tables.ts'

/** From sign-up to the first sign-in code. */
const PROOF_WITHIN_MS = retentionMs('unprovenAccounts')

const registered = merchants.view([
  'id',
  'accountType',
  'fullname',
  'email',
  'phone',
  'documentType',
  'documentId',
  'createdAt',
])

export type NewMerchant = EntityOf<typeof registered>

/** Inserts a merchant with the environment of the gateway's own mode, which has the merchant's id. */
export async function insertMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  const id = uuidOf(merchant.id)
  const values = {
    ...merchants.row(merchant),
    prove_by: sql<Date>`muripo_now() + ${PROOF_WITHIN_MS} * interval '1 millisecond'`,
  }
  await tx
    .with('merchant', (db) => db.insertInto('merchants').values(values))
    .insertInto('environments')
    .values({ id, merchant_id: id })
    .execute()
}

const profile = merchants.view(['fullname', 'email', 'timeZone', 'locale', 'reportingCurrency'])

/** Facts of a merchant for notices and reports; the address and the language are those of the owner. */
export type MerchantProfile = EntityOf<typeof profile>

/** The profile of the merchant of an account id, live or test. */
export async function merchantProfile(q: Queryable, accountId: MerchantId): Promise<MerchantProfile> {
  const row = await q
    .selectFrom('merchants')
    .where('id', '=', (owner) =>
      owner.selectFrom('environments').select('merchant_id').where('id', '=', uuidOf(accountId)),
    )
    .select(profile.names)
    .executeTakeFirstOrThrow()
  return profile.read(row)
}

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

/** No list of merchants of one email or phone number is longer. */
const FOUND_MOST = 100

/** The merchant of an id, those whose owner has the email, or those with the phone number; the longest registered first. */
export async function findMerchants(
  q: Queryable,
  by: MerchantId | { email: string } | { phone: string },
  { limit = FOUND_MOST, after = null }: { readonly limit?: number; readonly after?: MerchantId | null } = {},
): Promise<MerchantRecord[]> {
  const all = select(q)
    .$if(after !== null, (query) => query.where('id', '>', after && uuidOf(after)))
    .orderBy('id')
    .limit(limit)
  if (typeof by === 'string') return read(all.where('id', '=', uuidOf(by)))
  return read('email' in by ? all.where(isOwnedBy(by.email)) : all.where('phone', '=', by.phone))
}

const read = async (query: ReturnType<typeof select>): Promise<MerchantRecord[]> =>
  (await query.execute()).map(records.read)

/** The names of some merchants. */
export async function merchantNames(
  q: Queryable,
  ids: readonly MerchantId[],
): Promise<ReadonlyMap<MerchantId, string>> {
  const rows = await q
    .selectFrom('merchants')
    .select(['id', 'fullname'])
    .where(sql<boolean>`id = any(${ids.map(uuidOf)}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, fullname }) => [idFrom(MerchantId, id), fullname]))
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
  after: MerchantId | null = null,
): Promise<MerchantRecord[]> {
  const rows = await select(q)
    .$if(status !== null, (query) => query.where('status', '=', status ?? 'new'))
    .$if(after !== null, (query) => query.where('id', '>', after && uuidOf(after)))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(records.read)
}
