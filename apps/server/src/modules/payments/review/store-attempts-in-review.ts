import type { PaymentId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import type { PaymentStatus } from '@muripo/contract/payments'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { isInTestEnvironment } from '../store-test-environments.ts'
import { attempts } from '../tables.ts'

const shown = attempts.view([
  'accountId',
  'paymentId',
  'id',
  'provider',
  'method',
  'msisdn',
  'amount',
  'status',
  'heldBecause',
  'outcomeFailures',
  'providerStatus',
  'providerReference',
  'createdAt',
])

/** An attempt that only an operator can resolve, with the data for an inquiry at its provider. */
export interface AttemptInReview extends EntityOf<typeof shown> {
  readonly shopName: string
  /** Made with a test key: no money has moved, whatever its outcome. */
  readonly isTest: boolean
  readonly description: string
  readonly paymentStatus: PaymentStatus
  /** The merchant's instruction about an authorisation: the amount to capture, or the void; null without one. */
  readonly instruction: Money | 'void' | null
}

/** Held, or without an outcome in time: the predicate of the index payment_attempts_in_review. */
const inReview = sql<boolean>`(t.index_status = 'held' or (t.index_status = 'underway' and t.index_due_at is null))`

/** The oldest first. */
export async function findInReview(
  db: Queryable,
  { paymentId, limit }: { paymentId?: PaymentId; limit: number },
): Promise<AttemptInReview[]> {
  let select = db
    .selectFrom('payment_attempts as t')
    .innerJoin('payments as p', (join) =>
      join.onRef('p.account_id', '=', 't.account_id').onRef('p.id', '=', 't.payment_id'),
    )
    .innerJoin('applications as a', (join) =>
      join.onRef('a.account_id', '=', 'p.account_id').onRef('a.id', '=', 'p.application_id'),
    )
    .leftJoin('capture_instructions as c', (join) =>
      join.onRef('c.account_id', '=', 't.account_id').onRef('c.attempt_id', '=', 't.id'),
    )
    .selectAll('t')
    .select([
      'c.kind as instruction_kind',
      'c.amount_minor as instructed_minor',
      'a.name as shop_name',
      'p.description',
      'p.status as payment_status',
      isInTestEnvironment('t.account_id').as('is_test'),
    ])
    .where(inReview)
  if (paymentId) select = select.where('t.payment_id', '=', uuidOf(paymentId))
  const rows = await select.orderBy('t.created_at').orderBy('t.id').limit(limit).execute()
  return rows.map((row) => ({
    ...shown.read(row),
    shopName: row.shop_name,
    isTest: row.is_test,
    description: row.description,
    paymentStatus: row.payment_status as PaymentStatus,
    instruction: instructionOf(row),
  }))
}

const instructionOf = (row: {
  readonly instruction_kind: string | null
  readonly instructed_minor: bigint | null
  readonly currency: string
}): AttemptInReview['instruction'] => {
  if (row.instruction_kind === null) return null
  return row.instructed_minor === null ? 'void' : money(row.instructed_minor, row.currency as Currency)
}
