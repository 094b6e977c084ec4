import { ApplicationId, AttemptId, EventId, PaymentId, RefundId } from '@muripo/contract/ids'
import type pg from 'pg'
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

interface Call {
  readonly id: string
  readonly payment: string
  readonly status: string
  readonly amount: number
}

interface Transfer {
  readonly payment: string
  readonly kind: string
  readonly amount: number
}

interface Event {
  readonly id: string
  readonly payment: string
  readonly type: string
  readonly sequence: number
}

/** The rows of one database snapshot, with public ids. */
export interface Snapshot {
  readonly payments: readonly Payment[]
  /** The key identifies the call at the wallet. */
  readonly attempts: readonly (Call & { readonly key: string })[]
  readonly refunds: readonly (Call & { readonly key: string })[]
  readonly transfers: readonly Transfer[]
  readonly events: readonly Event[]
  /** Accounts whose kept balance is not the sum of their transfers. */
  readonly drifted: number
}

/** The status of calls that correctly wait for an operator, such as an unknown refund that the provider does not find: this proves nothing. */
export const withOperator = 'with an operator'

export async function readSnapshot(pool: pg.Pool): Promise<Snapshot> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const rows = async <Row>(text: string): Promise<Row[]> => (await client.query(text)).rows as Row[]
    const payments =
      await rows<Payment>(`select id, metadata->>'order' as "order", amount_minor::int as amount, status,
      (to_jsonb(payments)->>'captured_minor')::int as captured,
      fee_minor::int as fee, refunded_minor::int as refunded, refund_pending_minor::int as refund_pending,
      last_event::int as last_event, termination_reason, application_id as application, replace(idempotency_checksum::text, '-', '') as checksum
      from payments`)
    const attempts = await rows<Call>(
      'select id, payment_id as payment, status, amount_minor::int as amount from payment_attempts',
    )
    const refunds = await rows<Call>(
      `select id, payment_id as payment, amount_minor::int as amount,
         case when status = 'unknown' and provider_status = 'not found' then '${withOperator}' else status end as status
       from refunds`,
    )
    const transfers = await rows<Transfer>(
      'select payment_id as payment, kind, amount_minor::int as amount from ledger_transfers',
    )
    const events = await rows<Event>(
      'select id, subject_id as payment, type, sequence::int as sequence from events order by sequence',
    )
    const [drift] = await rows<{ drifted: number }>(
      'select count(*)::int as drifted from ledger_balances_drift',
    )
    await client.query('commit')
    const publicPayment = (id: string) => idFrom(PaymentId, id)
    return {
      payments: payments.map((each) => ({
        ...each,
        id: publicPayment(each.id),
        application: idFrom(ApplicationId, each.application),
      })),
      attempts: attempts.map((each) => ({
        ...each,
        key: suffixOf(idFrom(AttemptId, each.id)),
        payment: publicPayment(each.payment),
      })),
      refunds: refunds.map((each) => ({
        ...each,
        id: idFrom(RefundId, each.id),
        key: suffixOf(idFrom(RefundId, each.id)),
        payment: publicPayment(each.payment),
      })),
      transfers: transfers.map((each) => ({ ...each, payment: publicPayment(each.payment) })),
      events: events.map((each) => ({
        ...each,
        id: idFrom(EventId, each.id),
        payment: publicPayment(each.payment),
      })),
      drifted: drift?.drifted ?? 0,
    }
  } finally {
    client.release(true)
  }
}
