import { MerchantId, type OtpId } from '@muripo/contract/ids'
import type { ExpressionBuilder } from 'kysely'
import type { Queryable, Tx } from '../../platform/db/database.ts'
import type { DB } from '../../platform/db/schema.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { Purpose } from './codes.ts'

export interface NewCode {
  readonly id: OtpId
  /** Null until it is known whether anybody has the address. */
  readonly merchantId: MerchantId | null
  readonly purpose: Purpose
  readonly codeHash: Buffer
  readonly triesAllowed: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly resendOf?: OtpId
}

export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  await tx
    .insertInto('one_time_codes')
    .values({
      id: uuidOf(code.id),
      merchant_id: code.merchantId === null ? null : uuidOf(code.merchantId),
      purpose: code.purpose,
      code_hash: code.codeHash,
      tries_allowed: code.triesAllowed,
      created_at: code.createdAt,
      expires_at: code.expiresAt,
      resend_of: code.resendOf ? uuidOf(code.resendOf) : null,
    })
    .execute()
}

const isGood = (now: Date) => (eb: ExpressionBuilder<DB, 'one_time_codes'>) =>
  eb.and([
    eb('used_at', 'is', null),
    eb('ended_at', 'is', null),
    eb('expires_at', '>', now),
    eb('tries', '<', eb.ref('tries_allowed')),
  ])

const ownerOf = (row: { merchant_id: string | null }): MerchantId | null =>
  row.merchant_id === null ? null : idFrom(MerchantId, row.merchant_id)

/** Spends one try of a code that is still good; null when there is none left to spend. */
export async function spendTry(
  q: Queryable,
  id: OtpId,
  purpose: Purpose,
  now: Date,
): Promise<{ merchantId: MerchantId | null; codeHash: Buffer } | null> {
  const row = await q
    .updateTable('one_time_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', purpose)
    .where(isGood(now))
    .returning(['merchant_id', 'code_hash'])
    .executeTakeFirst()
  return row ? { merchantId: ownerOf(row), codeHash: row.code_hash } : null
}

/** True for one caller only, and for none once the code was ended. */
export async function useCode(tx: Tx, id: OtpId, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_codes')
    .set({ used_at: now })
    .where('id', '=', uuidOf(id))
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Null when the code is not good any more, too. */
export async function goodCodeOwner(
  q: Queryable,
  id: OtpId,
  purpose: Purpose,
  now: Date,
): Promise<MerchantId | null> {
  const row = await q
    .selectFrom('one_time_codes')
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', purpose)
    .where(isGood(now))
    .select('merchant_id')
    .executeTakeFirst()
  return row ? ownerOf(row) : null
}

/** Ends a code that was still good; false when there was none. */
export async function endCode(tx: Tx, id: OtpId, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_codes')
    .set({ ended_at: now })
    .where('id', '=', uuidOf(id))
    .where(isGood(now))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function endCodesOf(tx: Tx, merchantId: MerchantId, now: Date): Promise<void> {
  await tx
    .updateTable('one_time_codes')
    .set({ ended_at: now })
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
}

export interface SentCodes {
  readonly lastAt: Date | null
  /** Since the moment asked for, leaving out the first code of each sign-in. */
  readonly resends: number
  readonly firstResendAt: Date | null
}

export async function sentSignInCodes(tx: Tx, merchantId: MerchantId, since: Date): Promise<SentCodes> {
  const row = await tx
    .selectFrom('one_time_codes')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('purpose', '=', 'signin')
    .where('created_at', '>', since)
    .select((eb) => [
      eb.fn.max('created_at').as('last_at'),
      eb.fn.countAll<bigint>().filterWhere('resend_of', 'is not', null).as('resends'),
      eb.fn.min('created_at').filterWhere('resend_of', 'is not', null).as('first_resend_at'),
    ])
    .executeTakeFirstOrThrow()
  return { lastAt: row.last_at, resends: Number(row.resends), firstResendAt: row.first_resend_at }
}

export async function countResetCodes(tx: Tx, merchantId: MerchantId, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('one_time_codes')
    .where('merchant_id', '=', uuidOf(merchantId))
    .where('purpose', '=', 'password_reset')
    .where('created_at', '>', since)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Gives a code that has no owner yet its owner; false when it has one or is no longer good. */
export async function claimResetCode(
  tx: Tx,
  id: OtpId,
  owner: { merchantId: MerchantId; codeHash: Buffer },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_codes')
    .set({ merchant_id: uuidOf(owner.merchantId), code_hash: owner.codeHash })
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', 'password_reset')
    .where('merchant_id', 'is', null)
    .where(isGood(now))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ids that were handed out for addresses without an account are of no more use once they are over. */
export async function deleteOwnerlessCodes(q: Queryable, before: Date): Promise<void> {
  await q
    .deleteFrom('one_time_codes')
    .where('merchant_id', 'is', null)
    .where('purpose', '=', 'password_reset')
    .where('created_at', '<', before)
    .execute()
}
