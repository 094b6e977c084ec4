import { PaymentId, RefundId } from '@muripo/contract/ids'
import type { ManualRefundState } from '@muripo/contract/manual-refunds'
import type { Currency } from '@muripo/contract/money'
import { type RawBuilder, sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { parseId, uuidOf } from '../../../platform/ids.ts'
import { PAID_BY_OPERATOR } from '../payment/outcome.ts'
import { type OperatorRefund, operatorRefunds, toOperatorRefund, waiting } from './store-in-review.ts'

/** The refunds of the desk that a reader wants. */
export interface ManualRefundFilter {
  /** Left out: all that waits for an operator. */
  readonly state?: ManualRefundState | undefined
  readonly provider?: string | undefined
  readonly currency?: Currency | undefined
  /** A part of the shop's name, or the id of a refund or a payment. */
  readonly search?: string | undefined
}

/** The place in the list at which the page begins. */
export interface RefundPage {
  readonly after: RefundId | null
  readonly limit: number
}

/** The refunds that open proposals name. */
type Proposed = readonly RefundId[]

const isIn = (ids: Proposed): RawBuilder<boolean> => sql<boolean>`r.id = any (${ids.map(uuidOf)}::uuid[])`

/** The predicates of sent and came_back are those of the indexes refunds_sent_by_hand and refunds_bounced_by_id. */
const conditions: Readonly<Record<ManualRefundState, (proposed: Proposed) => RawBuilder<boolean>>> = {
  to_send: (proposed) => sql`r.status = 'awaiting_operator' and not ${isIn(proposed)}`,
  to_clarify: (proposed) => sql`${waiting} and r.status <> 'awaiting_operator' and not ${isIn(proposed)}`,
  proposed: (proposed) => sql`${waiting} and ${isIn(proposed)}`,
  sent: () => sql`r.status = 'completed' and r.provider_status = ${sql.lit(PAID_BY_OPERATOR)}`,
  came_back: () => sql`r.bounced_at is not null`,
}

/** The id of a refund or a payment as people copy it, or a part of the shop's name. */
function hasWord(word: string): RawBuilder<boolean> {
  const refund = parseId(RefundId, word)
  if (refund !== null) return sql`r.id = ${uuidOf(refund)}`
  const payment = parseId(PaymentId, word)
  return payment === null ? sql`strpos(lower(a.name), ${word}) > 0` : sql`r.payment_id = ${uuidOf(payment)}`
}

const isOver = (state: ManualRefundState | undefined): boolean => state === 'sent' || state === 'came_back'

/** One page of the desk: what waits begins with the oldest, and what is over with the newest. */
export async function findManualRefunds(
  db: Queryable,
  { state, provider, currency, search }: ManualRefundFilter,
  proposed: Proposed,
  page: RefundPage,
): Promise<OperatorRefund[]> {
  let select = operatorRefunds(db).where(state === undefined ? waiting : conditions[state](proposed))
  if (provider !== undefined) select = select.where('t.provider', '=', provider)
  if (currency !== undefined) select = select.where('r.currency', '=', currency)
  const word = search?.trim().toLowerCase() ?? ''
  if (word !== '') select = select.where(hasWord(word))
  if (page.after !== null) select = select.where('r.id', isOver(state) ? '<' : '>', uuidOf(page.after))
  const rows = await select
    .orderBy('r.id', isOver(state) ? 'desc' : 'asc')
    .limit(page.limit)
    .execute()
  return rows.map(toOperatorRefund)
}

/** The refunds of these ids that still wait for an operator, the oldest first. */
export async function findWaitingOf(db: Queryable, ids: readonly RefundId[]): Promise<OperatorRefund[]> {
  const rows = await operatorRefunds(db).where(waiting).where(isIn(ids)).orderBy('r.id').execute()
  return rows.map(toOperatorRefund)
}

export type WaitingCounts = Readonly<Record<'to_send' | 'to_clarify' | 'proposed', number>>

/** How many refunds of each state wait, and at which providers. */
export async function countWaitingRefunds(
  db: Queryable,
  proposed: Proposed,
): Promise<{ readonly counts: WaitingCounts; readonly providers: readonly string[] }> {
  const count = (state: keyof WaitingCounts) =>
    sql<number>`(count(*) filter (where ${conditions[state](proposed)}))::int`
  const rows = await db
    .selectFrom('refunds as r')
    .innerJoin('payment_attempts as t', (join) =>
      join.onRef('t.account_id', '=', 'r.account_id').onRef('t.id', '=', 'r.attempt_id'),
    )
    .select([
      't.provider',
      count('to_send').as('to_send'),
      count('to_clarify').as('to_clarify'),
      count('proposed').as('proposed'),
    ])
    .where(waiting)
    .groupBy('t.provider')
    .orderBy('t.provider')
    .execute()
  const sum = (state: keyof WaitingCounts) => rows.reduce((total, row) => total + row[state], 0)
  return {
    counts: { to_send: sum('to_send'), to_clarify: sum('to_clarify'), proposed: sum('proposed') },
    providers: rows.map(({ provider }) => provider),
  }
}
