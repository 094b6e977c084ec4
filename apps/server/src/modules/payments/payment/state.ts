import type { AccountId, AttemptId, Id, PaymentId } from '@muripo/contract/ids'
import { type RawBuilder, sql } from 'kysely'
import { alignRows, batched, type RowKey } from '../../../platform/db/batcher.ts'
import { type Queryable, runPrepared } from '../../../platform/db/database.ts'
import { oneNow } from '../../../platform/db/database-time.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { invariant } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { adjustmentsOfPayment, type BookedDifference } from '../../ledger/index.ts'
import type { CaptureInstruction } from './instruction.ts'
import type { Attempt, Payment, Refund } from './payment.ts'
import { attempts, captureInstructions, paymentAnomalies, payments, refunds } from './tables.ts'

export type Anomaly = EntityOf<typeof paymentAnomalies>

/** A payment and its attempts, the latest first, as they were at one time by the database's clock. */
export interface PaymentState {
  readonly payment: Payment
  readonly attempts: readonly Attempt[]
  /** The instruction about the payment's authorisation, if there is one. */
  readonly instruction: CaptureInstruction | null
  readonly at: Date
}

/** The same with all that happened after a charge had ended. */
export interface WholeState extends PaymentState {
  /** The latest first. */
  readonly refunds: readonly Refund[]
  /** The oldest first. */
  readonly anomalies: readonly Anomaly[]
  /** The adjustments of the ledger for one of the attempts or refunds. */
  readonly differences: readonly BookedDifference[]
}

type Json = Readonly<Record<string, unknown>>

type Row = RowKey &
  Json & {
    readonly attempt_id?: string
    readonly read_at: Date
    readonly attempts: readonly Json[] | null
    readonly instruction: Json | null
    readonly refunds: readonly Json[] | null
    readonly anomalies: readonly Json[] | null
    readonly differences: readonly BookedDifference[] | null
  }

const rowsOf = (name: string, columns: string, order: string) =>
  `(select json_agg(each) from (select ${columns} from ${name}
    where ${name}.account_id = payments.account_id and ${name}.payment_id = payments.id order by ${order}) as each)`

/** Rows that are there only after the end of a charge, and instructions only for manual captures, are not looked for in vain. */
const ofCharge = `
  case when payments.version > 0 then ${rowsOf('payment_attempts', attempts.text.selectList, 'id desc')} end as attempts,
  case when payments.capture_mode = 'manual'
    then ${rowsOf('capture_instructions', captureInstructions.text.selectList, 'created_at')} -> 0 end as instruction`

const afterCharge = `
  case when payments.completed_at is not null then ${rowsOf('refunds', refunds.text.selectList, 'id desc')} end as refunds,
  ${rowsOf('payment_anomalies', paymentAnomalies.text.selectList, 'id')} as anomalies,
  ${adjustmentsOfPayment('payments')} as differences`

const rowKeyOf = (accountId: AccountId, id: Id<string>): RowKey => ({
  account_id: uuidOf(accountId),
  id: uuidOf(id),
})

const keysIn = (rowKeys: readonly RowKey[]): RawBuilder<unknown> =>
  sql`json_to_recordset(${JSON.stringify(rowKeys)}) as row_keys (account_id uuid, id uuid)`

/** One statement reads a payment with its parts, so that all of them are of one version. */
const selectStates = (parts: string, from: RawBuilder<unknown>) => sql<Row>`
  select ${payments.selectList}, ${sql.raw(oneNow)} as read_at, ${sql.raw(parts)} from payments join ${from} using (account_id, id)`

const stateOf = (row: Row): PaymentState => ({
  payment: payments.read(row),
  attempts: (row.attempts ?? []).map(attempts.readJson),
  instruction: row.instruction && (captureInstructions.readJson(row.instruction) as CaptureInstruction),
  at: row.read_at,
})

/** The state of a payment; null when its account has none with this id. */
export const readState = (db: Queryable, accountId: AccountId, id: PaymentId): Promise<PaymentState | null> =>
  readStates(db, rowKeyOf(accountId, id))

const readStates = batched<Queryable, RowKey, PaymentState | null>(async (db, rowKeys) => {
  const rows = await runPrepared(db, 'read-states', selectStates(ofCharge, keysIn(rowKeys)))
  return alignRows(rowKeys, rows).map((row) => (row ? stateOf(row) : null))
})

/** The state of the payment of an attempt. */
export const readStateOf = (
  db: Queryable,
  accountId: AccountId,
  attemptId: AttemptId,
): Promise<PaymentState | null> => readStatesOf(db, rowKeyOf(accountId, attemptId))

const readStatesOf = batched<Queryable, RowKey, PaymentState | null>(async (db, rowKeys) => {
  const named = sql`(
    select account_id, payment_id as id, id as attempt_id from payment_attempts join ${keysIn(rowKeys)} using (account_id, id)
  ) as named`
  const read = selectStates(`attempt_id, ${ofCharge}`, named)
  const rows = await runPrepared(db, 'read-states-of-attempts', read)
  const found = rows.map((row) => ({ account_id: row.account_id, id: String(row.attempt_id), row }))
  return alignRows(rowKeys, found).map((each) => (each ? stateOf(each.row) : null))
})

export const readWhole = (db: Queryable, accountId: AccountId, id: PaymentId): Promise<WholeState | null> =>
  readWholes(db, rowKeyOf(accountId, id))

const readWholes = batched<Queryable, RowKey, WholeState | null>(async (db, rowKeys) => {
  const read = selectStates(`${ofCharge}, ${afterCharge}`, keysIn(rowKeys))
  const rows = await runPrepared(db, 'read-whole-states', read)
  return alignRows(rowKeys, rows).map((row) =>
    row
      ? {
          ...stateOf(row),
          refunds: (row.refunds ?? []).map(refunds.readJson),
          anomalies: (row.anomalies ?? []).map(paymentAnomalies.readJson),
          differences: row.differences ?? [],
        }
      : null,
  )
})

/** The whole state of the payment of a call. */
export async function wholeOf(
  db: Queryable,
  { accountId, paymentId }: Pick<Attempt, 'accountId' | 'paymentId'>,
): Promise<WholeState> {
  const state = await readWhole(db, accountId, paymentId)
  invariant(state, 'a payment is never deleted')
  return state
}

/** An attempt of the payment. */
export function attemptIn({ attempts }: PaymentState, id: AttemptId): Attempt {
  const attempt = attempts.find((each) => each.id === id)
  invariant(attempt, 'an attempt is never deleted')
  return attempt
}

/** A refund and its charge in the state of their payment. */
export interface RefundState extends WholeState {
  readonly refund: Refund
  readonly charge: Attempt
}

/** The same state, read for one of its refunds. */
export function refundIn(state: WholeState, id: Refund['id']): RefundState {
  const refund = state.refunds.find((each) => each.id === id)
  const charge = state.attempts.find((each) => each.id === refund?.attemptId)
  invariant(refund && charge, 'a refund is recorded before its provider is called, with its charge')
  return { ...state, refund, charge }
}
