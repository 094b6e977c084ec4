import type { ProviderRecord } from '@muripo/rig/provider-records'
import { recordOf as recordIn } from '../lib/compare.ts'
import type { Call, Snapshot } from '../lib/snapshot.ts'

export interface Finding {
  readonly kind: 'lost' | 'doubled' | 'wrong' | 'unresolved'
  readonly text: string
}

/** Every difference between the gateway's rows and the simulator's own records. */
export interface Comparison {
  readonly findings: readonly Finding[]
  readonly ended: number
  /** Calls whose outcome only an operator can find out. */
  readonly unknown: number
  readonly duplicates: number
  readonly reversals: number
  /** Sums in minor units that the simulator holds for the booked charges and refunds. */
  readonly paidMinor: number
  readonly refundedMinor: number
  readonly takenBackMinor: number
}

export const isOpen = ({ status }: Call) => ['sending', 'pending', 'unknown'].includes(status)
export const isBooked = ({ status }: Call) => status === 'completed' || status === 'duplicate'

/** Whether a call waits for an operator. */
export function operatorCalls({ anomalies }: Snapshot): (call: Call) => boolean {
  const contradicted = new Set(
    anomalies.filter((each) => each.isOpen).flatMap(({ attempt, refund }) => [attempt, refund]),
  )
  return (call) =>
    ['held', 'awaiting_operator'].includes(call.status) ||
    (isOpen(call) && !call.isScheduled) ||
    contradicted.has(call.id)
}

/** The charges that their providers took back, as the gateway has recorded it. */
export function reversalsIn({ anomalies, attempts }: Snapshot) {
  const attemptOf = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  return anomalies.flatMap((anomaly) => {
    const attempt = attemptOf.get(anomaly.attempt ?? '')
    const isReversal = /^(reversed|unanswered)$/.test(anomaly.kind) && anomaly.refund === null
    return isReversal && attempt ? [{ ...anomaly, keys: attempt.keys }] : []
  })
}

interface Afterwards {
  /** The keys of charges that were paid after the gateway had given them up. */
  readonly late: ReadonlySet<string>
  /** Reviews that the operator's command refused. */
  readonly refusals: readonly string[]
}

type Find = (kind: Finding['kind'], text: string) => void
/** The simulator's record of a row. */
type RecordOf = (row: Pick<Call, 'keys'>) => ProviderRecord | undefined

export function compareRecords(
  state: Snapshot,
  records: ReadonlyMap<string, ProviderRecord>,
  { late, refusals }: Afterwards,
): Comparison {
  const findings: Finding[] = []
  const find: Find = (kind, text) => findings.push({ kind, text })
  const recordOf: RecordOf = (call) => recordIn(records, call)
  const needsOperator = operatorCalls(state)
  compareCalls(state, recordOf, needsOperator, find)
  const known = new Set([...state.attempts, ...state.refunds].flatMap(({ keys }) => keys))
  for (const { key, isPaid } of records.values())
    if (isPaid && !known.has(key)) find('lost', `the provider has ${key}, which nobody sent`)
  comparePayments(state, recordOf, needsOperator, find)
  for (const row of state.attempts)
    if (row.keys.some((key) => late.has(key)) && !isBooked(row))
      find(
        'lost',
        `charge ${row.keys[0]} at ${row.provider} was paid after it had been given up, and is ${row.status}`,
      )
  for (const refusal of refusals) find('wrong', `a review was refused: ${refusal}`)
  compareReversals(state, recordOf, find)
  compareLedger(state, recordOf, find)

  const rows = [...state.attempts, ...state.refunds]
  return {
    findings,
    ended: state.attempts.filter((row) => !needsOperator(row) && !isOpen(row)).length,
    unknown: rows.filter(needsOperator).length,
    duplicates: state.attempts.filter(({ status }) => status === 'duplicate').length,
    reversals: state.attempts.filter((row) => isBooked(row) && takenBackOf([row], recordOf) > 0).length,
    paidMinor: sumOf(state.attempts, recordOf),
    refundedMinor: sumOf(state.refunds, recordOf),
    takenBackMinor: takenBackOf(state.attempts, recordOf),
  }
}

