import { setTimeout as pause } from 'node:timers/promises'
import { auditLine, auditRows } from '../../../platform/audit/audit.ts'
import { batcherPerDatabase, writeTogether } from '../../../platform/db/batcher.ts'
import { type Database, runNamed, type Tx } from '../../../platform/db/database.ts'
import { isSerializationFailure, LockTakenError } from '../../../platform/db/failures.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { noteCommit } from '../../../platform/request-scope.ts'
import type { OpenSpan, SpanAttributes } from '../../../platform/tracing/tracing.ts'
import { adjustmentRows, newTransfers, transferRow } from '../../ledger/index.ts'
import { eventRow, newEvent } from '../../webhooks/index.ts'
import { type PreparedChange, statementFor } from './change-statement.ts'
import type { PaymentCtx } from './context.ts'
import { type Effects, paymentAfter } from './effects.ts'
import { refuseUnknownMoves } from './moves.ts'
import type { Payment } from './payment.ts'
import type { PaymentState } from './state.ts'
import { toPublic } from './wire.ts'
import {
  attemptChangeRow,
  changedAnomalies,
  changedRefunds,
  instructionRow,
  namedCustomers,
  openedAnomalies,
  openedAttempts,
  openedRefunds,
  paymentRows,
} from './written-rows.ts'

/** The effects of a decision, with what it was made from. */
export interface ChangeSet extends Effects {
  readonly payment: Payment
  /** The time of the decision, by the database's clock. */
  readonly at: Date
}

/** A decision, and what it results in. Null: nothing changes. */
export interface Decided<Result> {
  readonly effects: Effects | null
  readonly result: (after: Payment) => Result
}

/** Work in the transaction of a change. `first` locks nothing that a payment needs; `last` sees the state at which the change is written. */
export interface Alongside {
  readonly first?: (tx: Tx) => Promise<void>
  readonly last?: (tx: Tx) => Promise<void>
}

/** A change is decided again for as long as a session would wait for a lock. Of all that change a payment at once, one succeeds each time. */
const DECIDE_AGAIN_MS = 2000
const LONGEST_PAUSE_MS = 50

/**
 * Changes a payment: reads it, decides, and writes the effects if nothing has changed the payment since. Otherwise it reads and decides again.
 * No lock is held in between.
 * @param read the present state
 * @param decide it may run several times, and what it throws is thrown
 * @param known the state as the caller has read it
 * @throws OutcomeUnknownError, LockTakenError when other changes came before this one for two seconds
 */
export async function changePayment<State extends PaymentState, Result>(
  ctx: PaymentCtx,
  read: () => Promise<State>,
  decide: (state: State) => Decided<Result> | Promise<Decided<Result>>,
  {
    known,
    alongside,
  }: { readonly known?: State | undefined; readonly alongside?: Alongside | undefined } = {},
): Promise<Result> {
  const deadline = performance.now() + DECIDE_AGAIN_MS
  let state = known ?? (await read())
  for (let misses = 1; ; misses += 1) {
    const { payment, at } = state
    const { effects, result } = await decide(state)
    if (effects === null) return result(payment)
    const after = await commitChange(ctx, { payment, at, ...effects }, alongside).catch(nullIfRolledBack)
    if (after !== null) return result(after)
    if (performance.now() > deadline) throw new LockTakenError()
    // The first time the change that came before is committed; later another session may hold the row.
    if (misses > 1) await pause(ctx.ids.jitter(0.5) * Math.min(2 ** misses, LONGEST_PAUSE_MS))
    state = await read()
  }
}

/** The database has chosen the change to end a deadlock, and written nothing. */
function nullIfRolledBack(error: unknown): null {
  if (isSerializationFailure(error)) return null
  throw error
}

/**
 * Commits a change set in a transaction of its own.
 * @returns the payment after the change; null when another change came before it and nothing was written
 * @throws OutcomeUnknownError
 */
export async function commitChange(
  ctx: PaymentCtx,
  set: ChangeSet,
  alongside?: Alongside,
): Promise<Payment | null> {
  const span = changeSpan(ctx, set)
  const prepared = prepare(ctx, set)
  const isWritten = await (alongside
    ? writeAlongside(ctx.db, prepared, alongside)
    : writeChange(ctx.db, prepared))
  // The statement may have run in the scope of another caller.
  noteCommit()
  if (!isWritten) return null
  ctx.counts.note(set, prepared.after)
  span?.end(attributesOf(set, prepared.after))
  for (const { facts, message } of set.alarms ?? []) ctx.log.error(facts, message)
  return prepared.after
}

/** Nothing of the transaction is committed when the change is not written. */
class NotWritten extends Error {}

