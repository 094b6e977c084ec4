import { OtpId, PersonId } from '@muripo/contract/ids'
import { type ExpressionBuilder, sql } from 'kysely'
import { plusMs } from '../../../platform/clock.ts'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import type { DB } from '../../../platform/db/schema.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { hasTotp } from '../persons/store-persons.ts'
import { DAY_MS, HOUR_MS, type RateLimitSubject } from '../throttles.ts'

export type Purpose = 'signin' | 'password_reset'
/** The link beside a reset code cannot be guessed, so it may live longer than the code. */
export const LINK_LIFE_MS = 60 * 60 * 1000

export interface NewCode {
  readonly id: OtpId
  /** Null until the account of the email is looked up. */
  readonly personId: PersonId | null
  readonly purpose: Purpose
  /** Keyed hash of the typed email, for a code that sets a password. */
  readonly requestedFor?: Buffer
  readonly limitSubject: RateLimitSubject
  readonly codeHash: Buffer
  readonly attemptsAllowed: number
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly resendOf?: OtpId
}

export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  const row = tx.insertInto('one_time_codes').values({
    id: uuidOf(code.id),
    person_id: code.personId === null ? null : uuidOf(code.personId),
    purpose: code.purpose,
    email_hash: code.requestedFor ?? null,
    device_hash: code.limitSubject,
    code_hash: code.codeHash,
    attempts_allowed: code.attemptsAllowed,
    created_at: code.createdAt,
    expires_at: code.expiresAt,
    resend_of: code.resendOf ? uuidOf(code.resendOf) : null,
  })
  await runPrepared(tx, 'insert-code', row)
}

const isUsable = (now: Date) => (eb: ExpressionBuilder<DB, 'one_time_codes'>) =>
  eb.and([
    eb('used_at', 'is', null),
    eb('ended_at', 'is', null),
    eb('expires_at', '>', now),
    eb('attempts', '<', eb.ref('attempts_allowed')),
  ])

const ownerOf = (row: { person_id: string | null }): PersonId | null =>
  row.person_id === null ? null : idFrom(PersonId, row.person_id)

export interface SpentAttempt {
  readonly personId: PersonId | null
  readonly codeHash: Buffer
  readonly limitSubject: RateLimitSubject
  readonly requestedFor: Buffer | null
  /** The owner has an authenticator app, whose code replaces the mailed one of a sign-in. */
  readonly hasTotp: boolean
}

/** Spends one attempt at a usable code; null when the code is not usable. */
export async function spendAttempt(
  q: Queryable,
  id: OtpId,
  purpose: Purpose,
  now: Date,
): Promise<SpentAttempt | null> {
  const row = await q
    .updateTable('one_time_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', purpose)
    .where(isUsable(now))
    .returning(['person_id', 'code_hash', 'device_hash', 'email_hash'])
    .returning(hasTotp('one_time_codes.person_id').as('has_totp'))
    .executeTakeFirst()
  if (!row) return null
  const { code_hash: codeHash, device_hash: limitSubject, email_hash: requestedFor } = row
  return { personId: ownerOf(row), codeHash, limitSubject, requestedFor, hasTotp: row.has_totp }
}

/** Restores the attempt of a correct code that the caller did not use after all. */
export async function restoreAttempt(q: Queryable, id: OtpId): Promise<void> {
  await q
    .updateTable('one_time_codes')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', uuidOf(id))
    .where('attempts', '>', 0)
    .execute()
}

/** Marks a code as used. Returns true to one caller only, and to none after the code was ended. */
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

/** The owner of a usable sign-in code; null when the code is not usable. */
export async function activeSignInCode(
  q: Queryable,
  id: OtpId,
  now: Date,
): Promise<{ personId: PersonId; limitSubject: RateLimitSubject } | null> {
  const row = await q
    .selectFrom('one_time_codes')
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', 'signin')
    .where(isUsable(now))
    .select(['person_id', 'device_hash'])
    .executeTakeFirst()
  const personId = row ? ownerOf(row) : null
  return row && personId ? { personId, limitSubject: row.device_hash } : null
}