function compareCalls(
  state: Snapshot,
  recordOf: RecordOf,
  needsOperator: (call: Call) => boolean,
  find: Find,
): void {
  for (const [what, rows] of [
    ['charge', state.attempts],
    ['refund', state.refunds],
  ] as const)
    for (const row of rows) {
      const record = recordOf(row)
      const name = `${what} ${row.keys[0]} at ${row.provider}`
      if (isOpen(row) && row.isScheduled) find('unresolved', `${name} is still ${row.status}`)
      if (needsOperator(row)) continue
      if (isBooked(row) && !record?.isPaid)
        find('wrong', `${name} is booked, and the provider has no such payment`)
      if (isBooked(row) && record && record.minor !== row.amount)
        find('wrong', `${name} is booked with ${row.amount}, and the provider has ${record.minor}`)
      if (row.status === 'failed' && record?.isPaid)
        find('lost', `${name} has failed, and the provider was paid`)
      if (!isOpen(row) && record?.isReserved)
        find('unresolved', `${name} is ${row.status}, and its authorisation is neither captured nor voided`)
    }
}

function comparePayments(
  state: Snapshot,
  recordOf: RecordOf,
  needsOperator: (call: Call) => boolean,
  find: Find,
): void {
  const statusOf = new Map(state.payments.map(({ id, status }) => [id, status]))
  const byPayment = Map.groupBy(state.attempts, ({ payment }) => payment)
  for (const [payment, attempts] of byPayment) {
    const completed = attempts.filter(({ status }) => status === 'completed')
    if (completed.length > 1)
      find('doubled', `payment ${payment} is completed by ${completed.length} charges`)
    const paid = attempts.filter((attempt) => !needsOperator(attempt) && recordOf(attempt)?.isPaid)
    if (paid.length > attempts.filter(isBooked).length)
      find('doubled', `payment ${payment} was paid ${paid.length} times, and not all of them are booked`)
    const isLeftPending = statusOf.get(payment) === 'pending' && !attempts.some(needsOperator)
    if (isLeftPending) find('unresolved', `payment ${payment} is pending, and no charge of it is open`)
  }
}

function compareReversals(state: Snapshot, recordOf: RecordOf, find: Find): void {
  const isTakenBack = (row: Pick<Call, 'keys'>) => (recordOf(row)?.takenBackMinor ?? 0) > 0
  const reversals = reversalsIn(state)
  const reversed = new Set(reversals.flatMap(({ keys }) => keys))
  for (const row of state.attempts.filter(isBooked))
    if (isTakenBack(row) && !row.keys.some((key) => reversed.has(key)))
      find('lost', `charge ${row.keys[0]} at ${row.provider} was taken back, and nobody was told`)
  for (const { payment } of reversals.filter((each) => each.isOpen && isTakenBack(each)))
    find('unresolved', `the reversal of payment ${payment} is not reviewed`)
  const announced = new Set(
    state.events.filter(({ type }) => type === 'payment.reversed').map(({ payment }) => payment),
  )
  const silent = state.anomalies.filter(({ kind, payment }) => kind === 'reversed' && !announced.has(payment))
  if (silent.length > 0) find('lost', `${silent.length} reversals have no event`)
}

function compareLedger(state: Snapshot, recordOf: RecordOf, find: Find): void {
  const moved = (provider: string, side: 'debit' | 'credit', ...kinds: string[]) =>
    state.transfers
      .filter((transfer) => kinds.includes(transfer.kind) && transfer[side] === `clearing.${provider}`)
      .reduce((sum, { amount }) => sum + amount, 0)
  for (const provider of new Set(state.attempts.map((row) => row.provider))) {
    const at = (rows: readonly Call[]) => rows.filter((row) => row.provider === provider)
    const pairs = [
      [
        'captured',
        sumOf(at(state.attempts), recordOf),
        moved(provider, 'debit', 'capture', 'duplicate_capture'),
      ],
      ['refunded', sumOf(at(state.refunds), recordOf), moved(provider, 'credit', 'refund_paid')],
      ['taken back', takenBackOf(at(state.attempts), recordOf), moved(provider, 'credit', 'reversal')],
    ] as const
    for (const [what, theirs, ours] of pairs)
      if (theirs !== ours) find('wrong', `${provider} has ${what} ${theirs}, and the ledger ${ours}`)
  }
  if (state.drifted > 0) find('wrong', `${state.drifted} balances or payments differ from their transfers`)
}

const takenBackOf = (rows: readonly Call[], recordOf: RecordOf) =>
  rows.filter(isBooked).reduce((sum, row) => sum + (recordOf(row)?.takenBackMinor ?? 0), 0)
const sumOf = (rows: readonly Call[], recordOf: RecordOf) =>
  rows.filter(isBooked).reduce((sum, row) => sum + (recordOf(row)?.minor ?? 0), 0)
