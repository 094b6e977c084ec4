import { type AccountId, AttemptId, type CustomerId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { encryptedColumn } from '../../../platform/crypto/encrypted-values.ts'
import { decrypt, encrypt } from '../../../platform/crypto/encryption.ts'
import type { Keys } from '../../../platform/crypto/keys.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { databaseNow, databaseNowPlus } from '../../../platform/db/database-time.ts'
import { invariant } from '../../../platform/errors.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { retentionMs } from '../../../platform/jobs/retention.ts'
import type { PaymentsCtx } from '../context.ts'
import type { Attempt } from '../payment/payment.ts'

const RETENTION_MS = retentionMs('retainedNumbers')

const contextOf = (attemptId: AttemptId): string => `retained-number:${attemptId}`

/** A refund that is sent, looked up or sent by hand. */
const isOpen = sql`(r.status not in ('completed', 'failed') or r.next_watch_at is not null)`

/** A booked charge, and the number that its provider needs for a refund. */
interface NumberedCharge {
  readonly paymentId: string
  readonly attemptId: AttemptId
  readonly msisdn: string
  readonly keptUntil: Date
}

/** The booked charges of payments whose refunds and disputes are not out of time. */
export async function findNumberedCharges(
  tx: Tx,
  accountId: AccountId,
  customerId: CustomerId,
): Promise<NumberedCharge[]> {
  const { rows } = await sql<{ id: string; payment_id: string; msisdn: string; kept_until: Date }>`
    select a.id, a.payment_id, a.msisdn, booked.at + (${RETENTION_MS} * interval '1 millisecond') as kept_until
    from payments p join payment_attempts a on a.account_id = p.account_id and a.payment_id = p.id
      cross join lateral (select least(coalesce(p.completed_at, a.updated_at), ${databaseNow}) as at) as booked
    where p.account_id = ${uuidOf(accountId)} and p.customer_id = ${uuidOf(customerId)} and a.msisdn is not null
      and a.status in ('completed', 'duplicate')
      and (booked.at > ${databaseNowPlus(-RETENTION_MS)} or exists (
        select from refunds r where r.account_id = a.account_id and r.attempt_id = a.id and ${isOpen}))`.execute(
    tx,
  )
  return rows.map((row) => ({
    paymentId: row.payment_id,
    attemptId: idFrom(AttemptId, row.id),
    msisdn: row.msisdn,
    keptUntil: row.kept_until,
  }))
}

/** Encrypts the numbers of charges, whose plain numbers the transaction has erased. */
export async function retainNumbers(
  tx: Tx,
  keys: Keys,
  accountId: AccountId,
  charges: readonly NumberedCharge[],
): Promise<void> {
  if (charges.length === 0) return
  await tx
    .insertInto('retained_numbers')
    .values(
      charges.map(({ attemptId, msisdn, keptUntil }) => ({
        account_id: uuidOf(accountId),
        attempt_id: uuidOf(attemptId),
        number: encrypt(keys.retainedNumberEncryption, Buffer.from(msisdn), contextOf(attemptId)),
        kept_until: keptUntil,
      })),
    )
    .execute()
}

/** The number that a refund or a look-up of a charge needs; null when there is none, or no longer one. */
export async function numberOf(
  { db, keys, providers }: Pick<PaymentsCtx, 'db' | 'keys' | 'providers'>,
  charge: Pick<Attempt, 'accountId' | 'id' | 'msisdn' | 'provider' | 'method'>,
): Promise<string | null> {
  if (charge.msisdn !== null || !providers.has(charge.provider)) return charge.msisdn
  // The charge of a card has no number to look for.
  if (!providers.byId(charge.provider).needs(charge.method).includes('phone')) return null
  return retainedNumberOf(db.kysely, keys, charge)
}

export async function retainedNumberOf(
  db: Queryable,
  keys: Keys,
  { accountId, id }: Pick<Attempt, 'accountId' | 'id'>,
): Promise<string | null> {
  const row = await db
    .selectFrom('retained_numbers')
    .select('number')
    .where('account_id', '=', uuidOf(accountId))
    .where('attempt_id', '=', uuidOf(id))
    .executeTakeFirst()
  if (!row) return null
  const number = decrypt(keys.retainedNumberEncryption, row.number, contextOf(id))
  invariant(number !== null, `the number of ${id} is encrypted with a master key of this process`)
  return number.toString()
}

/** Deletes numbers whose time is over, unless a refund of their charge is open. Returns the number of deleted rows. */
export async function deleteRetainedNumbers(db: Queryable, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from retained_numbers s using (
      select account_id, attempt_id from retained_numbers n
      where kept_until <= ${databaseNow} and not exists (
        select from refunds r where r.account_id = n.account_id and r.attempt_id = n.attempt_id and ${isOpen})
      order by kept_until limit ${most} for update of n skip locked
    ) as over
    where s.account_id = over.account_id and s.attempt_id = over.attempt_id`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export const encryptedNumbers = encryptedColumn({
  name: 'numbers of erased customers',
  table: 'retained_numbers',
  column: 'number',
  primaryKey: ['account_id', 'attempt_id'],
  keys: (keys) => keys.retainedNumberEncryption,
  context: ({ attempt_id = '' }) => contextOf(idFrom(AttemptId, attempt_id)),
})
