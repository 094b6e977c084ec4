import { type AccountId, PaymentId } from '@muripo/contract/ids'
import { type Currency, type Money, money } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../platform/ids.ts'
import type { TransferKind } from './transfer.ts'

/** A change of what the merchant is owed: positive amounts are owed to the merchant. */
export interface Movement {
  readonly kind: Exclude<TransferKind, 'fee'>
  readonly amount: Money
  /** The fee of a capture, negative; zero for another movement. */
  readonly fee: Money
  /** Null for an adjustment without a payment. */
  readonly paymentId: PaymentId | null
  readonly causeId: string
  readonly createdAt: Date
  /** The order of transactions at the same time. */
  readonly position: bigint
}

/** Times in milliseconds since 1970, the end excluded; either may be infinite. */
interface Period {
  readonly from: number
  readonly before: number
}

interface MovementRow {
  readonly kind: Movement['kind']
  readonly amount_minor: bigint
  readonly fee_minor: bigint
  readonly currency: string
  readonly payment_id: string | null
  readonly cause_id: string
  readonly created_at: Date
  readonly position: bigint
}

const timeOf = (ms: number) =>
  Number.isFinite(ms)
    ? sql`to_timestamp(${ms}::float8 / 1000)`
    : sql`${ms < 0 ? '-infinity' : 'infinity'}::timestamptz`

/** The condition of the index ledger_transfers_of_merchant. */
const ofMerchant = (accountId: AccountId, { from, before }: Period) => sql`
  account_id = ${uuidOf(accountId)}::uuid and created_at >= ${timeOf(from)} and created_at < ${timeOf(before)}
    and kind <> 'fee' and (debit_code = 'merchant.payable' or credit_code = 'merchant.payable')`

interface Page {
  /** The last movement of the page before. */
  readonly after?: Movement | undefined
  readonly most: number
}

export function movementsQuery(accountId: AccountId, period: Period, { after, most }: Page) {
  const start = { ...period, from: after?.createdAt.getTime() ?? period.from }
  const isAfter = after
    ? sql`and (created_at, position, cause_id, kind)
        > (${timeOf(start.from)}, ${after.position}::bigint, ${after.causeId}::uuid, ${after.kind})`
    : sql``
  return sql<MovementRow>`
    select t.kind, t.currency, t.payment_id, t.cause_id, t.created_at, t.position,
      case t.credit_code when 'merchant.payable' then t.amount_minor else -t.amount_minor end as amount_minor,
      -coalesce((select fee.amount_minor from ledger_transfers fee where t.kind = 'capture'
        and fee.account_id = ${uuidOf(accountId)}::uuid and fee.cause_id = t.cause_id and fee.kind = 'fee'), 0) as fee_minor
    from (
      select * from ledger_transfers where ${ofMerchant(accountId, start)} ${isAfter}
      order by created_at, position, cause_id, kind limit ${most}
    ) as t
    order by t.created_at, t.position, t.cause_id, t.kind`
}

/** The movements of a period, the earliest first. */
export async function listMovements(
  db: Queryable,
  accountId: AccountId,
  period: Period,
  page: Page,
): Promise<Movement[]> {
  const { rows } = await movementsQuery(accountId, period, page).execute(db)
  return rows.map((row) => ({
    kind: row.kind,
    amount: money(row.amount_minor, row.currency as Currency),
    fee: money(row.fee_minor, row.currency as Currency),
    paymentId: row.payment_id === null ? null : idFrom(PaymentId, row.payment_id),
    causeId: row.cause_id,
    createdAt: row.created_at,
    position: row.position,
  }))
}

/** The number of movements of a period, at most so many. */
export async function countMovements(
  db: Queryable,
  accountId: AccountId,
  period: Period,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select count(*)::int as number from (
      select from ledger_transfers where ${ofMerchant(accountId, period)} limit ${most}
    ) as counted`.execute(db)
  return rows[0]?.number ?? 0
}
