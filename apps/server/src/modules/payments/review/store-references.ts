import { type AccountId, type AttemptId, PaymentId, type RefundId } from '@muripo/contract/ids'
import { type RawBuilder, sql } from 'kysely'
import { batched } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import { databaseNow } from '../../../platform/db/database-time.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'

/** A charge or a refund at a provider account. */
export interface Cause {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly id: AttemptId | RefundId
  readonly provider: string
  /** The reference that the provider has reported for it before. */
  readonly providerReference?: string | null
}

/** Whether a reference is one of these, however it is written. */
export async function isAmong(
  db: Queryable,
  reference: string,
  others: readonly (string | null | undefined)[],
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from unnest(${others.filter((each) => each)}::text[]) as other
      where provider_reference_key(other) = provider_reference_key(${reference})) as found`.execute(db)
  return rows[0]?.found ?? false
}

/**
 * Claims a reference as the proof of one charge or refund, which may claim it again. Of two that claim it at the same time, the second waits
 * for the first.
 * @returns the payment that has claimed the reference; null when it is free
 */
export async function claimReference(tx: Tx, cause: Cause, reference: string): Promise<PaymentId | null> {
  const id = uuidOf(cause.id)
  await sql`
    insert into verdict_references (provider, reference_key, account_id, payment_id, cause_id, given_at)
    select ${cause.provider}, provider_reference_key(${reference}), ${uuidOf(cause.accountId)}::uuid,
      ${uuidOf(cause.paymentId)}::uuid, ${id}::uuid, ${databaseNow}
    on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ payment_id: string }>`
    select payment_id from verdict_references
    where provider = ${cause.provider} and reference_key = provider_reference_key(${reference}) and cause_id <> ${id}`.execute(
    tx,
  )
  return paymentIn(rows)
}

const isPaid = sql`p.provider_reference is not null and p.completed_at is not null`

/** One row for each of `mine` and another charge, or refund, of its provider account. */
const found = (other: RawBuilder<unknown>) => sql`
  select mine.n, mine.reference, a.payment_id from mine ${other} where a.provider = mine.provider`

/** The paid charges and the refunds with the reference of `mine`. */
const recorded = sql`
  ${found(sql`
    join payments p on provider_reference_key(p.provider_reference) = mine.key and ${isPaid}
    join payment_attempts a on a.account_id = p.account_id and a.payment_id = p.id and a.status = 'completed'`)}
    and a.id <> mine.id
  union all
  ${found(sql`
    join refunds r on provider_reference_key(r.provider_reference) = mine.key and r.provider_reference is not null
    join payment_attempts a on a.account_id = r.account_id and a.id = r.attempt_id`)}
    and r.id <> mine.id`

const isSame = sql`provider_reference_key(a.provider_reference) = mine.key and a.id <> mine.id`

/** The charges that are open, in review, watched or of a second payment: a reference of theirs is in no index. */
const openCharges = sql`
  ${found(sql`join payment_attempts a on a.index_status = 'held' or (a.index_status = 'underway' and a.index_due_at is null)`)} and ${isSame}
  union all
  ${found(sql`join payment_attempts a on a.index_status = 'underway'`)} and ${isSame}
  union all
  ${found(sql`join payment_attempts a on a.next_watch_at is not null`)} and ${isSame}
  union all
  ${found(sql`
    join refunds r on r.origin = 'duplicate' and r.replaces_id is null
    join payment_attempts a on a.account_id = r.account_id and a.id = r.attempt_id`)} and ${isSame}`

/**
 * The payment of another paid charge, or of a refund, of the provider account under the reference.
 * @param own the provider's reference of the charge of a refund: some providers report a refund under it, and it is not looked for
 */
export const findRecorded = (
  db: Queryable,
  cause: Cause,
  reference: string,
  own: string | null = null,
): Promise<PaymentId | null> => findAmong(db, 'find-recorded-reference', recorded, cause, reference, own)

/**
 * The same for every charge for which a connector or an operator has recorded the reference. It reads all charges in progress, so it is for
 * the verdicts of operators only. Of several unbooked charges for which the provider has reported one reference, an operator may book the
 * first.
 */
export async function findReported(
  db: Queryable,
  cause: Cause,
  reference: string,
): Promise<PaymentId | null> {
  if (await isAmong(db, reference, [cause.providerReference])) return findRecorded(db, cause, reference)
  return findAmong(db, 'find-reported-reference', sql`${recorded} union all ${openCharges}`, cause, reference)
}

async function findAmong(
  db: Queryable,
  name: string,
  others: RawBuilder<unknown>,
  { id, provider }: Cause,
  reference: string,
  own: string | null = null,
): Promise<PaymentId | null> {
  const find = sql<{ payment_id: string }>`
    with mine as materialized (
      select 1 as n, ${uuidOf(id)}::uuid as id, ${provider}::text as provider, ${reference}::text as reference,
        provider_reference_key(${reference}) as key
      where provider_reference_key(${reference}) is distinct from provider_reference_key(${own}))
    select payment_id from (${others}) as found limit 1`
  return paymentIn(await runPrepared(db, name, find))
}

type Charge = Pick<Cause, 'accountId' | 'id'>

interface Repeated {
  readonly reference: string
  readonly paymentId: PaymentId
}

/** The reference that a charge has in common with another charge that is paid, or with a refund; null when it has none. */
export const findRepeated: (db: Queryable, charge: Charge) => Promise<Repeated | null> = batched(
  async (db: Queryable, charges: readonly Charge[]) => {
    const accountIds = charges.map(({ accountId }) => uuidOf(accountId))
    const ids = charges.map(({ id }) => uuidOf(id))
    const find = sql<{ n: number; reference: string; payment_id: string }>`
      with mine as materialized (
        select given.n, a.id, a.provider, a.provider_reference as reference, provider_reference_key(a.provider_reference) as key
        from unnest(${accountIds}::uuid[], ${ids}::uuid[]) with ordinality as given (account_id, id, n)
        join payment_attempts a on a.account_id = given.account_id and a.id = given.id
      )
      select distinct on (n) n::int, reference, payment_id from (${recorded}) as found`
    const rows = await runPrepared(db, 'find-repeated-references', find)
    const found = new Map(rows.map((row) => [row.n, row]))
    return charges.map((_, index) => {
      const row = found.get(index + 1)
      return row ? { reference: row.reference, paymentId: idFrom(PaymentId, row.payment_id) } : null
    })
  },
)

const paymentIn = ([row]: readonly { readonly payment_id: string }[]): PaymentId | null =>
  row ? idFrom(PaymentId, row.payment_id) : null
