import type { Account as AccountPage } from '@muripo/contract/account'
import type { Locale } from '@muripo/contract/enums'
import type { MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { invariant } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { retentionMs } from '../../../platform/jobs/retention.ts'
import { merchants } from '../tables.ts'
import { isActive } from './machine.ts'

/** From sign-up to the first sign-in code. */
const PROOF_WITHIN_MS = retentionMs('unprovenAccounts')

const registered = merchants.view([
  'id',
  'accountType',
  'fullname',
  'email',
  'phone',
  'passwordHash',
  'documentType',
  'documentId',
  'createdAt',
])

export type NewMerchant = EntityOf<typeof registered>

/** Inserts a merchant with the environment of the gateway's own mode, which has the merchant's id. */
export async function insertMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  const id = uuidOf(merchant.id)
  const values = {
    ...merchants.row(merchant),
    prove_by: sql<Date>`muripo_now() + ${PROOF_WITHIN_MS} * interval '1 millisecond'`,
  }
  await tx
    .with('merchant', (db) => db.insertInto('merchants').values(values))
    .insertInto('environments')
    .values({ id, merchant_id: id })
    .execute()
}

/** The condition on a merchant's email, in the spelling by which the unique index compares emails. */
export const hasEmail = (email: string) => sql<boolean>`lower(merchants.email) = lower(${email}::text)`

export interface Account extends EntityOf<typeof merchants> {
  /** The spelling by which the database compares emails. */
  readonly canonicalEmail: string
}

const selectAccount = (q: Queryable) =>
  q
    .selectFrom('merchants')
    .select(merchants.names)
    .select((eb) => eb.fn<string>('lower', ['email']).as('canonical_email'))

type AccountRow = Readonly<Record<string, unknown>> & { readonly canonical_email: string }

const toAccount = (row: AccountRow): Account => ({
  ...merchants.read(row),
  canonicalEmail: row.canonical_email,
})

/** The spelling by which the unique index compares emails. */
export async function canonicalEmail(q: Queryable, email: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`select lower(${email}::text) as email`.execute(q)
  return rows[0]?.email ?? email
}

export async function accountByEmail(q: Queryable, email: string): Promise<Account | null> {
  const row = await selectAccount(q).where(hasEmail(email)).executeTakeFirst()
  return row ? toAccount(row) : null
}

/** The account that an email names, with all facts that a sign-in needs. */
export interface SignInAccount {
  readonly canonicalEmail: string
  readonly account: Account | null
  readonly isRecognised: boolean
  readonly hasDevices: boolean
  readonly hasPasskey: boolean
}

/** The account of an email with all facts that a sign-in needs, in one statement whether or not the account exists. */
export async function findSignInAccount(
  q: Queryable,
  email: string,
  deviceHash: Buffer | null,
): Promise<SignInAccount> {
  const find = sql<AccountRow & { id: string | null } & Omit<SignInAccount, 'canonicalEmail' | 'account'>>`
    select named.email as canonical_email, ${merchants.selectList},
      devices.token_hash is not null as "isRecognised",
      exists (select from devices any_device where any_device.merchant_id = merchants.id) as "hasDevices",
      exists (select from passkeys where passkeys.merchant_id = merchants.id) as "hasPasskey"
    from (select lower(${email}::text) as email) named
    left join merchants on lower(merchants.email) = named.email
    left join devices on devices.merchant_id = merchants.id and devices.token_hash = ${deviceHash}`
  const [row] = await runPrepared(q, 'find-sign-in-account', find)
  invariant(row, 'the statement returns a row whether or not the account exists')
  const { canonical_email: canonicalEmail, isRecognised, hasDevices, hasPasskey } = row
  const account = row.id === null ? null : toAccount(row)
  return { canonicalEmail, account, isRecognised, hasDevices, hasPasskey }
}

export async function findAccount(q: Queryable, merchantId: MerchantId): Promise<Account> {
  const account = await findAccountOrNull(q, merchantId)
  invariant(account, 'the account exists')
  return account
}

/** Null when the account was deleted because it was not proven in time. */
export async function findAccountOrNull(q: Queryable, merchantId: MerchantId): Promise<Account | null> {
  const row = await selectAccount(q).where('id', '=', uuidOf(merchantId)).executeTakeFirst()
  return row ? toAccount(row) : null
}

/** Locks an account until the transaction ends: no concurrent transaction sends this merchant a code or changes the password. */
export async function lockAccount(tx: Tx, merchantId: MerchantId): Promise<Account> {
  const account = await lockAccountOrNull(tx, merchantId)
  invariant(account, 'the account exists')
  return account
}

/** As `lockAccount`; null when the account was deleted because it was not proven in time. */
export async function lockAccountOrNull(tx: Tx, merchantId: MerchantId): Promise<Account | null> {
  const locking = selectAccount(tx).where('id', '=', uuidOf(merchantId)).forNoKeyUpdate()
  const [row] = await runPrepared(tx, 'lock-account', locking)
  return row ? toAccount(row) : null
}

/** The kinds of password hashes among the accounts: algorithm and cost, which precede the salt. */
export async function passwordHashKinds(q: Queryable): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select distinct substring(password_hash from '^\\$[^$]*\\$[^$]*\\$[^$]*') as kind from merchants`.execute(
    q,
  )
  return rows.map(({ kind }) => kind)
}

export async function updatePassword(tx: Tx, merchantId: MerchantId, passwordHash: string): Promise<void> {
  await tx
    .updateTable('merchants')
    .set({ password_hash: passwordHash })
    .where('id', '=', uuidOf(merchantId))
    .execute()
}

/** Records that the owner has entered a mailed code. Later codes change nothing. */
export async function proveAccount(tx: Tx, merchantId: MerchantId): Promise<void> {
  await sql`
    update merchants set proven_at = muripo_now() where id = ${uuidOf(merchantId)} and proven_at is null`.execute(
    tx,
  )
}

const profile = merchants.view(['fullname', 'email', 'timeZone', 'locale', 'reportingCurrency'])

export type MerchantProfile = EntityOf<typeof profile>

/** The profile of the merchant of an account id, live or test. */
export async function merchantProfile(q: Queryable, accountId: MerchantId): Promise<MerchantProfile> {
  const row = await q
    .selectFrom('merchants')
    .where('id', '=', (owner) =>
      owner.selectFrom('environments').select('merchant_id').where('id', '=', uuidOf(accountId)),
    )
    .select(profile.names)
    .executeTakeFirstOrThrow()
  return profile.read(row)
}

const profiles = merchants.view([
  'fullname',
  'email',
  'phone',
  'accountType',
  'timeZone',
  'locale',
  'createdAt',
  'status',
  'statusChange',
])

export async function findProfile(
  q: Queryable,
  merchantId: MerchantId,
  gatewayMode: AccountPage['gatewayMode'],
): Promise<AccountPage> {
  const row = await q
    .selectFrom('merchants')
    .where('id', '=', uuidOf(merchantId))
    .select(profiles.names)
    .executeTakeFirstOrThrow()
  const { createdAt, statusChange, ...profile } = profiles.read(row)
  return {
    ...profile,
    createdAt: createdAt.toISOString(),
    statusReason: isActive(profile.status) ? null : (statusChange?.reason ?? null),
    gatewayMode,
  }
}

export async function updateProfile(
  tx: Tx,
  merchantId: MerchantId,
  { timeZone, locale }: { readonly timeZone: string; readonly locale: Locale | null },
): Promise<void> {
  await tx
    .updateTable('merchants')
    .set({ time_zone: timeZone, locale })
    .where('id', '=', uuidOf(merchantId))
    .execute()
}
