import { AnomalyId, AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import type pg from 'pg'
import { referenceOf } from '../../apps/server/src/modules/providers/ecocash-open/bodies.ts'
import { idFrom, suffixOf } from '../../apps/server/src/platform/ids.ts'

/** A charge or a refund in the simulator's own records, by the key that the gateway gave it. */
export interface Recorded {
  readonly key: string
  readonly kind: 'wallet' | 'code' | 'card' | 'pesepay' | 'refund'
  readonly minor: number
  readonly isPaid: boolean
  readonly isPending: boolean
  /** The amount of a paid charge that no refund has returned or will return. */
  readonly remainingMinor: number
  /** The amount that the provider took back without a request. */
  readonly takenBackMinor: number
  /** The bank of a card still reserves the amount, and nobody has requested its release. */
  readonly isReserved: boolean
  /** The provider's own reference, where its controls need it. */
  readonly reference: string
}

interface Transaction {
  readonly kind: string
  readonly correlator: string
  readonly minor: number
  readonly refundedMinor: number
  readonly status: string
}
interface Code {
  readonly reference: string
  readonly minor: number
  readonly state: string
}
interface Order {
  readonly id: string
  readonly chargedBack: number
  readonly transactions: readonly {
    readonly id: string
    readonly type: string
    readonly minor: number
    readonly result: string
  }[]
}
interface PesepayPayment {
  readonly merchantReference: string | null
  readonly pollUrl: string
  readonly amountDetails: { readonly amount: number }
  readonly transactionStatus: string
}

const record = (
  facts: Pick<Recorded, 'key' | 'kind' | 'minor' | 'isPaid'> & Partial<Recorded>,
): Recorded => ({
  isPending: false,
  remainingMinor: 0,
  takenBackMinor: 0,
  isReserved: false,
  reference: '',
  ...facts,
})

function walletRecord({ kind, correlator, minor, refundedMinor, status }: Transaction): Recorded {
  const remainingMinor = minor - refundedMinor
  return record({
    key: correlator,
    kind: kind === 'charge' ? 'wallet' : 'refund',
    minor,
    isPaid: ['completed', 'refunded', 'reversed'].includes(status),
    isPending: status === 'pending',
    remainingMinor: status === 'completed' ? remainingMinor : 0,
    takenBackMinor: status === 'reversed' ? remainingMinor : 0,
  })
}

/** An order is the charge. A void cancels the whole payment, and has the key of its refund. */
function cardRecords({ id, chargedBack, transactions }: Order): Recorded[] {
  const sumOf = (each: readonly { readonly minor: number }[]) =>
    each.reduce((sum, { minor }) => sum + minor, 0)
  const minor = sumOf(
    transactions.filter(({ result, type }) => result === 'SUCCESS' && /^(PAYMENT|CAPTURE)$/.test(type)),
  )
  const refunds = transactions.filter(({ type }) => /^(REFUND|VOID_PAYMENT|VOID_CAPTURE)$/.test(type))
  const returned = sumOf(refunds.filter(({ result }) => result !== 'FAILURE'))
  return [
    record({
      key: id,
      kind: 'card',
      minor,
      isPaid: minor > 0,
      remainingMinor: minor - returned - chargedBack,
      takenBackMinor: chargedBack,
      isReserved:
        minor === 0 &&
        transactions.some(({ result, type }) => result === 'SUCCESS' && type === 'AUTHORIZATION') &&
        !transactions.some(({ type }) => type === 'VOID_AUTHORIZATION'),
    }),
    ...refunds.map((each) =>
      record({
        key: each.id.replace(/-void$/, ''),
        kind: 'refund',
        minor: each.minor,
        isPaid: each.result === 'SUCCESS',
      }),
    ),
  ]
}

function pesepayRecord({
  merchantReference,
  pollUrl,
  amountDetails,
  transactionStatus,
}: PesepayPayment): Recorded {
  const minor = Math.round(amountDetails.amount * 100)
  const isTakenBack = transactionStatus === 'REVERSED'
  return record({
    key: merchantReference ?? '',
    kind: 'pesepay',
    minor,
    isPaid: isTakenBack || transactionStatus === 'SUCCESS',
    remainingMinor: isTakenBack ? 0 : minor,
    takenBackMinor: isTakenBack ? minor : 0,
    reference: new URL(pollUrl).searchParams.get('referenceNumber') ?? '',
  })
}

/** The charges of all providers, and the refunds of those that refund by a call. */
export async function readRecords(simulator: string): Promise<Map<string, Recorded>> {
  const read = async <Body>(path: string) => (await (await fetch(`${simulator}${path}`)).json()) as Body
  const { transactions } = await read<{ transactions: Transaction[] }>('/control/transactions')
  const { codes } = await read<{ codes: Code[] }>('/control/innbucks/codes')
  const { orders } = await read<{ orders: Order[] }>('/control/mastercard/orders')
  const { payments } = await read<{ payments: PesepayPayment[] }>('/control/pesepay/payments')
  const all: Recorded[] = [
    ...transactions.map(walletRecord),
    ...codes.map(({ reference, minor, state }) =>
      record({ key: reference, kind: 'code', minor, isPaid: state === 'Claimed' || state === 'Paid' }),
    ),
    ...orders.flatMap(cardRecords),
    ...payments.map(pesepayRecord),
  ]
  return new Map(all.map((each) => [each.key, each]))
}

/** A row of the gateway about one call, with the keys under which its provider may have it. */
export interface Row {
  readonly keys: readonly string[]
  readonly payment: string
  readonly provider: string
  readonly status: string
  readonly minor: number
  readonly isScheduled: boolean
  /** A report of the provider about the call waits for an operator. */
  readonly hasAnomaly: boolean
}

/** A charge that its provider took back, as the gateway has recorded it. */
export interface Reversal {
  readonly id: string
  readonly payment: string
  readonly keys: readonly string[]
  readonly isOpen: boolean
}

export interface LedgerState {
  readonly attempts: readonly Row[]
  readonly refunds: readonly Row[]
  readonly payments: ReadonlyMap<string, string>
  readonly reversals: readonly Reversal[]
  /** Reversals whose payment has no event about them. */
  readonly unannounced: number
  /** Sums of the ledger by kind of transfer and provider, in minor units. */
  readonly captured: ReadonlyMap<string, number>
  readonly refunded: ReadonlyMap<string, number>
  readonly takenBack: ReadonlyMap<string, number>
  /** Rows of the views that must be empty. */
  readonly drift: number
}

const keysOf = (suffix: string) => [suffix, referenceOf(suffix)]

export async function readLedgerState(pool: pg.Pool): Promise<LedgerState> {
  const rows = async <Result>(text: string) => (await pool.query(text)).rows as Result[]
  const about = (id: string) =>
    `exists (select from payment_anomalies n where n.${id} = c.id and n.resolved_at is null)`
  const attempts = await rows<Row & { id: string }>(
    `select c.id, c.payment_id as payment, c.provider, c.status, c.next_check_at is not null as "isScheduled",
       (case when c.status = 'completed' then coalesce(p.captured_minor, p.amount_minor) else c.amount_minor end)::int as minor,
       ${about('attempt_id')} as "hasAnomaly"
     from payment_attempts c join payments p on p.account_id = c.account_id and p.id = c.payment_id`,
  )
  const refunds = await rows<Row & { id: string }>(
    `select c.id, c.payment_id as payment, a.provider, c.status, c.amount_minor::int as minor,
       c.next_check_at is not null as "isScheduled", ${about('refund_id')} as "hasAnomaly"
     from refunds c join payment_attempts a on a.account_id = c.account_id and a.id = c.attempt_id`,
  )
  const payments = await rows<{ id: string; status: string }>('select id, status from payments')
  const sums = async (kinds: string, side: string) =>
    new Map(
      (
        await rows<{ account: string; sum: number }>(
          `select ${side}_code as account, sum(amount_minor)::float8 as sum from ledger_transfers where kind in (${kinds}) group by 1`,
        )
      ).map(({ account, sum }) => [account.replace(/^clearing\./, ''), sum]),
    )
  const reversals = await rows<{ id: string; payment: string; attempt: string; isOpen: boolean }>(
    `select id, payment_id as payment, attempt_id as attempt, resolved_at is null as "isOpen"
     from payment_anomalies where kind in ('reversed', 'unanswered') and refund_id is null`,
  )
  const [silent] = await rows<{ count: number }>(
    `select count(*)::int as count from payment_anomalies n where kind = 'reversed' and not exists (
       select from events e where e.type = 'payment.reversed' and e.subject_id = n.payment_id)`,
  )
  const [drift] = await rows<{ count: number }>(
    'select (select count(*) from ledger_balances_drift)::int + (select count(*) from payment_ledger_drift)::int as count',
  )
  return {
    attempts: attempts.map((row) => ({ ...row, keys: keysOf(suffixOf(idFrom(AttemptId, row.id))) })),
    refunds: refunds.map((row) => ({ ...row, keys: keysOf(suffixOf(idFrom(RefundId, row.id))) })),
    payments: new Map(payments.map(({ id, status }) => [id, status])),
    reversals: reversals.map(({ id, payment, attempt, isOpen }) => ({
      id: idFrom(AnomalyId, id),
      payment: idFrom(PaymentId, payment),
      keys: keysOf(suffixOf(idFrom(AttemptId, attempt))),
      isOpen,
    })),
    unannounced: silent?.count ?? 0,
    captured: await sums("'capture', 'duplicate_capture'", 'debit'),
    refunded: await sums("'refund_paid'", 'credit'),
    takenBack: await sums("'reversal'", 'credit'),
    drift: drift?.count ?? 0,
  }
}
