import { MerchantId, type OtpId } from '@muripo/contract/ids'
import { type ExpressionBuilder, sql } from 'kysely'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import type { DB } from '../../../platform/db/schema.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { Party } from '../party.ts'
import { LINK_LIFE_MS, type Purpose } from './codes.ts'

export interface NewCode {
  readonly id: OtpId
  /** Null until it is known whether anybody has the address. */
  readonly merchantId: MerchantId | null
  readonly purpose: Purpose
  /** Keyed hash of the email that was typed, of a code that sets a password. */
  readonly askedFor?: Buffer
  readonly party: Party
  readonly codeHash: Buffer
  readonly triesAllowed: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly resendOf?: OtpId
}

export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  const row = tx.insertInto('one_time_codes').values({
    id: uuidOf(code.id),
    merchant_id: code.merchantId === null ? null : uuidOf(code.merchantId),
    purpose: code.purpose,
    asked_for: code.askedFor ?? null,
    device_hash: code.party,
    code_hash: code.codeHash,
    tries_allowed: code.triesAllowed,
    created_at: code.createdAt,
    expires_at: code.expiresAt,
    resend_of: code.resendOf ? uuidOf(code.resendOf) : null,
  })
  await runPrepared(tx, 'insert-code', row)
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

export interface SpentTry {
  readonly merchantId: MerchantId | null
  readonly codeHash: Buffer
  readonly party: Party
  readonly askedFor: Buffer | null
}

/** Spends one try of a code that is still good; null when there is none left to spend. */
export async function spendTry(
  q: Queryable,
  id: OtpId,
  purpose: Purpose,
  now: Date,
): Promise<SpentTry | null> {
  const row = await q
    .updateTable('one_time_codes')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', purpose)
    .where(isGood(now))
    .returning(['merchant_id', 'code_hash', 'device_hash', 'asked_for'])
    .executeTakeFirst()
  if (!row) return null
  const { code_hash: codeHash, device_hash: party, asked_for: askedFor } = row
  return { merchantId: ownerOf(row), codeHash, party, askedFor }
}

/** For a code that was right and is still wanted. */
export async function giveTryBack(q: Queryable, id: OtpId): Promise<void> {
  await q
    .updateTable('one_time_codes')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('id', '=', uuidOf(id))
    .where('tries', '>', 0)
    .execute()
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

/** Who may ask for another code in place of this one; null when it is not good any more. */
export async function goodSignInCode(
  q: Queryable,
  id: OtpId,
  now: Date,
): Promise<{ merchantId: MerchantId; party: Party } | null> {
  const row = await q
    .selectFrom('one_time_codes')
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', 'signin')
    .where(isGood(now))
    .select(['merchant_id', 'device_hash'])
    .executeTakeFirst()
  const merchantId = row ? ownerOf(row) : null
  return row && merchantId ? { merchantId, party: row.device_hash } : null
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

interface Some {
  readonly count: number
  readonly firstAt: Date | null
}

export interface SentCodes {
  readonly lastAt: Date | null
  /** In the last hour, leaving out the first code of each sign-in. */
  readonly resends: Some
  readonly unusedInHour: Some
  readonly unusedInDay: Some
}

export async function sentCodes(
  q: Queryable,
  merchantId: MerchantId,
  purpose: Purpose,
  party: Party,
  { hourAgo, dayAgo }: { hourAgo: Date; dayAgo: Date },
): Promise<SentCodes> {
  const [row] = await runPrepared(
    q,
    'sent-codes',
    sql<{
      last_at: Date | null
      resends: number
      first_resend_at: Date | null
      unused_in_hour: number
      first_unused_in_hour_at: Date | null
      unused_in_day: number
      first_unused_in_day_at: Date | null
    }>`
    select max(created_at) as last_at,
      count(*) filter (where is_resend)::int as resends,
      min(created_at) filter (where is_resend) as first_resend_at,
      count(*) filter (where is_unused and created_at > ${hourAgo})::int as unused_in_hour,
      min(created_at) filter (where is_unused and created_at > ${hourAgo}) as first_unused_in_hour_at,
      count(*) filter (where is_unused)::int as unused_in_day,
      min(created_at) filter (where is_unused) as first_unused_in_day_at
    from (
      select created_at, used_at is null as is_unused, resend_of is not null and created_at > ${hourAgo} as is_resend
      from one_time_codes
      where merchant_id = ${uuidOf(merchantId)} and purpose = ${purpose} and created_at > ${dayAgo}
        and device_hash is not distinct from ${party}
    ) codes`,
  )
  if (!row) throw new Error('a count has its row')
  return {
    lastAt: row.last_at,
    resends: { count: row.resends, firstAt: row.first_resend_at },
    unusedInHour: { count: row.unused_in_hour, firstAt: row.first_unused_in_hour_at },
    unusedInDay: { count: row.unused_in_day, firstAt: row.first_unused_in_day_at },
  }
}

/** Gives a code that has no owner yet its owner; false when it has one or is no longer good. */
export async function claimResetCode(
  tx: Tx,
  id: OtpId,
  owner: { merchantId: MerchantId; party: Party; codeHash: Buffer; linkHash: Buffer },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_codes')
    .set({
      merchant_id: uuidOf(owner.merchantId),
      device_hash: owner.party,
      code_hash: owner.codeHash,
      link_hash: owner.linkHash,
      link_expires_at: sql`muripo_now() + ${LINK_LIFE_MS} * interval '1 millisecond'`,
    })
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
