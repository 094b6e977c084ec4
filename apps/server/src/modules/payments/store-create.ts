import type { Database } from '../../platform/db/database.ts'
import { oneNow } from '../../platform/db/database-time.ts'
import { uuidOf } from '../../platform/ids.ts'
import { type KeyedRequest, type KeyOwner, mayWrite, takeOver } from '../applications/index.ts'
import type { Customer } from './customer.ts'
import type { Payment } from './payment.ts'
import { knowCustomers } from './store-customers.ts'

export interface KeyedAnswer extends Pick<KeyedRequest, 'key' | 'hash'> {
  readonly status: number
  readonly answer: string
}

export interface NewPayment {
  readonly payment: Payment
  /** Who it names, to be written down in the same commit. */
  readonly customer: Customer | null
}

export type CreateResult = 'created' | 'key_revoked' | 'key_known' | 'clock_skewed'

export const columns = `merchant_id, id, application_id, amount_minor, currency, method, description, reference, customer_email,
  customer_name, customer_phone, success_url, cancel_url, metadata, created_at, updated_at, expires_at, customer_id`
const values = `$1::uuid, $4::uuid, $2::uuid, $5::bigint, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::jsonb,
  $16::timestamptz, $16::timestamptz, $17::timestamptz, $18::uuid`

const known = `known as (${knowCustomers(`
  select $1::uuid as merchant_id, $18::uuid as id, $19::text as email, $20::text as phone, $11::text as name, $4::uuid as first_seen
  from created`)})`

/** True while the key is the one in force and may write: checked in the very statement that writes. */
const inForce = `in_force as (
  select 1 from application_keys k join applications a on a.merchant_id = k.merchant_id and a.id = k.application_id
  where k.merchant_id = $1 and k.application_id = $2 and k.id = $3 and k.revoked_at is null and ${mayWrite})`

/**
 * A payment's time and its expiry are those of the process that creates it. They are taken only when they are near the database's time; the
 * rest is the time that a create may wait for its turn.
 */
export const isOnTime = (createdAt: string): string =>
  `${createdAt} between ${oneNow} - interval '30 seconds' and ${oneNow} + interval '30 seconds'`
const onTime = isOnTime('$16::timestamptz')
const outcome = `select exists (select from in_force) as in_force, ${onTime} as on_time, exists (select from created) as created`

export const createStatement = `with ${inForce}, created as (
  insert into payments (${columns}) select ${values} from in_force where ${onTime} returning 1), ${known}
${outcome}`

/**
 * One statement, one commit: the payment exists if and only if its idempotency record does. A second request with the same key waits
 * here for the first one's commit and then finds the record.
 */
export const createKeyedStatement = `with ${inForce}, claimed as (
  insert into idempotency_keys as kept (merchant_id, application_id, key, request_hash, status, answer, created_at)
  select $1, $2, $21, $22::bytea, $23::int, $24, ${oneNow} from in_force where ${onTime}
  ${takeOver}
  returning 1), created as (
  insert into payments (${columns}) select ${values} from claimed returning 1), ${known}
${outcome}`

export async function insertPayment(
  db: Database,
  caller: KeyOwner,
  created: NewPayment,
  keyed: KeyedAnswer | null,
): Promise<CreateResult> {
  const { rows } = await db.pool.query<CreateOutcome>({
    name: keyed ? 'create-payment-keyed' : 'create-payment',
    text: keyed ? createKeyedStatement : createStatement,
    values: [
      ...paymentValues(caller, created),
      ...(keyed ? [keyed.key, keyed.hash, keyed.status, keyed.answer] : []),
    ],
  })
  const [row] = rows
  return row?.created ? 'created' : reasonFor(row)
}

export interface CreateOutcome {
  readonly in_force: boolean
  readonly on_time: boolean
  readonly created: boolean
}

/** Why a payment was not created. */
export function reasonFor(row: Pick<CreateOutcome, 'in_force' | 'on_time'> | undefined): CreateResult {
  if (!row?.in_force) return 'key_revoked'
  return row.on_time ? 'key_known' : 'clock_skewed'
}

const paymentValues = (caller: KeyOwner, { payment, customer }: NewPayment): unknown[] => [
  uuidOf(payment.merchantId),
  uuidOf(payment.applicationId),
  caller.keyId,
  uuidOf(payment.id),
  payment.amount.minor.toString(),
  payment.amount.currency,
  payment.method,
  payment.description,
  payment.reference,
  payment.customer.email,
  payment.customer.name,
  payment.customer.phone,
  payment.successUrl,
  payment.cancelUrl,
  JSON.stringify(payment.metadata),
  payment.createdAt,
  payment.expiresAt,
  customer && uuidOf(customer.id),
  customer?.email ?? null,
  customer?.phone ?? null,
]
