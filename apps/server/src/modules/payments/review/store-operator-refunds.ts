import type { RefundId } from '@muripo/contract/ids'
import type { PaymentMethod } from '@muripo/contract/payments'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { underwaySql } from '../machine.ts'
import { isInTestEnvironment } from '../store-test-environments.ts'
import { refunds } from '../tables.ts'

const shown = refunds.view([
  'accountId',
  'id',
  'paymentId',
  'amount',
  'origin',
  'status',
  'reason',
  'failureReason',
  'providerStatus',
  'createdAt',
])

/** A refund with the data that an operator needs to send it: recipient, provider and charge. */
export interface OperatorRefund extends EntityOf<typeof shown> {
  readonly shopName: string
  /** Made with a test key: no money has moved, and none is to be sent. */
  readonly isTest: boolean
  readonly description: string
  readonly isWaiting: boolean
  /** The provider paid the refund after its failure, when its amount had been refunded otherwise. */
  readonly isPaidLate: boolean
  readonly provider: string
  readonly method: PaymentMethod
  /** Null for a provider that needs no phone number. */
  readonly msisdn: string | null
  /** The provider's references of the charge and of the refund. */
  readonly chargeReference: string | null
  readonly reference: string | null
}

/**
 * Refunds that an operator must send, whose look-ups have ended, or that were paid after their failure: the predicate of the index
 * refunds_for_operator.
 */
const waiting = sql<boolean>`(r.status = 'awaiting_operator' or (r.status in ${sql.raw(underwaySql)} and r.next_check_at is null)
  or (r.paid_late_at is not null and r.settled_at is null))`

const all = (db: Queryable) =>
  db
    .selectFrom('refunds as r')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.account_id', '=', 'r.account_id').onRef('p.id', '=', 'r.payment_id'),
    )
    .innerJoin('payment_attempts as t', (join) =>
      join.onRef('t.account_id', '=', 'r.account_id').onRef('t.id', '=', 'r.attempt_id'),
    )
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'p.account_id').onRef('a.id', '=', 'p.application_id'),
    )
    .selectAll('r')
    .select([
      'a.name as shop_name',
      'p.description',
      't.provider',
      't.method',
      't.msisdn',
      't.provider_reference as charge_reference',
      waiting.as('is_waiting'),
      isInTestEnvironment('r.account_id').as('is_test'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof all>['execute']>>[number]

const toOperatorRefund = (row: Row): OperatorRefund => ({
  ...shown.read(row),
  shopName: row.shop_name,
  isTest: row.is_test,
  description: row.description,
  isWaiting: row.is_waiting,
  isPaidLate: row.paid_late_at !== null,
  provider: row.provider,
  method: row.method as PaymentMethod,
  msisdn: row.msisdn,
  chargeReference: row.charge_reference,
  reference: row.provider_reference,
})

/** The oldest first. */
export async function findWaitingRefunds(db: Queryable, limit: number): Promise<OperatorRefund[]> {
  const rows = await all(db).where(waiting).orderBy('r.created_at').limit(limit).execute()
  return rows.map(toOperatorRefund)
}

export async function findOperatorRefund(db: Queryable, id: RefundId): Promise<OperatorRefund | null> {
  const row = await all(db).where('r.id', '=', uuidOf(id)).executeTakeFirst()
  return row ? toOperatorRefund(row) : null
}
