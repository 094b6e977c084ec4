import type { AccountType, DocumentType } from '@muripo/contract/auth'
import { type FileId, MerchantId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { KeptFile } from '../../platform/files/files.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'

export async function insertDocument(tx: Tx, id: FileId, kept: KeptFile, uploadedAt: Date): Promise<void> {
  await tx
    .insertInto('documents')
    .values({
      id: uuidOf(id),
      storage_key: id,
      size_bytes: kept.sizeBytes,
      sha256: kept.sha256,
      uploaded_at: uploadedAt,
    })
    .execute()
}

/** Whether the document exists and no account was opened with it. */
export async function isFreeDocument(q: Queryable, id: FileId): Promise<boolean> {
  const row = await q
    .selectFrom('documents')
    .leftJoin('merchants', 'merchants.document_id', 'documents.id')
    .where('documents.id', '=', uuidOf(id))
    .where('merchants.id', 'is', null)
    .select('documents.id')
    .executeTakeFirst()
  return row !== undefined
}

export interface NewMerchant {
  readonly id: MerchantId
  readonly accountType: AccountType
  readonly fullname: string
  readonly email: string
  readonly phone: string
  readonly passwordHash: string
  readonly documentType: DocumentType
  readonly documentId: FileId
  readonly createdAt: Date
}

export async function insertMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  await tx
    .insertInto('merchants')
    .values({
      id: uuidOf(merchant.id),
      account_type: merchant.accountType,
      fullname: merchant.fullname,
      email: merchant.email,
      phone: merchant.phone,
      password_hash: merchant.passwordHash,
      document_type: merchant.documentType,
      document_id: uuidOf(merchant.documentId),
      created_at: merchant.createdAt,
    })
    .execute()
}

export interface Account {
  readonly id: MerchantId
  readonly fullname: string
  readonly email: string
  readonly passwordHash: string
}

export async function accountByEmail(q: Queryable, email: string): Promise<Account | null> {
  const row = await q
    .selectFrom('merchants')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.cast(eb.val(email), 'text')])))
    .select(['id', 'fullname', 'email', 'password_hash'])
    .executeTakeFirst()
  return row ? toAccount(row) : null
}

/** Until the transaction ends nobody else sends this merchant a code or changes the password. */
export async function lockAccount(tx: Tx, merchantId: MerchantId): Promise<Account> {
  const row = await tx
    .selectFrom('merchants')
    .where('id', '=', uuidOf(merchantId))
    .select(['id', 'fullname', 'email', 'password_hash'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return toAccount(row)
}

/** Whether the account still has the password that was checked; until the transaction ends it keeps it. */
export async function keepsPassword(tx: Tx, account: Account): Promise<boolean> {
  const row = await tx
    .selectFrom('merchants')
    .where('id', '=', uuidOf(account.id))
    .where('password_hash', '=', account.passwordHash)
    .select('id')
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function updatePassword(tx: Tx, merchantId: MerchantId, passwordHash: string): Promise<void> {
  await tx
    .updateTable('merchants')
    .set({ password_hash: passwordHash })
    .where('id', '=', uuidOf(merchantId))
    .execute()
}

function toAccount(row: { id: string; fullname: string; email: string; password_hash: string }): Account {
  const { id, fullname, email, password_hash: passwordHash } = row
  return { id: idFrom(MerchantId, id), fullname, email, passwordHash }
}

export interface MerchantProfile {
  readonly fullname: string
  readonly email: string
  readonly timeZone: string
  readonly reportingCurrency: string
}

export async function profileOf(q: Queryable, merchantId: MerchantId): Promise<MerchantProfile> {
  const row = await q
    .selectFrom('merchants')
    .where('id', '=', uuidOf(merchantId))
    .select(['fullname', 'email', 'time_zone', 'reporting_currency'])
    .executeTakeFirstOrThrow()
  const { fullname, email, time_zone: timeZone, reporting_currency: reportingCurrency } = row
  return { fullname, email, timeZone, reportingCurrency }
}
