import { MerchantId, type PersonId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { invariant } from '../../../platform/errors.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { persons } from '../tables.ts'

export type NewPerson = Omit<EntityOf<typeof persons>, 'isProven'> & { readonly createdAt: Date }

export async function insertPerson(tx: Tx, person: NewPerson): Promise<void> {
  await tx.insertInto('persons').values(persons.row(person)).execute()
}

/** A person who signs in, and the merchant for which a sign-in opens a session: the one that the person used last. */
export interface Account extends EntityOf<typeof persons> {
  /** The spelling by which the database compares emails. */
  readonly canonicalEmail: string
  readonly merchantId: MerchantId
  readonly phone: string
  readonly timeZone: string
}

/** The merchant of an account. A person without a membership has no account. */
const home = sql`lateral (
    select m.id as merchant_id, m.phone, m.time_zone from memberships join merchants m on m.id = merchant_id
    where person_id = persons.id order by last_seen_at desc nulls last, memberships.created_at limit 1) home`

const accountColumns = sql`${persons.selectList}, lower(persons.email) as canonical_email, home.*`

type AccountRow = Readonly<Record<string, unknown>> & {
  readonly canonical_email: string
  readonly merchant_id: string
  readonly phone: string
  readonly time_zone: string
}

const toAccount = (row: AccountRow): Account => ({
  ...persons.read(row),
  canonicalEmail: row.canonical_email,
  merchantId: idFrom(MerchantId, row.merchant_id),
  phone: row.phone,
  timeZone: row.time_zone,
})

const selectAccount = (condition: ReturnType<typeof sql>) => sql<AccountRow>`
  select ${accountColumns} from persons cross join ${home} where ${condition}`

/** The spelling by which the unique index compares emails. */
export async function canonicalEmail(q: Queryable, email: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`select lower(${email}::text) as email`.execute(q)
  return rows[0]?.email ?? email
}

/** The condition on a person's email, in the spelling by which the unique index compares emails. */
const hasEmail = (email: string) => sql`lower(persons.email) = lower(${email}::text)`

export async function accountByEmail(q: Queryable, email: string): Promise<Account | null> {
  const { rows } = await selectAccount(hasEmail(email)).execute(q)
  return rows[0] ? toAccount(rows[0]) : null
}

/** The condition on a merchant whose owner has the email. */
export const isOwnedBy = (email: string) => sql<boolean>`
  merchants.id in (select merchant_id from memberships join persons on persons.id = person_id where role = 'owner' and ${hasEmail(email)})`

/** Whether any person has the email, with or without a membership. */
export async function isEmailTaken(q: Queryable, email: string): Promise<boolean> {
  const { rows } = await sql`select from persons where ${hasEmail(email)}`.execute(q)
  return rows.length > 0
}

export async function findFullname(q: Queryable, personId: PersonId): Promise<string> {
  const { fullname } = await q
    .selectFrom('persons')
    .select('fullname')
    .where('id', '=', uuidOf(personId))
    .executeTakeFirstOrThrow()
  return fullname
}

/** The names of persons who are still members of a team, by their ids. */
export async function fullnamesOf(
  q: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; fullname: string }>`
    select id, fullname from persons where id = any (${[...new Set(ids)]}::uuid[])`.execute(q)
  return new Map(rows.map(({ id, fullname }) => [id, fullname]))
}

/** A column that holds a person's id, with its table: the tables of factors have a column `person_id` too. */
type PersonColumn = `${string}.${string}`

/** Whether a person has an authenticator app. */
export const hasTotp = (personId: PersonColumn) => sql<boolean>`exists (
  select from totp_factors where totp_factors.person_id = ${sql.ref(personId)} and totp_factors.enabled_at is not null)`

/** Whether a person has a passkey. */
export const hasPasskey = (personId: PersonColumn) =>
  sql<boolean>`exists (select from passkeys where passkeys.person_id = ${sql.ref(personId)})`

/** Whether a person has an authenticator app or a passkey. */
export const hasSecondFactor = (personId: PersonColumn) =>
  sql<boolean>`(${hasPasskey(personId)} or ${hasTotp(personId)})`

