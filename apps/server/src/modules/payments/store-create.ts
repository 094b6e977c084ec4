import { batcherPerDatabase, writeTogether } from '../../platform/db/batcher.ts'
import { type Database, runNamed, type Tx } from '../../platform/db/database.ts'
import { oneNow } from '../../platform/db/database-time.ts'
import { invariant } from '../../platform/errors.ts'
import { isActiveKey, type KeyOwner, mayWrite } from '../applications/index.ts'
import type { Customer } from './payment/customer.ts'
import type { Payment } from './payment/payment.ts'
import { upsertCustomers } from './payment/store-customers.ts'
import { type KeyedRequest, keyedColumns } from './payment/store-idempotency.ts'
import { payments } from './payment/tables.ts'

/** A payment to create, for the owner of an application key. */
export interface NewPayment {
  readonly caller: KeyOwner
  readonly payment: Payment
  /** The customer that the payment names, recorded in the same commit. */
  readonly customer: Customer | null
  readonly keyed: KeyedRequest | null
}

export type CreateResult = 'created' | 'key_revoked' | 'key_known' | 'clock_skewed'

const MOST_ROWS = 64
const MOST_ROWS_UNDER_LOAD = 512
/** The next batch is prepared while the database writes one. */
const MAX_RUNNING = 2
/** Small concurrent batches cost more for each payment (docs/decisions/0087-payments-as-one-aggregate.md#batches). */
const MIN_WAITING_FOR_ANOTHER = 32
/** About a second of creates at full load. */
const MOST_WAITING = 2048

/** Inserts a payment in one statement with the other payments that wait. */
export const insertPayment = batcherPerDatabase<Database, NewPayment, CreateResult>((db) => ({
  name: 'payments',
  maxCalls: MOST_ROWS,
  maxCallsUnderLoad: MOST_ROWS_UNDER_LOAD,
  maxRunning: MAX_RUNNING,
  minWaitingForAnother: MIN_WAITING_FOR_ANOTHER,
  mostWaiting: MOST_WAITING,
  queues: db.queues,
  write: (creates) => writeBatch(db, creates),
}))

function writeBatch(db: Database, creates: readonly NewPayment[]): Promise<CreateResult>[] {
  const writtenWith = writeTogether(creates, (some) => insertPayments(db, some))
  return creates.map(async (create) => {
    const result = (await writtenWith(create)).get(create)
    invariant(result, 'each create of a batch has a result')
    return result
  })
}

const inserted = payments.recordSet([
  'accountId',
  'id',
  'applicationId',
  'amount',
  'method',
  'description',
  'reference',
  'customer',
  'locale',
  'successUrl',
  'cancelUrl',
  'metadata',
  'captureMode',
  'payableMethods',
  'createdAt',
  'expiresAt',
])
const { names, definition } = inserted.text

/**
 * A payment's creation time and expiry come from the clock of the process. They are accepted only near the database's time; the tolerance
 * includes the time that a create may wait in its queue.
 */
const onTime = `given.created_at between ${oneNow} - interval '30 seconds' and ${oneNow} + interval '30 seconds'`

const upsertKnown = upsertCustomers(`
  select account_id, customer_id as id, known_email as email, known_phone as phone, customer_name as name, id as first_seen
  from created join given using (account_id, id)`)

/**
 * One statement, one commit: a payment exists with its idempotency key, and only while its application key is active and may write. A second
 * request with the same key waits for the commit of the first one and then finds its payment. Every statement inserts keys in the same
 * order, so that two batches with common keys cannot deadlock; of two in one batch the first is inserted.
 */
const statementFor = (namesCustomers: boolean): string => `with given as materialized (
  select * from json_to_recordset($1::json) as given (n int, key_id uuid, ${definition}, ${keyedColumns.definition},
    known_email text, known_phone text)
), active as materialized (
  select given.* from given
  join application_keys k on k.account_id = given.account_id and k.application_id = given.application_id and k.id = given.key_id
  join applications a on a.account_id = given.account_id and a.id = given.application_id
  where ${isActiveKey} and ${mayWrite}
), created as (
  insert into payments (${names}, search_phone, updated_at, ${keyedColumns.names})
  select ${names}, known_phone, created_at, ${keyedColumns.names} from active as given
  where ${onTime}
  order by account_id, idempotency_checksum, n
  on conflict (account_id, idempotency_checksum) where idempotency_checksum is not null do nothing
  returning account_id, id
)${namesCustomers ? `, known as (${upsertKnown})` : ''}
select n, exists (select from active where active.n = given.n) as is_active, ${onTime} as on_time from given
where not exists (select from created where created.account_id = given.account_id and created.id = given.id)`

/** Inserts one payment in a transaction that writes more. */
export async function insertPaymentIn(tx: Tx, create: NewPayment): Promise<CreateResult> {
  const [refused] = await runNamed(tx, statementOf([create]))
  return refused === undefined ? 'created' : refusalOf(refused as RefusedRow)
}

/** The customers of some creates, or none: PostgreSQL prepares every table of a statement that it may write. */
const statements = { 'create-payments': statementFor(false), 'create-payments-named': statementFor(true) }

/** A create that wrote nothing. */
interface RefusedRow {
  readonly n: number
  readonly is_active: boolean
  readonly on_time: boolean
}

function statementOf(creates: readonly NewPayment[]) {
  const namesCustomers = creates.some(({ customer }) => customer !== null)
  const name = namesCustomers ? 'create-payments-named' : 'create-payments'
  return { name, text: statements[name], values: [JSON.stringify(creates.map(rowOf))] }
}

async function insertPayments(
  db: Database,
  creates: readonly NewPayment[],
): Promise<Map<NewPayment, CreateResult>> {
  const { rows } = await db.pool.query<RefusedRow>(statementOf(creates))
  const results = new Map<NewPayment, CreateResult>(creates.map((create) => [create, 'created']))
  for (const row of rows) results.set(creates[row.n] as NewPayment, refusalOf(row))
  return results
}

function refusalOf(row: RefusedRow): CreateResult {
  if (!row.is_active) return 'key_revoked'
  return row.on_time ? 'key_known' : 'clock_skewed'
}

const rowOf = ({ caller, payment, customer, keyed }: NewPayment, n: number): object => ({
  n,
  key_id: caller.keyId,
  ...inserted.row(payment),
  ...keyed,
  known_email: customer?.email,
  known_phone: customer?.phone,
})
