import { AttemptId, type MerchantId, type PaymentId, RefundId } from '@muripo/contract/ids'
import type { Database } from '../../src/platform/db/database.ts'
import { idFrom, suffixOf, uuidOf } from '../../src/platform/ids.ts'

export interface PaymentRow {
  readonly status: string
  readonly status_reason: string | null
  readonly amount_minor: number
  readonly captured_minor: number | null
  readonly fee_minor: number | null
  readonly refunded_minor: number
  readonly refund_pending_minor: number
  readonly reversed_minor: number
  readonly termination_reason: string | null
  readonly last_event: number
  readonly completed_at: string | null
}

export interface TransferRow {
  readonly kind: string
  readonly debit_code: string
  readonly credit_code: string
  readonly amount_minor: number
  readonly currency: string
  readonly cause_id: string
}

export interface EventRow {
  readonly sequence: number
  readonly type: string
  readonly status: string
  readonly refunded: number
  readonly refund: string | null
  /** In major units; of a reversal. */
  readonly reversed: number | null
}

/** The key under which the provider knows the call. */
type Called<Kind> = Kind & { readonly key: string }

export type AttemptRow = Called<{
  readonly id: AttemptId
  readonly status: string
  readonly provider: string
  readonly next_check_at: string | null
  readonly moved_minor: number | null
}>

export type RefundRow = Called<{
  readonly id: RefundId
  readonly status: string
  readonly origin: string
  readonly amount_minor: number
  readonly paid_late_at: string | null
  readonly bounced_at: string | null
  readonly unclaimed_at: string | null
  readonly replaces_id: string | null
  readonly requested_by: string | null
  readonly created_at: string
}>

export interface AnomalyRow {
  readonly id: string
  readonly attempt_id: string
  readonly refund_id: string | null
  readonly kind: string
  readonly amount_minor: number | null
  readonly resolution: string | null
  readonly booked_minor: number | null
}

export interface InstructionRow {
  readonly kind: 'capture' | 'void'
  readonly amount_minor: number | null
}

/** All records of one payment at one moment. */
export interface Records {
  readonly payment: PaymentRow
  readonly transfers: readonly TransferRow[]
  readonly events: readonly EventRow[]
  readonly attempts: readonly AttemptRow[]
  readonly refunds: readonly RefundRow[]
  readonly anomalies: readonly AnomalyRow[]
  readonly instructions: readonly InstructionRow[]
}

const rowsOf = (table: string, payment: string, columns: string, order = 'r.id') =>
  `(select coalesce(json_agg(json_build_object(${columns}) order by ${order}), '[]') from ${table} r
    where r.account_id = p.account_id and r.${payment} = p.id)`
const named = (...names: string[]) => names.map((name) => `'${name}', r.${name}`).join(', ')

const everything = `select p.id::text as payment_id, to_json(p) as payment,
  ${rowsOf('ledger_transfers', 'payment_id', named('kind', 'debit_code', 'credit_code', 'amount_minor', 'currency', 'cause_id'), 'r.position, r.kind')} as transfers,
  ${rowsOf('events', 'subject_id', `${named('sequence', 'type')}, 'status', r.data->>'status', 'refunded', r.data->'amount_refunded', 'refund', r.data->'refund'->>'id', 'reversed', r.data->'reversal'->'amount'`, 'r.position, r.sequence')} as events,
  ${rowsOf('payment_attempts', 'payment_id', named('id', 'status', 'provider', 'next_check_at', 'moved_minor'))} as attempts,
  ${rowsOf('refunds', 'payment_id', named('id', 'status', 'origin', 'amount_minor', 'paid_late_at', 'bounced_at', 'unclaimed_at', 'replaces_id', 'requested_by', 'created_at'))} as refunds,
  ${rowsOf('payment_anomalies', 'payment_id', named('id', 'attempt_id', 'refund_id', 'kind', 'amount_minor', 'resolution', 'booked_minor'))} as anomalies,
  ${rowsOf('capture_instructions', 'payment_id', named('kind', 'amount_minor'), 'r.created_at')} as instructions
  from unnest($1::uuid[], $2::uuid[]) as row_keys (account_id, id) join payments p using (account_id, id)`

/** The members of a scenario that its records need. */
interface RecordedScenario {
  readonly id: PaymentId
  readonly world: { readonly shop: { readonly merchantId: MerchantId } }
  now: Records | null
}

/** Reads the records of all scenarios in one statement. */
export async function readRecords(db: Database, scenarios: readonly RecordedScenario[]): Promise<void> {
  const accounts = scenarios.map(({ world }) => uuidOf(world.shop.merchantId))
  const ids = scenarios.map(({ id }) => uuidOf(id))
  const { rows } = await db.pool.query({ name: 'everything', text: everything, values: [accounts, ids] })
  const found = new Map(rows.map((row) => [row.payment_id, row]))
  for (const scenario of scenarios) {
    const row = found.get(uuidOf(scenario.id))
    const attempts = row?.attempts.map((each: { id: string }) => called(AttemptId, each))
    const refunds = row?.refunds.map((each: { id: string }) => called(RefundId, each))
    scenario.now = row ? { ...row, attempts, refunds } : null
  }
}

function called<Prefix extends string>(kind: { readonly prefix: Prefix }, row: { readonly id: string }) {
  const id = idFrom(kind, row.id)
  return { ...row, id, key: suffixOf(id) }
}
