import type { ChangeOf } from '../../../platform/db/table.ts'
import type { CaptureInstruction } from './instruction.ts'
import type { Attempt, Payment, Refund } from './payment.ts'
import { type KeyedRequest, keyedColumns } from './store-idempotency.ts'
import { attempts, captureInstructions, customers, paymentAnomalies, payments, refunds } from './tables.ts'

/** The columns of a payment that may change. A change writes all of them, because the payment's version excludes concurrent changes. */
export const paymentRows = payments.recordSet([
  'accountId',
  'id',
  'status',
  'statusReason',
  'method',
  'providerReference',
  'customer',
  'captured',
  'captureBefore',
  'fee',
  'refunded',
  'refundPending',
  'reversed',
  'termination',
  'lastEvent',
  'version',
  'completedAt',
  'updatedAt',
])

export const openedAttempts = attempts.recordSet([
  'accountId',
  'id',
  'paymentId',
  'provider',
  'method',
  'msisdn',
  'amount',
  'status',
  'nextCheckAt',
  'createdAt',
  'updatedAt',
])

/** A new attempt, and the time of its look-up when its sender has recorded no outcome. */
export interface OpenedAttempt {
  readonly attempt: Attempt
  readonly nextCheckAt: Date
}

/** The fields of an attempt or a refund that a call to its provider may change. */
const changedByCall = [
  'status',
  'failureReason',
  'providerStatus',
  'providerReference',
  'providerState',
  'notFoundChecks',
  'outcomeFailures',
  'isDeferred',
  'nextCheckAt',
  'watchUntil',
  'nextWatchAt',
  'updatedAt',
] as const

export const changedAttempts = attempts.changes([
  ...changedByCall,
  'heldBecause',
  'authorizedAt',
  'nextAction',
  'moved',
  'lastReport',
])
export type AttemptChange = Omit<ChangeOf<typeof changedAttempts>, 'updatedAt'>

/** A report about a booked charge is no change of the charge. */
export const attemptChangeRow = (attempt: Attempt, change: AttemptChange, at: Date): object => {
  const { lastReport, ...others } = change
  const isChanged = Object.keys(others).length > 0
  return changedAttempts.row(attempt, { ...change, ...(isChanged && { updatedAt: at }) })
}

export const openedRefunds = refunds.recordSet([
  'accountId',
  'id',
  'paymentId',
  'attemptId',
  'amount',
  'applicationId',
  'origin',
  'replacesId',
  'reason',
  'requestedBy',
  'status',
  'nextCheckAt',
  'createdAt',
  'updatedAt',
])

/** A new refund, with the request that opened it under an Idempotency-Key. */
export interface NewRefund extends Refund {
  readonly keyed?: KeyedRequest | null
}

export const changedRefunds = refunds.changes([
  ...changedByCall,
  'paidLateAt',
  'settledAt',
  'bouncedAt',
  'unclaimedAt',
])
export type RefundChange = Omit<ChangeOf<typeof changedRefunds>, 'updatedAt'>

const instructions = captureInstructions.recordSet([
  'accountId',
  'paymentId',
  'attemptId',
  'kind',
  'amount',
  'currency',
  'createdAt',
])

/** A new instruction, with the request that gave it under an Idempotency-Key. */
export type NewInstruction = CaptureInstruction & { readonly keyed?: KeyedRequest | null }

export const instructionRow = (instruction: NewInstruction, { amount: { currency } }: Payment): object => ({
  ...instructions.row({ ...instruction, currency }),
  ...instruction.keyed,
})

/** A relation with the columns of a request under an Idempotency-Key. */
const keyed = (table: string, names: string, definition: string) => ({
  text: { definition: `${definition}, ${keyedColumns.definition}` },
  insertFrom: (given: string) =>
    `insert into ${table} (${names}, ${keyedColumns.names}) select ${names}, ${keyedColumns.names} from ${given}`,
})

export const keyedRefunds = keyed('refunds', openedRefunds.text.names, openedRefunds.text.definition)
export const keyedInstructions = keyed(
  'capture_instructions',
  instructions.text.names,
  instructions.text.definition,
)

export const openedAnomalies = paymentAnomalies.recordSet()
export const changedAnomalies = paymentAnomalies.changes(['amount', 'resolvedAt', 'resolution', 'booked'])
export type AnomalyChange = ChangeOf<typeof changedAnomalies>

export const namedCustomers = customers.recordSet(['accountId', 'id', 'email', 'phone', 'name', 'firstSeen'])