/** Ends a usable code; false when it was not usable. */
export async function endCode(tx: Tx, id: OtpId, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_codes')
    .set({ ended_at: now })
    .where('id', '=', uuidOf(id))
    .where(isUsable(now))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function endCodesOf(tx: Tx, personId: PersonId, now: Date): Promise<void> {
  await tx
    .updateTable('one_time_codes')
    .set({ ended_at: now })
    .where('person_id', '=', uuidOf(personId))
    .where('used_at', 'is', null)
    .where('ended_at', 'is', null)
    .execute()
}

interface CountedCodes {
  readonly count: number
  readonly firstAt: Date | null
}

export interface SentCodes {
  readonly lastAt: Date | null
  /** In the last hour, without the first code of each sign-in. */
  readonly resends: CountedCodes
  readonly unusedInHour: CountedCodes
  readonly unusedInDay: CountedCodes
}

export interface CodeRecipient {
  readonly personId: PersonId
  readonly purpose: Purpose
  readonly limitSubject: RateLimitSubject
}

/** Counts the codes of the last hour and the last day. */
export async function sentCodes(
  q: Queryable,
  { personId, purpose, limitSubject }: CodeRecipient,
  now: Date,
): Promise<SentCodes> {
  const [hourAgo, dayAgo] = [plusMs(now, -HOUR_MS), plusMs(now, -DAY_MS)]
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
      where person_id = ${uuidOf(personId)} and purpose = ${purpose} and created_at > ${dayAgo}
        and device_hash is not distinct from ${limitSubject}
    ) codes`,
  )
  if (!row) throw new Error('an aggregate returns a row')
  return {
    lastAt: row.last_at,
    resends: { count: row.resends, firstAt: row.first_resend_at },
    unusedInHour: { count: row.unused_in_hour, firstAt: row.first_unused_in_hour_at },
    unusedInDay: { count: row.unused_in_day, firstAt: row.first_unused_in_day_at },
  }
}

/** Assigns a code without an owner to an account; false when it has an owner or is not usable. */
export async function claimResetCode(
  tx: Tx,
  id: OtpId,
  owner: { personId: PersonId; limitSubject: RateLimitSubject; codeHash: Buffer; linkHash: Buffer },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('one_time_codes')
    .set({
      person_id: uuidOf(owner.personId),
      device_hash: owner.limitSubject,
      code_hash: owner.codeHash,
      link_hash: owner.linkHash,
      link_expires_at: sql`muripo_now() + ${LINK_LIFE_MS} * interval '1 millisecond'`,
    })
    .where('id', '=', uuidOf(id))
    .where('purpose', '=', 'password_reset')
    .where('person_id', 'is', null)
    .where(isUsable(now))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes codes that were issued for emails without an account, once they have expired. */
export async function deleteOwnerlessCodes(q: Queryable, before: Date): Promise<void> {
  await q
    .deleteFrom('one_time_codes')
    .where('person_id', 'is', null)
    .where('purpose', '=', 'password_reset')
    .where('created_at', '<', before)
    .execute()
}

/** The code and the account of a usable reset link. */
export async function findResetLink(
  q: Queryable,
  linkHash: Buffer,
): Promise<{ otpId: OtpId; personId: PersonId } | null> {
  const { rows } = await sql<{ id: string; person_id: string }>`
    select id, person_id from one_time_codes
    where link_hash = ${linkHash} and used_at is null and ended_at is null and link_expires_at > muripo_now()`.execute(
    q,
  )
  const [row] = rows
  return row ? { otpId: idFrom(OtpId, row.id), personId: idFrom(PersonId, row.person_id) } : null
}

/** Marks the code of a link as used. Returns true to one caller only, and to none after the code was used or the link has expired. */
export async function useResetLink(tx: Tx, id: OtpId): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update one_time_codes set used_at = muripo_now()
    where id = ${uuidOf(id)} and link_hash is not null
      and used_at is null and ended_at is null and link_expires_at > muripo_now()`.execute(tx)
  return numAffectedRows === 1n
}

/** Deletes codes that were created before a moment: a slice at a time. */
export async function deleteOldCodes(q: Queryable, createdBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from one_time_codes where id in (
      select id from one_time_codes where created_at < ${createdBefore}
      order by created_at limit ${limit} for update skip locked
    )`.execute(q)
  return Number(numAffectedRows ?? 0n)
}
