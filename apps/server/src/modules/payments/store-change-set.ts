import type { EventType } from '@muripo/contract/enums'
import type { Id } from '@muripo/contract/ids'
import { createBatcher } from '../../platform/db/batcher.ts'
import {
  type Database,
  isErrorOfOneRow,
  type NamedStatement,
  runNamed,
  type Tx,
} from '../../platform/db/database.ts'
import { oneNow } from '../../platform/db/database-time.ts'
import { afterCommit } from '../../platform/db/transaction.ts'
import { invariant } from '../../platform/errors.ts'
import { uuidOf } from '../../platform/ids.ts'
import { noteCommit } from '../../platform/request-scope.ts'
import type { OpenSpan, SpanAttributes } from '../../platform/tracing/tracing.ts'
import {
  insertTransfersFrom,
  newTransfers,
  type Transfer,
  transferDefinition,
  transferRow,
} from '../ledger/index.ts'
import { eventDefinition, eventRow, insertEventsFrom, newEvent } from '../webhooks/index.ts'
import {
  type AttemptChange,
  attemptChangeRow,
  insertAttemptsFrom,
  type OpenedAttempt,
  openedDefinition,
  openedRow,
  updateAttemptsFrom,
} from './attempts/store-attempts.ts'
import type { PaymentsCtx } from './context.ts'
import type { Customer } from './customers/customer.ts'
import { upsertCustomers } from './customers/store-customers.ts'
import type { Attempt, Payment, Refund } from './payment.ts'
import { changeDefinition } from './provider-calls/store-provider-calls.ts'
import {
  insertRefundsFrom,
  type NewRefund,
  openedRefundDefinition,
  openedRefundRow,
  type RefundChange,
  refundChangeRow,
  updateRefundsFrom,
} from './refunds/store-refunds.ts'
import { changedPayment, type PaymentChange, paymentColumns } from './store.ts'
import { insertReceiptsFrom, receiptDefinition } from './store-receipts.ts'
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
  /** The payer, and the id of the attempt that names them. */
  readonly payer?: { readonly customer: Customer; readonly firstSeen: Id<string> }
  readonly transfers?: readonly Transfer[]
  /** An event that reports the payment as the change leaves it. */
  readonly event?: { readonly type: EventType; readonly besides?: object }
}

/** The rows of a change set, as JSON has them. */
interface PreparedChange {
  readonly paymentId: string
  readonly after: Payment
  readonly rows: {
    readonly changes: object
    readonly attempts?: object | undefined
    readonly opened?: object | undefined
    readonly openedRefunds?: object | undefined
    readonly refunds?: object | undefined
    readonly customers?: object | undefined
    readonly events?: object | undefined
    readonly transfers: readonly object[]
    readonly receipts?: object | undefined
  }
}

/**
 * Commits a change set in a transaction of its own.
 * @returns the payment after the change; null when another change came before it and nothing was written
 * @throws OutcomeUnknownError
 */
