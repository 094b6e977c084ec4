import { ApplicationId, MerchantId } from '@muripo/contract/ids'
import { type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { Applications } from '../../platform/db/schema.ts'
import type { EntityOf } from '../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import { applications, type Banking } from './tables.ts'

const reviewed = applications.view([
  'accountId',
  'id',
  'name',
  'category',
  'status',
  'stopReason',
  'promptName',
  'banking',
  'createdAt',
])

/** An application as the operator reviews it. */
export interface ReviewedApplication extends Omit<EntityOf<typeof reviewed>, 'accountId' | 'banking'> {
  readonly merchantId: MerchantId
  readonly banking: 'none' | 'waiting' | 'approved' | 'refused'
}

function toReviewed(row: Selectable<Applications>): ReviewedApplication {
  const { accountId: merchantId, banking, ...application } = reviewed.read(row)
  return { ...application, merchantId, banking: reviewStateOf(banking) }
}

function reviewStateOf(banking: Banking | null): ReviewedApplication['banking'] {
  if (banking === null) return 'none'
  if (banking.nameApproved) return 'approved'
  return banking.rejection === null ? 'waiting' : 'refused'
}

/** All applications of a merchant, the oldest first. */
export async function applicationsOf(q: Queryable, merchantId: MerchantId): Promise<ReviewedApplication[]> {
  const rows = await q
    .selectFrom('applications')
    .selectAll()
    .where('account_id', '=', uuidOf(merchantId))
    .orderBy('id')
    .execute()
  return rows.map(toReviewed)
}

/** Applications of a merchant without an active live key. */
export async function withoutLiveKey(tx: Tx, merchantId: MerchantId): Promise<ApplicationId[]> {
  const { rows } = await sql<{ id: string }>`
    select id from applications a where account_id = ${uuidOf(merchantId)} and not exists (
      select from application_keys k
      where k.account_id = a.account_id and k.application_id = a.id and k.mode = 'live' and k.revoked_at is null)
    order by id`.execute(tx)
  return rows.map(({ id }) => idFrom(ApplicationId, id))
}

/** Approves the present names of all applications: prompts for live money show them from the commit on. */
export async function approveNames(tx: Tx, merchantId: MerchantId): Promise<void> {
  await sql`
    update applications set prompt_name = name
    where account_id = ${uuidOf(merchantId)} and prompt_name is distinct from name`.execute(tx)
}

/** The number of applications whose name waits for review, for each approved merchant, the longest registered first. */
export async function waitingNames(
  q: Queryable,
  limit: number,
): Promise<{ merchantId: MerchantId; names: number }[]> {
  const { rows } = await sql<{ account_id: string; names: number }>`
    select a.account_id, count(*)::int as names from applications a join merchants m on m.id = a.account_id
    where a.prompt_name is distinct from a.name and m.status = 'approved'
    group by 1 order by 1 limit ${limit}`.execute(q)
  return rows.map(({ account_id, names }) => ({ merchantId: idFrom(MerchantId, account_id), names }))
}

/** The merchant of an application; null when there is no such application. */
export async function findMerchantOf(q: Queryable, id: ApplicationId): Promise<MerchantId | null> {
  const { rows } = await sql<{ id: string }>`
    select m.id from applications a join merchants m on m.id = a.account_id where a.id = ${uuidOf(id)}`.execute(
    q,
  )
  const [row] = rows
  return row ? idFrom(MerchantId, row.id) : null
}

/** Locks an application, found by its id alone, until the transaction ends. */
export const lockById = (tx: Tx, id: ApplicationId): Promise<Selectable<Applications> | undefined> =>
  tx
    .selectFrom('applications as a')
    // The join selects the live environment: the copy of the application in the test environment is not reviewed.
    .innerJoin('merchants as m', 'm.id', 'a.account_id')
    .selectAll('a')
    .where('a.id', '=', uuidOf(id))
    .forNoKeyUpdate('a')
    .executeTakeFirst()

export async function lockReviewed(tx: Tx, id: ApplicationId): Promise<ReviewedApplication | null> {
  const row = await lockById(tx, id)
  return row ? toReviewed(row) : null
}

/** Sets or clears the reason in both environments. */
export async function setStopReason(
  tx: Tx,
  { merchantId, id }: ReviewedApplication,
  reason: string | null,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('applications')
    .set({ operator_stop_reason: reason, updated_at: at })
    .where('account_id', 'in', (eb) =>
      eb.selectFrom('environments').select('id').where('merchant_id', '=', uuidOf(merchantId)),
    )
    .where('id', '=', uuidOf(id))
    .execute()
}
