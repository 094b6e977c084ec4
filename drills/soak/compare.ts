import type { LedgerState, Recorded, Row } from './records.ts'

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

export const isOpen = ({ status }: Row) => ['sending', 'pending', 'unknown'].includes(status)
export const isBooked = ({ status }: Row) => status === 'completed' || status === 'duplicate'
export const needsOperator = (row: Row) =>
  row.status === 'held' ||
  row.status === 'awaiting_operator' ||
  (isOpen(row) && !row.isScheduled) ||
  row.hasAnomaly

interface Afterwards {
  /** The keys of charges that were paid after the gateway had given them up. */
  readonly late: ReadonlySet<string>
  /** Reviews that the operator's command refused. */
  readonly refusals: readonly string[]
}

type Find = (kind: Finding['kind'], text: string) => void
/** The simulator's record of a row. */
type RecordOf = (row: Pick<Row, 'keys'>) => Recorded | undefined

export function compareRecords(
  state: LedgerState,
  records: ReadonlyMap<string, Recorded>,
  { late, refusals }: Afterwards,
): Comparison {
  const findings: Finding[] = []
  const find: Find = (kind, text) => findings.push({ kind, text })
  const recordOf: RecordOf = ({ keys }) =>
    keys.map((key) => records.get(key)).find((record) => record !== undefined)
  compareCalls(state, recordOf, find)
  const known = new Set([...state.attempts, ...state.refunds].flatMap(({ keys }) => keys))
  for (const { key, isPaid } of records.values())
    if (isPaid && !known.has(key)) find('lost', `the provider has ${key}, which nobody sent`)
  comparePayments(state, recordOf, find)
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

function compareCalls(state: LedgerState, recordOf: RecordOf, find: Find): void {
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
      if (isBooked(row) && record && record.minor !== row.minor)
        find('wrong', `${name} is booked with ${row.minor}, and the provider has ${record.minor}`)
      if (row.status === 'failed' && record?.isPaid)
        find('lost', `${name} has failed, and the provider was paid`)
      if (!isOpen(row) && record?.isReserved)
        find('unresolved', `${name} is ${row.status}, and its authorisation is neither captured nor voided`)
    }
}

function comparePayments(state: LedgerState, recordOf: RecordOf, find: Find): void {
  const byPayment = Map.groupBy(state.attempts, ({ payment }) => payment)
  for (const [payment, attempts] of byPayment) {
    const completed = attempts.filter(({ status }) => status === 'completed')
    if (completed.length > 1)
      find('doubled', `payment ${payment} is completed by ${completed.length} charges`)
    const paid = attempts.filter((attempt) => !needsOperator(attempt) && recordOf(attempt)?.isPaid)
    if (paid.length > attempts.filter(isBooked).length)
      find('doubled', `payment ${payment} was paid ${paid.length} times, and not all of them are booked`)
    const isLeftPending = state.payments.get(payment) === 'pending' && !attempts.some(needsOperator)
    if (isLeftPending) find('unresolved', `payment ${payment} is pending, and no charge of it is open`)
  }
}

function compareReversals(state: LedgerState, recordOf: RecordOf, find: Find): void {
  const isTakenBack = (row: Pick<Row, 'keys'>) => (recordOf(row)?.takenBackMinor ?? 0) > 0
  const reversed = new Set(state.reversals.flatMap(({ keys }) => keys))
  for (const row of state.attempts.filter(isBooked))
    if (isTakenBack(row) && !row.keys.some((key) => reversed.has(key)))
      find('lost', `charge ${row.keys[0]} at ${row.provider} was taken back, and nobody was told`)
  for (const { payment } of state.reversals.filter((each) => each.isOpen && isTakenBack(each)))
    find('unresolved', `the reversal of payment ${payment} is not reviewed`)
  if (state.unannounced > 0) find('lost', `${state.unannounced} reversals have no event`)
}

function compareLedger(state: LedgerState, recordOf: RecordOf, find: Find): void {
  for (const provider of new Set(state.attempts.map((row) => row.provider))) {
    const at = (rows: readonly Row[]) => rows.filter((row) => row.provider === provider)
    const pairs = [
      ['captured', sumOf(at(state.attempts), recordOf), state.captured.get(provider) ?? 0],
      ['refunded', sumOf(at(state.refunds), recordOf), state.refunded.get(provider) ?? 0],
      ['taken back', takenBackOf(at(state.attempts), recordOf), state.takenBack.get(provider) ?? 0],
    ] as const
    for (const [what, theirs, ours] of pairs)
      if (theirs !== ours) find('wrong', `${provider} has ${what} ${theirs}, and the ledger ${ours}`)
  }
  if (state.drift > 0) find('wrong', `${state.drift} balances or payments differ from their transfers`)
}

const takenBackOf = (rows: readonly Row[], recordOf: RecordOf) =>
  rows.filter(isBooked).reduce((sum, row) => sum + (recordOf(row)?.takenBackMinor ?? 0), 0)
const sumOf = (rows: readonly Row[], recordOf: RecordOf) =>
  rows.filter(isBooked).reduce((sum, row) => sum + (recordOf(row)?.minor ?? 0), 0)
