import type { AccountType, DocumentType } from '@muripo/contract/auth'
import { type FileId, MerchantId, type OtpId } from '@muripo/contract/ids'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { KeptFile } from '../../platform/files/files.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { Purpose } from './codes.ts'

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
  if (!row) return null
  const { id, fullname, password_hash: passwordHash } = row
  return { id: idFrom(MerchantId, id), fullname, email: row.email, passwordHash }
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

export interface NewCode {
  readonly id: OtpId
  readonly merchantId: MerchantId
  readonly purpose: Purpose
  readonly codeHash: Buffer
  readonly triesAllowed: number
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  await tx
    .insertInto('one_time_codes')
    .values({
      id: uuidOf(code.id),
      merchant_id: uuidOf(code.merchantId),
      purpose: code.purpose,
      code_hash: code.codeHash,
      tries_allowed: code.triesAllowed,
      created_at: code.createdAt,
      expires_at: code.expiresAt,
    })
    .execute()
}

/** Spends one try of a code that is still good; null when there is none left to spend. */
export async function spendTry(
  q: Queryable,
  id: OtpId,
  purpose: Purpose,
  now: Date,
): Promise<{ merchantId: MerchantId; codeHash: Buffer } | null> {
  const row = await q
    .updateTable('one_time_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('tries', '<', 'tries_allowed')
    .returning(['merchant_id', 'code_hash'])
    .executeTakeFirst()
  return row ? { merchantId: idFrom(MerchantId, row.merchant_id), codeHash: row.code_hash } : null
}

/** True for one caller only. */
export async function useCode(tx: Tx, id: OtpId, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_codes')
    .set({ used_at: now })
    .where('id', '=', uuidOf(id))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
