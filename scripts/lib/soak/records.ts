import { AttemptId, RefundId } from '@muripo/contract/ids'
import type pg from 'pg'
import { referenceOf } from '../../../apps/server/src/modules/providers/ecocash-open/reference.ts'
import { idFrom, suffixOf } from '../../../apps/server/src/platform/ids.ts'

/** A charge or a refund in the simulator's own records, by the key that the gateway gave it. */
export interface Recorded {
  readonly key: string
  readonly minor: number
  readonly isPaid: boolean
}

interface Transaction {
  readonly kind: string
  readonly correlator: string
  readonly minor: number
  readonly status: string
}
interface Code {
  readonly reference: string
  readonly minor: number
  readonly state: string
}
interface Order {
  readonly id: string
  readonly transactions: readonly {
    readonly id: string
    readonly type: string
    readonly minor: number
    readonly result: string
  }[]
}
interface PesepayPayment {
  readonly merchantReference: string | null
  readonly amountDetails: { readonly amount: number }
  readonly transactionStatus: string
}

/** An order is the charge. A void cancels the whole payment, and has the key of its refund. */
function cardRecords({ id, transactions }: Order): Recorded[] {
  const paid = transactions.filter(
    ({ result, type }) => result === 'SUCCESS' && /^(PAYMENT|CAPTURE)$/.test(type),
  )
  const minor = paid.reduce((sum, each) => sum + each.minor, 0)
  const refunds = transactions.filter(({ type }) => /^(REFUND|VOID_PAYMENT|VOID_CAPTURE)$/.test(type))
  return [
    { key: id, minor, isPaid: minor > 0 },
    ...refunds.map((each) => ({
      key: each.id.replace(/-void$/, ''),
      minor: each.minor,
      isPaid: each.result === 'SUCCESS',
    })),
  ]
}

/** The charges of all providers, and the refunds of those that refund by a call. */
export async function readRecords(simulator: string): Promise<Map<string, Recorded>> {
  const read = async <Body>(path: string) => (await (await fetch(`${simulator}${path}`)).json()) as Body
  const { transactions } = await read<{ transactions: Transaction[] }>('/control/transactions')
  const { codes } = await read<{ codes: Code[] }>('/control/innbucks/codes')
  const { orders } = await read<{ orders: Order[] }>('/control/mastercard/orders')
  const { payments } = await read<{ payments: PesepayPayment[] }>('/control/pesepay/payments')
  const all: Recorded[] = [
    ...transactions.map(({ correlator, minor, status }) => ({
      key: correlator,
      minor,
      isPaid: ['completed', 'refunded', 'reversed'].includes(status),
    })),
    ...codes.map(({ reference, minor, state }) => ({
      key: reference,
      minor,
      isPaid: state === 'Claimed' || state === 'Paid',
    })),
    ...orders.flatMap(cardRecords),
    ...payments.map(({ merchantReference, amountDetails, transactionStatus }) => ({
      key: merchantReference ?? '',
      minor: Math.round(amountDetails.amount * 100),
      isPaid: transactionStatus === 'SUCCESS',
    })),
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
  readonly hasAnomaly: boolean
}

export interface LedgerState {
  readonly attempts: readonly Row[]
  readonly refunds: readonly Row[]
  readonly payments: ReadonlyMap<string, string>
  /** Sums of the ledger by kind of transfer and provider, in minor units. */
  readonly captured: ReadonlyMap<string, number>
  readonly refunded: ReadonlyMap<string, number>
  /** Rows of the views that must be empty. */
  readonly drift: number
}

const keysOf = (suffix: string) => [suffix, referenceOf(suffix)]

export async function readLedgerState(pool: pg.Pool): Promise<LedgerState> {
  const rows = async <Result>(text: string) => (await pool.query(text)).rows as Result[]
  const about = (id: string) => `exists (select from payment_anomalies n where n.${id} = c.id)`
  const attempts = await rows<Row & { id: string }>(
    `select c.id, payment_id as payment, provider, status, amount_minor::int as minor, next_check_at is not null as "isScheduled",
       ${about('attempt_id')} as "hasAnomaly" from payment_attempts c`,
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
  const [drift] = await rows<{ count: number }>(
    'select (select count(*) from ledger_balances_drift)::int + (select count(*) from payment_ledger_drift)::int as count',
  )
  return {
    attempts: attempts.map((row) => ({ ...row, keys: keysOf(suffixOf(idFrom(AttemptId, row.id))) })),
    refunds: refunds.map((row) => ({ ...row, keys: keysOf(suffixOf(idFrom(RefundId, row.id))) })),
    payments: new Map(payments.map(({ id, status }) => [id, status])),
    captured: await sums("'capture', 'duplicate_capture'", 'debit'),
    refunded: await sums("'refund_paid'", 'credit'),
    drift: drift?.count ?? 0,
  }
}
