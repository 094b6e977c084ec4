import type { EventType } from '@muripo/contract/enums'
import type { Id } from '@muripo/contract/ids'
import { batcherPerDatabase, writeTogether } from '../../../platform/db/batcher.ts'
import { afterCommit, type Database, runNamed, type Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { noteCommit } from '../../../platform/request-scope.ts'
import type { OpenSpan, SpanAttributes } from '../../../platform/tracing/tracing.ts'
import { newTransfers, type Transfer, transferRow } from '../../ledger/index.ts'
import { eventRow, newEvent } from '../../webhooks/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { type PreparedChange, statementFor } from './change-statement.ts'
import type { Customer } from './customer.ts'
import type { Attempt, Payment, Refund } from './payment.ts'
import { type AttemptChange, attemptChangeRow, type OpenedAttempt, openedRow } from './store-attempts.ts'
import { customerRow } from './store-customers.ts'
import { instructionRow, type NewInstruction } from './store-instructions.ts'
import { changedPayment, type PaymentChange, paymentColumns } from './store-payment.ts'
import { type NewRefund, openedRefundRow, type RefundChange, refundChangeRow } from './store-refunds.ts'
import { toPublic } from './wire.ts'

/** The changes that one decision makes to a payment. All of them are committed, or none. */
export interface ChangeSet {
  /** The payment that the decision was made from. */
  readonly payment: Payment
  /** The time of the decision, by the database's clock. */
  readonly at: Date
  readonly change?: PaymentChange
  readonly attempt?: { readonly before: Attempt; readonly change: AttemptChange }
  readonly opened?: OpenedAttempt
  readonly openedRefund?: NewRefund
  readonly refund?: { readonly before: Refund; readonly change: RefundChange }
  readonly instruction?: NewInstruction
  /** The payer, and the id of the attempt that names them. */
  readonly payer?: { readonly customer: Customer; readonly firstSeen: Id<string> }
  readonly transfers?: readonly Transfer[]
  /** An event that reports the payment as the change leaves it. */
  readonly event?: { readonly type: EventType; readonly besides?: object }
}

/**
 * Commits a change set in a transaction of its own.
 * @returns the payment after the change; null when another change came before it and nothing was written
 * @throws OutcomeUnknownError
 */
export async function commitChange(ctx: PaymentsCtx, set: ChangeSet): Promise<Payment | null> {
  const span = changeSpan(ctx, set)
  const prepared = prepare(ctx, set, set.at)
  const isWritten = await writeChange(ctx.db, prepared)
  // The statement may have run in the scope of another caller.
  noteCommit()
  if (!isWritten) return null
  noteChange(ctx, set, prepared.after, span)
  return prepared.after
}

/** Writes a change set in the caller's transaction, which has locked the payment. */
export async function applyChange(ctx: PaymentsCtx, tx: Tx, set: ChangeSet): Promise<Payment> {
  const span = changeSpan(ctx, set)
  const prepared = prepare(ctx, set, null)
  const written = await runNamed(tx, statementFor([prepared]))
  invariant(written.length === 1, 'a payment is changed from its latest reading')
  afterCommit(tx, () => noteChange(ctx, set, prepared.after, span))
  return prepared.after
}

const changeSpan = ({ tracing }: PaymentsCtx, { payment }: ChangeSet): OpenSpan | undefined =>
  tracing?.payment(payment.id, 'payment.change')

/** Counts and traces a committed change. */
function noteChange(ctx: PaymentsCtx, set: ChangeSet, after: Payment, span: OpenSpan | undefined): void {
  ctx.counts.note(set, after)
  span?.end(attributesOf(set, after))
}

const attributesOf = (
  { attempt, opened, refund, openedRefund, event }: ChangeSet,
  after: Payment,
): SpanAttributes => ({
  'muripo.payment.status': after.status,
  'muripo.attempt.id': attempt?.before.id ?? opened?.attempt.id,
  'muripo.attempt.status': attempt
    ? (attempt.change.status ?? attempt.before.status)
    : opened?.attempt.status,
  'muripo.refund.id': refund?.before.id ?? openedRefund?.id,
  'muripo.refund.status': refund ? (refund.change.status ?? refund.before.status) : openedRefund?.status,
  'muripo.event.type': event?.type,
})

/** @param decidedAt null in a transaction that has locked the payment */
function prepare(ctx: PaymentsCtx, set: ChangeSet, decidedAt: Date | null): PreparedChange {
  const { payment, at, attempt, opened, openedRefund, refund, payer, event } = set
  const change = event ? { ...set.change, lastEvent: payment.lastEvent + 1 } : set.change
  const after = change ? changedPayment(payment, change, at) : payment
  return {
    paymentId: payment.id,
    after,
    rows: {
      changes: {
        ...(change
          ? paymentColumns.row(after)
          : { account_id: uuidOf(payment.accountId), id: uuidOf(payment.id) }),
        decided_at: decidedAt,
        expected: payment.version,
        attempt_id: attempt && uuidOf(attempt.before.id),
        attempt_version: attempt?.before.version,
      },
      attempts: attempt && attemptChangeRow(attempt.before, attempt.change, at),
      opened: opened && openedRow(opened),
      openedRefunds: openedRefund && openedRefundRow(openedRefund),
      instructions: set.instruction && instructionRow(set.instruction, payment),
      refunds: refund && refundChangeRow(refund.before, refund.change, at),
      customers: payer && customerRow(payment.accountId, payer.customer, payer.firstSeen),
      events:
        event &&
        eventRow(
          newEvent(ctx, payment.accountId, {
            type: event.type,
            applicationId: payment.applicationId,
            subject: payment.id,
            sequence: after.lastEvent,
            data: { ...toPublic(ctx, after), ...event.besides },
          }),
        ),
      transfers: newTransfers(ctx, payment.accountId, set.transfers ?? []).map(transferRow),
      receipts:
        payment.completedAt === null && after.completedAt !== null && after.customer.email !== null
          ? { account_id: uuidOf(payment.accountId), payment_id: uuidOf(payment.id) }
          : undefined,
    },
  }
}

const MOST_CHANGES = 64
const MOST_CHANGES_UNDER_LOAD = 256
/** The next batch is prepared while the database writes one. */
const MAX_RUNNING = 2
const MIN_WAITING_FOR_ANOTHER = 32
const MOST_WAITING = 1024

/** Changes that are made at the same moment are committed together. */
const writeChange = batcherPerDatabase<Database, PreparedChange, boolean>((db) => ({
  name: 'payment-changes',
  maxCalls: MOST_CHANGES,
  maxCallsUnderLoad: MOST_CHANGES_UNDER_LOAD,
  maxRunning: MAX_RUNNING,
  minWaitingForAnother: MIN_WAITING_FOR_ANOTHER,
  mostWaiting: MOST_WAITING,
  queues: db.queues,
  write: (changes) => writeBatch(db, changes),
}))

/** Of two changes of one payment the second was decided from an earlier state, and is not written. */
function writeBatch(db: Database, changes: readonly PreparedChange[]): Promise<boolean>[] {
  const distinct = [...new Map(changes.map((each) => [each.paymentId, each] as const).reverse()).values()]
  const writtenWith = writeTogether(distinct, (some) => write(db, some))
  return changes.map(async (each) => (await writtenWith(each)).has(each))
}

async function write(db: Database, changes: readonly PreparedChange[]): Promise<Set<PreparedChange>> {
  const rows = await db.commitStatement(statementFor(changes))
  return new Set(rows.map(({ n }) => changes[n] as PreparedChange))
}