/** The account that an email names, with all facts that a sign-in needs. */
export interface SignInAccount {
  readonly canonicalEmail: string
  readonly account: Account | null
  readonly isRecognised: boolean
  readonly hasDevices: boolean
  readonly hasPasskey: boolean
  readonly hasTotp: boolean
}

/** The account of an email with all facts that a sign-in needs, in one statement whether or not the account exists. */
export async function findSignInAccount(
  q: Queryable,
  email: string,
  deviceHash: Buffer | null,
): Promise<SignInAccount> {
  const find = sql<AccountRow & { id: string | null } & Omit<SignInAccount, 'canonicalEmail' | 'account'>>`
    select named.email as canonical_email, ${persons.selectList}, home.*,
      devices.token_hash is not null as "isRecognised",
      exists (select from devices any_device where any_device.person_id = persons.id) as "hasDevices",
      ${hasPasskey('persons.id')} as "hasPasskey",
      ${hasTotp('persons.id')} as "hasTotp"
    from (select lower(${email}::text) as email) named
    left join persons on lower(persons.email) = named.email
    left join ${home} on true
    left join devices on devices.person_id = persons.id and devices.token_hash = ${deviceHash}`
  const [row] = await runPrepared(q, 'find-sign-in-account', find)
  invariant(row, 'the statement returns a row whether or not the account exists')
  const { canonical_email: canonicalEmail, isRecognised, hasDevices, ...factors } = row
  const account = row.merchant_id === null ? null : toAccount(row)
  return {
    canonicalEmail,
    account,
    isRecognised,
    hasDevices,
    hasPasskey: factors.hasPasskey,
    hasTotp: factors.hasTotp,
  }
}

export async function findAccount(q: Queryable, personId: PersonId): Promise<Account> {
  const account = await findAccountOrNull(q, personId)
  invariant(account, 'the account exists')
  return account
}

const hasId = (personId: PersonId) => sql`persons.id = ${uuidOf(personId)}`

/** Null when the account was deleted because it was not proven in time, or the person's last membership ended. */
export async function findAccountOrNull(q: Queryable, personId: PersonId): Promise<Account | null> {
  const { rows } = await selectAccount(hasId(personId)).execute(q)
  return rows[0] ? toAccount(rows[0]) : null
}

/** Locks a person until the transaction ends: no concurrent transaction sends this person a code or changes the password. */
export async function lockAccount(tx: Tx, personId: PersonId): Promise<Account> {
  const account = await lockAccountOrNull(tx, personId)
  invariant(account, 'the account exists')
  return account
}

/** As `lockAccount`; null when there is no such account any more. */
export async function lockAccountOrNull(tx: Tx, personId: PersonId): Promise<Account | null> {
  const locking = sql<AccountRow>`${selectAccount(hasId(personId))} for no key update of persons`
  const [row] = await runPrepared(tx, 'lock-account', locking)
  return row ? toAccount(row) : null
}

/** The kinds of password hashes among the accounts: algorithm and cost, which precede the salt. */
export async function passwordHashKinds(q: Queryable): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select distinct substring(password_hash from '^\\$[^$]*\\$[^$]*\\$[^$]*') as kind from persons`.execute(q)
  return rows.map(({ kind }) => kind)
}

export async function updatePassword(tx: Tx, personId: PersonId, passwordHash: string): Promise<void> {
  await tx
    .updateTable('persons')
    .set({ password_hash: passwordHash })
    .where('id', '=', uuidOf(personId))
    .execute()
}

/** Records that a person has entered a mailed code, and with it that the merchant of an owner is no invention. Later codes change nothing. */
export async function proveAccount(tx: Tx, personId: PersonId): Promise<void> {
  const id = uuidOf(personId)
  const { numAffectedRows } = await sql`
    update persons set proven_at = muripo_now() where id = ${id} and proven_at is null`.execute(tx)
  if (numAffectedRows === 0n) return
  await sql`
    update merchants set proven_at = muripo_now()
    where proven_at is null and id in (select merchant_id from memberships where person_id = ${id} and role = 'owner')`.execute(
    tx,
  )
}
