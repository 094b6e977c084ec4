import type { BankingDetails } from '@muripo/contract/applications'
import type { ApplicationId, MerchantId } from '@muripo/contract/ids'
import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { Applications } from '../../platform/db/schema.ts'
import { uuidOf } from '../../platform/ids.ts'
import { lockById } from './store-review.ts'
import { applications, type Banking } from './tables.ts'

/** Replaces the details by a new revision, which is not reviewed yet. */
export async function replaceBanking(
  tx: Tx,
  merchantId: MerchantId,
  id: ApplicationId,
  details: BankingDetails,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('applications')
    .set((eb) => ({
      bank_name: details.bankName,
      bank_account_number: details.bankAccountNumber,
      bank_account_name: details.bankAccountName,
      bank_account_type: details.bankAccountType,
      bank_revision: eb('bank_revision', '+', 1),
      bank_changed_at: at,
      bank_rejection: null,
      name_approved: false,
      updated_at: at,
    }))
    .where('account_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(id))
    .execute()
}

/** Banking details of an application, for the operator. */
export interface BankingOf {
  readonly merchantId: MerchantId
  readonly applicationId: ApplicationId
  readonly applicationName: string
  readonly banking: Banking
}

const owned = applications.view(['accountId', 'id', 'name', 'banking'])

function toBankingOf(row: Selectable<Applications>): BankingOf | null {
  const { accountId: merchantId, id: applicationId, name: applicationName, banking } = owned.read(row)
  return banking && { merchantId, applicationId, applicationName, banking }
}

/** Banking details that wait for a review, of all merchants, the longest waiting first. */
export async function listWaitingBanking(db: Queryable, limit: number): Promise<BankingOf[]> {
  const rows = await db
    .selectFrom('applications')
    .selectAll()
    .where('bank_name', 'is not', null)
    .where('name_approved', '=', false)
    .where('bank_rejection', 'is', null)
    .orderBy('bank_changed_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.flatMap((row) => toBankingOf(row) ?? [])
}

/** Locks banking details until the transaction ends. Null when there is no such application, or it has no details. */
export async function lockBanking(tx: Tx, id: ApplicationId): Promise<BankingOf | null> {
  const row = await lockById(tx, id)
  return row ? toBankingOf(row) : null
}

/** Records the review of the present details: approved, or the reason of the refusal. */
export async function recordBankingReview(
  tx: Tx,
  { merchantId, applicationId }: Pick<BankingOf, 'merchantId' | 'applicationId'>,
  rejection: string | null,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('applications')
    .set({ name_approved: rejection === null, bank_rejection: rejection, updated_at: at })
    .where('account_id', '=', uuidOf(merchantId))
    .where('id', '=', uuidOf(applicationId))
    .execute()
}
