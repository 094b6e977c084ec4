import { AnomalyId, ApplicationId, AttemptId, EventId, PaymentId, RefundId } from '@muripo/contract/ids'
import type pg from 'pg'
import { referenceOf } from '../../apps/server/src/modules/providers/ecocash-open/bodies.ts'
import { idFrom, suffixOf } from '../../apps/server/src/platform/ids.ts'

interface Payment {
  readonly id: string
  readonly order: string
  readonly amount: number
  /** With manual capture; null before it. */
  readonly captured: number | null
  readonly status: string
  readonly fee: number | null
  readonly refunded: number
  readonly refund_pending: number
  readonly last_event: number
  readonly termination_reason: string | null
  readonly application: ApplicationId
  readonly checksum: string
}

/** A charge or a refund. */
export interface Call {
  readonly id: string
  /** Identifies the call at its provider; some providers have it in another form. */
  readonly keys: readonly [string, ...string[]]
  readonly payment: string
  readonly provider: string
  readonly status: string
  /** In minor units; of a completed charge what was captured. */
  readonly amount: number
  readonly isScheduled: boolean
  /** It correctly waits for an operator, such as an unknown refund that the provider does not find: this proves nothing. */
  readonly isWithOperator: boolean
}

interface Transfer {
  /** Null for an adjustment. */
  readonly payment: string | null
  readonly kind: string
  readonly debit: string
  readonly credit: string
  readonly amount: number
}

interface Event {
  readonly id: string
  readonly payment: string
  readonly type: string
  readonly sequence: number
}

/** A contradiction between a provider's report and a call. */
export interface Anomaly {
  readonly id: string
  readonly kind: string
  readonly payment: string
  readonly attempt: string | null
  readonly refund: string | null
  readonly isOpen: boolean
}

/** The rows of one database snapshot, with public ids. */
export interface Snapshot {
  readonly payments: readonly Payment[]
  readonly attempts: readonly Call[]
  readonly refunds: readonly Call[]
  readonly transfers: readonly Transfer[]
  readonly events: readonly Event[]
  readonly anomalies: readonly Anomaly[]
  /** Accounts whose kept balance is not the sum of their transfers, and payments that differ from theirs. */
  readonly drifted: number
}

const statements = {
  // An earlier version of an upgrade may not have the column of the captured amount.
  payments: `select id, metadata->>'order' as "order", amount_minor::int as amount, status,
      (to_jsonb(payments)->>'captured_minor')::int as captured, fee_minor::int as fee, refunded_minor::int as refunded,
      refund_pending_minor::int as refund_pending, last_event::int as last_event, termination_reason,
      application_id as application, replace(idempotency_checksum::text, '-', '') as checksum
    from payments`,
  attempts: `select c.id, payment_id as payment, provider, c.status, next_check_at is not null as "isScheduled", false as "isWithOperator",
      (case when c.status = 'completed' then coalesce((to_jsonb(p)->>'captured_minor')::int, p.amount_minor) else c.amount_minor end)::int as amount
    from payment_attempts c join payments p on p.account_id = c.account_id and p.id = c.payment_id`,
  refunds: `select c.id, c.payment_id as payment, a.provider, c.status, c.next_check_at is not null as "isScheduled",
      c.status = 'unknown' and c.provider_status is not distinct from 'not found' as "isWithOperator", c.amount_minor::int as amount
    from refunds c join payment_attempts a on a.account_id = c.account_id and a.id = c.attempt_id`,
  transfers: `select payment_id as payment, kind, debit_code as debit, credit_code as credit, amount_minor::int as amount from ledger_transfers`,
  events: 'select id, subject_id as payment, type, sequence::int as sequence from events order by sequence',
  anomalies: `select id, kind, payment_id as payment, attempt_id as attempt, refund_id as refund, resolved_at is null as "isOpen"
    from payment_anomalies`,
  drift: `select ((select count(*) from ledger_balances_drift) + (select count(*) from payment_ledger_drift)
    + (select count(*) from payment_transfers_drift))::int as count`,
} as const

export async function readSnapshot(pool: pg.Pool): Promise<Snapshot> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const rows = async <Row>(name: keyof typeof statements): Promise<Row[]> =>
      (await client.query(statements[name])).rows as Row[]
    const payments = await rows<Payment>('payments')
    const attempts = await rows<Call>('attempts')
    const refunds = await rows<Call>('refunds')
    const transfers = await rows<Transfer>('transfers')
    const events = await rows<Event>('events')
    const anomalies = await rows<Anomaly>('anomalies')
    const [drift] = await rows<{ count: number }>('drift')
    await client.query('commit')
    return {
      payments: withPublicIds(payments, PaymentId).map((each) => ({
        ...each,
        application: idFrom(ApplicationId, each.application),
      })),
      attempts: withPublicIds(attempts, AttemptId).map(withKeys),
      refunds: withPublicIds(refunds, RefundId).map(withKeys),
      transfers: transfers.map((each) => ({
        ...each,
        payment: each.payment && idFrom(PaymentId, each.payment),
      })),
      events: withPublicIds(events, EventId),
      anomalies: withPublicIds(anomalies, AnomalyId).map((each) => ({
        ...each,
        attempt: each.attempt && idFrom(AttemptId, each.attempt),
        refund: each.refund && idFrom(RefundId, each.refund),
      })),
      drifted: drift?.count ?? 0,
    }
  } finally {
    client.release(true)
  }
}

const withPublicIds = <Row extends { readonly id: string; readonly payment?: string }>(
  rows: readonly Row[],
  kind: { readonly prefix: string },
): Row[] =>
  rows.map((row) => ({
    ...row,
    id: idFrom(kind, row.id),
    ...(row.payment && { payment: idFrom(PaymentId, row.payment) }),
  }))

function withKeys(call: Call): Call {
  const key = suffixOf(call.id as AttemptId)
  return { ...call, keys: [key, referenceOf(key)] }
}

/** The rows of several databases, each of which has all rows of its payments. */
export const together = (snapshots: readonly Snapshot[]): Snapshot => ({
  payments: snapshots.flatMap(({ payments }) => payments),
  attempts: snapshots.flatMap(({ attempts }) => attempts),
  refunds: snapshots.flatMap(({ refunds }) => refunds),
  transfers: snapshots.flatMap(({ transfers }) => transfers),
  events: snapshots.flatMap(({ events }) => events),
  anomalies: snapshots.flatMap(({ anomalies }) => anomalies),
  drifted: snapshots.reduce((sum, { drifted }) => sum + drifted, 0),
})
