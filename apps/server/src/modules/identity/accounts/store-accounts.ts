import type { AccountType, DocumentType, Locale } from '@muripo/contract/enums'
import { type FileId, MerchantId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { type Queryable, runPrepared, type Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { retentionMs } from '../../../platform/retention.ts'

/** From sign-up to the first sign-in code. */
const PROOF_WITHIN_MS = retentionMs('unprovenAccounts')

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

/** Inserts a merchant with the environment of the gateway's own mode, which has the merchant's id. */
export async function insertMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  const id = uuidOf(merchant.id)
  const values = {
    id,
    account_type: merchant.accountType,
    fullname: merchant.fullname,
    email: merchant.email,
    phone: merchant.phone,
    password_hash: merchant.passwordHash,
    document_type: merchant.documentType,
    document_id: uuidOf(merchant.documentId),
    created_at: merchant.createdAt,
    prove_by: sql<Date>`muripo_now() + ${PROOF_WITHIN_MS} * interval '1 millisecond'`,
  }
  await tx
    .with('merchant', (db) => db.insertInto('merchants').values(values))
    .insertInto('environments')
    .values({ id, merchant_id: id })
    .execute()
}

export interface Account {
  readonly id: MerchantId
  readonly fullname: string
  readonly email: string
  /** The spelling by which the database compares emails. */
  readonly canonicalEmail: string
  readonly phone: string
  readonly passwordHash: string
  readonly timeZone: string
  /** The language that the merchant chose; null for that of the browser. */
  readonly locale: Locale | null
  /** True once the owner has entered a mailed code. */
  readonly isProven: boolean
}

const accountColumns = [
  'id',
  'fullname',
  'email',
  'phone',
  'password_hash',
  'time_zone',
  'locale',
  'proven_at',
] as const

const selectAccount = (q: Queryable) =>
  q
    .selectFrom('merchants')
    .select(accountColumns)
    .select((eb) => eb.fn<string>('lower', ['email']).as('canonical_email'))

interface AccountRow {
  readonly id: string
  readonly fullname: string
  readonly email: string
  readonly canonical_email: string
  readonly phone: string
  readonly password_hash: string
  readonly time_zone: string
  readonly locale: string | null
  readonly proven_at: Date | null
}

/** The spelling by which the unique index compares emails. */
export async function canonicalEmail(q: Queryable, email: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`select lower(${email}::text) as email`.execute(q)
  return rows[0]?.email ?? email
}

export async function accountByEmail(q: Queryable, email: string): Promise<Account | null> {
  const row = await selectAccount(q)
    .where((eb) => eb(eb.fn('lower', ['email']), '=', eb.fn('lower', [eb.cast(eb.val(email), 'text')])))
    .executeTakeFirst()
  return row ? toAccount(row) : null
}

export interface Claimed {
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
): Promise<Claimed> {
  const [row] = await runPrepared(
    q,
    'who-has',
    sql<
      { [K in keyof AccountRow]: K extends 'canonical_email' ? string : AccountRow[K] | null } & {
        knows_device: boolean
        has_devices: boolean
        has_passkey: boolean
      }
    >`
    select asked.email as canonical_email, merchants.id, fullname, merchants.email, phone, password_hash, time_zone, locale, proven_at,
      devices.token_hash is not null as knows_device,
      exists (select from devices any_device where any_device.merchant_id = merchants.id) as has_devices,
      exists (select from passkeys where passkeys.merchant_id = merchants.id) as has_passkey
    from (select lower(${email}::text) as email) asked
    left join merchants on lower(merchants.email) = asked.email
    left join devices on devices.merchant_id = merchants.id and devices.token_hash = ${deviceHash}`,
  )
  if (!row) throw new Error('what was asked comes back')
  const account = row.id === null ? null : toAccount(row as AccountRow)
  return {
    canonicalEmail: row.canonical_email,
    account,
    isRecognised: row.knows_device,
    hasDevices: row.has_devices,
    hasPasskey: row.has_passkey,
  }
}

export async function findAccount(q: Queryable, merchantId: MerchantId): Promise<Account> {
  const account = await findAccountOrNull(q, merchantId)
  if (account === null) throw new Error('an account stays')
  return account
}

/** Null when the account was deleted because it was not proven in time. */
export async function findAccountOrNull(q: Queryable, merchantId: MerchantId): Promise<Account | null> {
  const row = await selectAccount(q).where('id', '=', uuidOf(merchantId)).executeTakeFirst()
  return row ? toAccount(row) : null
}

/** Locks an account: until the transaction ends, no other one sends this merchant a code or changes the password. */
export async function lockAccount(tx: Tx, merchantId: MerchantId): Promise<Account> {
  const account = await lockAccountOrNull(tx, merchantId)
  if (account === null) throw new Error('an account stays')
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

const toAccount = (row: AccountRow): Account => ({
  id: idFrom(MerchantId, row.id),
  fullname: row.fullname,
  email: row.email,
  canonicalEmail: row.canonical_email,
  phone: row.phone,
  passwordHash: row.password_hash,
  timeZone: row.time_zone,
  locale: row.locale as Locale | null,
  isProven: row.proven_at !== null,
})

export interface MerchantProfile {
  readonly fullname: string
  readonly email: string
  readonly timeZone: string
  /** The language that the merchant chose; null for that of the browser. */
  readonly locale: Locale | null
  readonly reportingCurrency: string
}

/** The profile of the merchant of an account id, live or test. */
export async function profileOf(q: Queryable, accountId: MerchantId): Promise<MerchantProfile> {
  const row = await q
    .selectFrom('merchants')
    .where('id', '=', (owner) =>
      owner.selectFrom('environments').select('merchant_id').where('id', '=', uuidOf(accountId)),
    )
    .select(['fullname', 'email', 'time_zone', 'locale', 'reporting_currency'])
    .executeTakeFirstOrThrow()
  const { fullname, email, time_zone: timeZone, reporting_currency: reportingCurrency } = row
  return { fullname, email, timeZone, locale: row.locale as Locale | null, reportingCurrency }
}
