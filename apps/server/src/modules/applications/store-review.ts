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

interface Brand {
  readonly colour: string | null
  readonly logoHash: string | null
}

/** An application with what its payers see, and what of it the operator has approved. */
export interface ReviewedPresentation extends ReviewedApplication {
  readonly brand: Brand
  readonly approvedBrand: Brand
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
export async function applicationsOf(q: Queryable, merchantId: MerchantId): Promise<ReviewedPresentation[]> {
  const rows = await q
    .selectFrom('applications as a')
    .leftJoin('application_brands as b', (join) =>
      join.onRef('b.account_id', '=', 'a.account_id').onRef('b.application_id', '=', 'a.id'),
    )
    .leftJoin('approved_brands as v', (join) =>
      join.onRef('v.account_id', '=', 'a.account_id').onRef('v.application_id', '=', 'a.id'),
    )
    .selectAll('a')
    .select(['b.colour', 'b.logo_hash', 'v.colour as approved_colour', 'v.logo_hash as approved_logo_hash'])
    .where('a.account_id', '=', uuidOf(merchantId))
    .orderBy('a.id')
    .execute()
  return rows.map((row) => ({
    ...toReviewed(row),
    brand: { colour: row.colour, logoHash: row.logo_hash },
    approvedBrand: { colour: row.approved_colour, logoHash: row.approved_logo_hash },
  }))
}

/** Locks all applications of a merchant until the transaction ends: their brands do not change between a look and its approval. */
export async function lockApplicationsOf(tx: Tx, merchantId: MerchantId): Promise<void> {
  await tx
    .selectFrom('applications')
    .select('id')
    .where('account_id', '=', uuidOf(merchantId))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Applications of a merchant without an active live key. */
export async function withoutLiveKey(tx: Tx, merchantId: MerchantId): Promise<ApplicationId[]> {
  const { rows } = await sql<{ id: string }>`
    select id from applications a where account_id = ${uuidOf(merchantId)} and not exists (
      select from application_keys k
      where k.account_id = a.account_id and k.application_id = a.id and k.mode = 'live' and k.name is null
        and k.revoked_at is null)
    order by id`.execute(tx)
  return rows.map(({ id }) => idFrom(ApplicationId, id))
}

/** Approves the present names of all applications: payers of live money see them from the commit on. */
export async function approveNames(tx: Tx, merchantId: MerchantId): Promise<void> {
  await sql`
    update applications set prompt_name = name
    where account_id = ${uuidOf(merchantId)} and prompt_name is distinct from name`.execute(tx)
}

/** The number of applications whose name, logo or colour waits for review, for each approved merchant, the longest registered first. */
export async function waitingApplications(
  q: Queryable,
  limit: number,
): Promise<{ merchantId: MerchantId; applications: number }[]> {
  const { rows } = await sql<{ account_id: string; applications: number }>`
    select a.account_id, count(*)::int as applications from applications a join merchants m on m.id = a.account_id
    left join application_brands b on b.account_id = a.account_id and b.application_id = a.id
    left join approved_brands v on v.account_id = a.account_id and v.application_id = a.id
    where m.status = 'approved' and (a.prompt_name is distinct from a.name
      or (b.colour, b.logo_hash) is distinct from (v.colour, v.logo_hash))
    group by 1 order by 1 limit ${limit}`.execute(q)
  return rows.map(({ account_id, applications }) => ({
    merchantId: idFrom(MerchantId, account_id),
    applications,
  }))
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

/** The name and the reason of an operator's stop, of an application that no other transaction changes until this one ends. */
export async function lockStopReason(
  tx: Tx,
  id: ApplicationId,
): Promise<{ readonly name: string; readonly stopReason: string | null } | null> {
  const application = await lockReviewed(tx, id)
  return application && { name: application.name, stopReason: application.stopReason }
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
