import { RefundId } from '@muripo/contract/ids'
import { type Currency, equals, type Money, money } from '@muripo/contract/money'
import { sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { Outcome, Reply } from '../../providers/index.ts'
import type { Attempt, LockedPayment } from './payment.ts'
import type { Anomaly } from './store-anomalies.ts'

/** The provider's last report about a booked charge, when it has ever said something else than that the booked amount is paid. */
export interface ProviderReport {
  readonly outcome: Outcome
  readonly providerStatus: string
  readonly providerReference: string | null
  readonly eventReference?: string
  readonly echo: Money | null
  /** The time of the first report with these words, and that of the last one. */
  readonly since: Date
  readonly at: Date
}

/** The report as its column has it. */
interface StoredReport extends Pick<ProviderReport, 'outcome' | 'providerStatus' | 'providerReference'> {
  readonly eventReference?: string
  readonly minor: string | null
  readonly currency: Currency | null
  readonly since: string
  readonly at: string
}

export const reportOf = (stored: unknown): ProviderReport | null => {
  if (stored === null) return null
  const { minor, currency, since, at, ...report } = stored as StoredReport
  const echo = minor === null || currency === null ? null : money(BigInt(minor), currency)
  return { ...report, echo, since: new Date(since), at: new Date(at) }
}

type Charge = Pick<Attempt, 'accountId' | 'id'>

export async function findReport(db: Queryable, { accountId, id }: Charge): Promise<ProviderReport | null> {
  const row = await db
    .selectFrom('payment_attempts')
    .select('last_report')
    .where('account_id', '=', uuidOf(accountId))
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return reportOf(row?.last_report ?? null)
}

/** Records a reply about a booked charge. Plain confirmations of the booked amount are the rule and write nothing. */
export async function recordReport(
  tx: Tx,
  { payment, attempt }: { readonly payment: LockedPayment; readonly attempt: Attempt },
  reply: Reply,
  booked: Money,
): Promise<void> {
  const before = await findReport(tx, attempt)
  const { outcome, providerStatus, providerReference, eventReference, echo } = reply
  const isPlain = outcome === 'completed' && (echo === null || equals(echo, booked))
  if (before === null && isPlain) return
  const isSame =
    before?.outcome === outcome &&
    before.providerStatus === providerStatus &&
    before.eventReference === eventReference &&
    before.echo?.minor === echo?.minor
  const report: StoredReport = {
    outcome,
    providerStatus,
    providerReference,
    ...(eventReference !== undefined && { eventReference }),
    minor: echo?.minor.toString() ?? null,
    currency: echo?.currency ?? null,
    since: (isSame ? before.since : payment.lockedAt).toISOString(),
    at: payment.lockedAt.toISOString(),
  }
  await sql`update payment_attempts set last_report = ${JSON.stringify(report)}::jsonb
    where account_id = ${uuidOf(attempt.accountId)} and id = ${uuidOf(attempt.id)}`.execute(tx)
}

/** The facts about the charge of an anomaly that an operator needs for the decision. */
export interface ChargeContext {
  readonly provider: string
  readonly report: ProviderReport | null
  /** Refused refunds that the provider may still have paid: a returned amount is explained only if one of them was paid after all. */
  readonly refusedRefunds: readonly RefundId[]
}

export async function contextOf({ db }: Pick<Ctx, 'db'>, anomaly: Anomaly): Promise<ChargeContext> {
  const accountId = uuidOf(anomaly.accountId)
  const charge = await db.kysely
    .selectFrom('payment_attempts')
    .select(['provider', 'last_report'])
    .where('account_id', '=', accountId)
    .where('id', '=', uuidOf(anomaly.attemptId))
    .executeTakeFirstOrThrow()
  const refused = await db.kysely
    .selectFrom('refunds')
    .select('id')
    .where('account_id', '=', accountId)
    .where('attempt_id', '=', uuidOf(anomaly.attemptId))
    .where('status', '=', 'failed')
    .where('next_watch_at', 'is not', null)
    .orderBy('id')
    .execute()
  return {
    provider: charge.provider,
    report: reportOf(charge.last_report),
    refusedRefunds: refused.map(({ id }) => idFrom(RefundId, id)),
  }
}