export async function commitChange(ctx: PaymentsCtx, set: ChangeSet): Promise<Payment | null> {
  const span = changeSpan(ctx, set)
  const prepared = prepare(ctx, set, set.at)
  const isWritten = await writerOf(ctx.db)(prepared)
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
      refunds: refund && refundChangeRow(refund.before, refund.change, at),
      customers: payer && {
        account_id: uuidOf(payment.accountId),
        id: uuidOf(payer.customer.id),
        email: payer.customer.email,
        phone: payer.customer.phone,
        name: payer.customer.name,
        first_seen: uuidOf(payer.firstSeen),
      },
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
/** While the database works on one batch, the next is made ready. */
const MAX_RUNNING = 2
const MIN_WAITING_FOR_ANOTHER = 32
const MOST_WAITING = 1024

type Writer = (prepared: PreparedChange) => Promise<boolean>
const writers = new WeakMap<Database, Writer>()

/** Changes that are made at the same moment are committed together. */
function writerOf(db: Database): Writer {
  const known = writers.get(db)
  if (known) return known
  const writer = createBatcher<PreparedChange, boolean>({
    name: 'payment-changes',
    maxCalls: MOST_CHANGES,
    maxCallsUnderLoad: MOST_CHANGES_UNDER_LOAD,
    maxRunning: MAX_RUNNING,
    minWaitingForAnother: MIN_WAITING_FOR_ANOTHER,
    mostWaiting: MOST_WAITING,
    queues: db.queues,
    write: (changes) => writeBatch(db, changes),
  })
  writers.set(db, writer)
  return writer
}

/** Writes each change alone after one row of the batch failed. Of two changes of one payment the second was decided from an earlier state. */
function writeBatch(db: Database, changes: readonly PreparedChange[]): Promise<boolean>[] {
  const distinct = [...new Map(changes.map((each) => [each.paymentId, each] as const).reverse()).values()]
  const batch = write(db, distinct).catch((error: unknown) => {
    if (distinct.length > 1 && isErrorOfOneRow(error)) return null
    throw error
  })
  return changes.map(async (each) => {
    const written = (await batch) ?? (await write(db, [each]))
    return written.has(each)
  })
}

async function write(db: Database, changes: readonly PreparedChange[]): Promise<Set<PreparedChange>> {
  const rows = await db.commitStatement(statementFor(changes))
  return new Set(rows.map(({ n }) => changes[n] as PreparedChange))
}

/** The relations of given rows, beside `changes`. */
const relations = [
  'opened',
  'attempts',
  'openedRefunds',
  'refunds',
  'customers',
  'events',
  'transfers',
  'receipts',
] as const
type Relation = (typeof relations)[number]

/** PostgreSQL prepares every table of a statement that it may write, so that tables without rows to write are left out. */
function statementFor(changes: readonly PreparedChange[]): NamedStatement {
  const rowsOf = (name: Relation | 'changes') =>
    changes.flatMap(({ rows }, n) => [rows[name] ?? []].flat().map((row) => ({ n, ...(row as object) })))
  const given = relations.map((name) => ({ name, rows: rowsOf(name) })).filter(({ rows }) => rows.length > 0)
  const names = given.map(({ name }) => name)
  return {
    name: `write-changes-${names.map((name) => relations.indexOf(name)).join('')}`,
    text: textFor(names),
    values: [rowsOf('changes'), ...given.map(({ rows }) => rows)].map((rows) => JSON.stringify(rows)),
  }
}

/** A relation of the rows in one parameter of the statement. */
const rowsIn = (parameter: number, definition: string): string =>
  `jsonb_to_recordset($${parameter}::jsonb) as given (n int, ${definition})`

/** The time that a change may wait for its turn. A decision from an older time is made again. */
const STALE_AFTER = "interval '5 seconds'"

const changeColumns = `decided_at timestamptz, expected int, attempt_id uuid, attempt_version int, ${paymentColumns.text.definition}`
const customerColumns = 'account_id uuid, id uuid, email text, phone text, name text, first_seen uuid'

/** The writes of each relation. `rows` is the part of its rows whose change sets are written. */
const writes: Record<Relation, { readonly definition: string; readonly write: (rows: string) => string }> = {
  opened: {
    definition: openedDefinition,
    write: (rows) => `opened as (${insertAttemptsFrom(rows)} returning 1)`,
  },
  attempts: {
    definition: changeDefinition,
    write: (rows) => `moved as (${updateAttemptsFrom(rows)} returning 1)`,
  },
  openedRefunds: {
    definition: openedRefundDefinition,
    write: (rows) => `opened_refunds as (${insertRefundsFrom(rows)})`,
  },
  refunds: {
    definition: changeDefinition,
    write: (rows) => `moved_refunds as (${updateRefundsFrom(rows)})`,
  },
  customers: {
    definition: customerColumns,
    write: (rows) => `known as (${upsertCustomers(`table ${rows}`)})`,
  },
  events: { definition: eventDefinition, write: insertEventsFrom },
  transfers: { definition: transferDefinition, write: insertTransfersFrom },
  receipts: { definition: receiptDefinition, write: (rows) => `receipts as (${insertReceiptsFrom(rows)})` },
}

/** The triggers of a payment read its attempts: they are written first, because a subquery of the condition runs before the update. */
const attemptsFirst: Partial<Record<Relation, string>> = {
  opened: 'and (select count(*) from opened) >= 0',
  attempts: 'and (select count(*) from moved) >= 0',
}

/**
 * One statement, one commit. A change set is written if its payment and its attempt still have the versions that it was decided from:
 * both rows are locked, in one order everywhere, before any is changed.
 */
const buildText = (names: readonly Relation[]): string => `with given as materialized (
    select * from ${rowsIn(1, changeColumns)}
  ), locked as materialized (
    select given.* from given join payments on payments.account_id = given.account_id and payments.id = given.id
    where payments.version = given.expected
      and (decided_at is null or decided_at between ${oneNow} - ${STALE_AFTER} and ${oneNow} + ${STALE_AFTER})
    order by payments.account_id, payments.id
    for no key update of payments
  ), current_attempts as materialized (
    select locked.n from locked
    join payment_attempts on payment_attempts.account_id = locked.account_id and payment_attempts.id = locked.attempt_id
    where payment_attempts.version = locked.attempt_version
    for update of payment_attempts
  ), ready as materialized (
    select * from locked where attempt_id is null or n in (select n from current_attempts)
  ), readiness as materialized (
    select array_agg(n in (select n from ready) order by n) as of_set from given
  ), ${names
    .map((name, index) => {
      const rows = `rows_of_${index}`
      return `${rows} as (
    select given.* from ${rowsIn(index + 2, writes[name].definition)} where (select of_set from readiness)[n + 1]
  ), ${writes[name].write(rows)}, `
    })
    .join('')}written as (
    update payments set ${paymentColumns.text.assignments.replaceAll('given.', 'ready.')}
    from ready
    where payments.account_id = ready.account_id and payments.id = ready.id and ready.version is not null
      ${names.map((name) => attemptsFirst[name] ?? '').join(' ')}
  )
  select n from ready`

const texts = new Map<string, string>()

function textFor(names: readonly Relation[]): string {
  const key = names.join()
  const text = texts.get(key) ?? buildText(names)
  texts.set(key, text)
  return text
}