async function writeAlongside(
  db: Database,
  prepared: PreparedChange,
  { first, last }: Alongside,
): Promise<boolean> {
  try {
    await db.tx(async (tx) => {
      await first?.(tx)
      const written = await runNamed(tx, statementFor([prepared]))
      if (written.length === 0) throw new NotWritten()
      await last?.(tx)
    })
    return true
  } catch (error) {
    if (error instanceof NotWritten) return false
    throw error
  }
}

const changeSpan = ({ tracing }: PaymentCtx, { payment }: ChangeSet): OpenSpan | undefined =>
  tracing?.payment(payment.id, 'payment.change')

const attributesOf = (
  { attempt, opened, refund, openedRefund, events }: ChangeSet,
  after: Payment,
): SpanAttributes => ({
  'muripo.payment.status': after.status,
  'muripo.attempt.id': attempt?.before.id ?? opened?.attempt.id,
  'muripo.attempt.status': attempt
    ? (attempt.change.status ?? attempt.before.status)
    : opened?.attempt.status,
  'muripo.refund.id': refund?.before.id ?? openedRefund?.id,
  'muripo.refund.status': refund ? (refund.change.status ?? refund.before.status) : openedRefund?.status,
  'muripo.event.type': events?.at(-1)?.type,
})

function prepare(ctx: PaymentCtx, set: ChangeSet): PreparedChange {
  const { payment, at, attempt, opened, openedRefund, refund, payer, caller, adjustments = [] } = set
  const changed = paymentAfter(payment, set, at)
  const after = changed ?? payment
  refuseUnknownMoves(set, after)
  const { accountId } = payment
  const transfers = [...(set.transfers ?? []), ...adjustments.map(({ transfer }) => transfer)]
  const first = payment.lastEvent + 1
  return {
    paymentId: payment.id,
    after,
    rows: {
      changes: {
        ...(changed ? paymentRows.row(changed) : { account_id: uuidOf(accountId), id: uuidOf(payment.id) }),
        decided_at: at,
        expected: payment.version,
        attempt_id: attempt && uuidOf(attempt.before.id),
        attempt_version: attempt?.before.version,
      },
      callers: caller && {
        account_id: uuidOf(accountId),
        application_id: uuidOf(caller.applicationId),
        key_id: caller.keyId,
      },
      attempts: attempt && attemptChangeRow(attempt.before, attempt.change, at),
      opened: opened && openedAttempts.row({ ...opened.attempt, nextCheckAt: opened.nextCheckAt }),
      openedRefunds: openedRefund && { ...openedRefunds.row(openedRefund), ...openedRefund.keyed },
      instructions: set.instruction && instructionRow(set.instruction, payment),
      refunds: refund && changedRefunds.row(refund.before, { ...refund.change, updatedAt: at }),
      customers:
        payer && namedCustomers.row({ ...payer.customer, accountId, firstSeen: uuidOf(payer.firstSeen) }),
      events: set.events?.map(({ type, besides }, nth) =>
        eventRow(
          newEvent(ctx, accountId, {
            type,
            applicationId: payment.applicationId,
            subject: payment.id,
            sequence: first + nth,
            data: { ...toPublic(ctx, after), ...besides },
          }),
        ),
      ),
      adjustments: adjustments.map(({ entry }) => adjustmentRows.row(entry)),
      transfers: newTransfers(ctx, payment, transfers).map(transferRow),
      openedAnomalies: set.openedAnomalies?.map(openedAnomalies.row),
      anomalies: set.changedAnomalies?.map(({ before, change }) => changedAnomalies.row(before, change)),
      audited: set.audited?.map(({ actor, entry }) => auditRows.row(auditLine(ctx, actor, entry))),
      receipts:
        payment.completedAt === null && after.completedAt !== null && after.customer.email !== null
          ? { account_id: uuidOf(accountId), payment_id: uuidOf(payment.id) }
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

/**
 * Of two changes of one payment the second was decided from an earlier state. It is not written, and the failure of the first is not its own:
 * the reply of a provider may stand beside a refused request.
 */
function writeBatch(db: Database, changes: readonly PreparedChange[]): Promise<boolean>[] {
  const firsts = new Map([...changes].reverse().map((each) => [each.paymentId, each] as const))
  const writtenWith = writeTogether([...firsts.values()], (some) => write(db, some))
  const results = new Map([...firsts.values()].map((first) => [first, writtenWith(first)] as const))
  return changes.map(async (each) => {
    const result = results.get(each)
    if (result) return (await result).has(each)
    await Promise.allSettled(results.values())
    return false
  })
}

async function write(db: Database, changes: readonly PreparedChange[]): Promise<Set<PreparedChange>> {
  const rows = await db.commitStatement(statementFor(changes))
  return new Set(rows.map(({ n }) => changes[n] as PreparedChange))
}
