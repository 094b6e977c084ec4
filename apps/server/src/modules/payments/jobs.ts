import { inBatches, startDue } from '../../platform/jobs/due-work.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { prune } from '../../platform/jobs/retention.ts'
import { compareLedger } from '../ledger/index.ts'
import { CALL_LEASE_MS } from '../providers/index.ts'
import { addLegacyReversals } from './actions/add-legacy-reversals.ts'
import { checkAttempt } from './actions/check-attempt.ts'
import { checkRefund } from './actions/check-refund.ts'
import { comparePayments } from './actions/compare-with-ledger.ts'
import { expirePayment } from './actions/expire-payment.ts'
import { resumeAttempt } from './actions/resume-attempt.ts'
import { resumeRefund } from './actions/send-refund.ts'
import type { PaymentsCtx } from './context.ts'
import { deleteRetainedNumbers } from './customers/retained-numbers.ts'
import { JITTER } from './payment/schedule.ts'
import {
  takeDeferredAttempts,
  takeDueAttempts,
  takeDueRefunds,
  takeWatchedAttempts,
  takeWatchedRefunds,
  watchLagMs,
} from './provider-calls/store-provider-calls.ts'
import { type ExpiredPayment, findExpired } from './store-expired.ts'
import { applyStatDeltas } from './store-figures.ts'

/**
 * @param ctx for look-ups: they end in an outcome of a payment, for which its payer waits, and use the sessions of payments
 * @param background for all other tasks
 */
export const paymentTasks = (ctx: PaymentsCtx, background: PaymentsCtx): PeriodicTask[] => [
  { name: 'check-due', pauseMs: 500, run: async (signal) => void (await checkDue(ctx, signal)) },
  { name: 'report-watch-lag', pauseMs: 60_000, run: () => reportWatchLag(background) },
  { name: 'expire-due', pauseMs: 1000, run: () => expireDue(background) },
  {
    name: 'delete-retained-numbers',
    pauseMs: 60_000,
    isSlow: true,
    run: (signal) => deleteOldNumbers(background, signal),
  },
  // The longest delay of an update for open dashboards.
  { name: 'aggregate-payment-stats', pauseMs: 300, run: () => aggregatePaymentStats(background) },
  {
    name: 'compare',
    pauseMs: 3_600_000,
    isSlow: true,
    // They run one after the other, so that all use one session.
    async run(signal) {
      await addLegacyReversals(background, signal)
      await compareLedger(background, signal)
      await comparePayments(background, signal)
    },
  },
]

/** Deletes the numbers of erased customers whose payments are out of the time of refunds and disputes. */
export const deleteOldNumbers = async (
  { db }: Pick<PaymentsCtx, 'db'>,
  signal = new AbortController().signal,
): Promise<void> => void (await prune((most) => deleteRetainedNumbers(db.kysely, most), signal))

const LOOKUP = 'look-up of a charge'

/** The number of concurrent look-ups of the other kinds in a process, which hanging charges do not occupy. */
const PLACES = {
  // Each may wait some seconds for its turn in the budget.
  'deferred charge': 40,
  'look-up of a refund': 20,
  'look-up of a failed charge': 10,
  'look-up of a failed refund': 5,
}
type Place = keyof typeof PLACES

/** A watch that is further behind has more places, until it has caught up. */
const WATCH_BEHIND_MS = 10 * 60_000
const PLACES_WHEN_BEHIND = 5

type Started = readonly Promise<unknown>[]

const start = <Call>(
  { backgroundTasks }: PaymentsCtx,
  place: Place,
  take: (limit: number) => Promise<readonly Call[]>,
  check: (call: Call) => Promise<unknown>,
  times = 1,
): Promise<Started> => startDue(backgroundTasks, place, PLACES[place] * times, take, check)

/**
 * Starts the due look-ups, and does not wait for them: one that hangs delays no other. The schedule is stored in the rows, so a start after
 * a crash continues with every open charge, a failed look-up is repeated at its next time, and several processes share the work.
 * @param signal aborted: look-ups that have not begun are left to their next time
 * @returns checked: resolves when the started look-ups have ended
 */
export async function checkDue(
  ctx: PaymentsCtx,
  signal?: AbortSignal,
): Promise<{ checked: Promise<unknown> }> {
  const charges = [...(await resumeDeferred(ctx)), ...(await checkDueCharges(ctx, signal))]
  const refunds = await start(
    ctx,
    'look-up of a refund',
    (limit) => takeDueRefunds(ctx.db.kysely, CALL_LEASE_MS, limit),
    ({ accountId, id, isDeferred }) => (isDeferred ? resumeRefund : checkRefund)(ctx, accountId, id),
  )
  return { checked: Promise.allSettled([...charges, ...refunds, ...(await checkWatched(ctx))]) }
}

/** A deferred charge is claimed at once, in a commit that only one process can make. */
const CLAIM_LEASE_MS = 5000

const resumeDeferred = (ctx: PaymentsCtx): Promise<Started> =>
  start(
    ctx,
    'deferred charge',
    (limit) => takeDeferredAttempts(ctx.db.kysely, CLAIM_LEASE_MS, limit),
    ({ accountId, id }) => resumeAttempt(ctx, accountId, id),
  )

async function checkDueCharges(ctx: PaymentsCtx, signal?: AbortSignal): Promise<Started> {
  const room = ctx.lookupQueue.room()
  if (room === 0) return []
  const pauses = {
    minPollMs: Object.fromEntries(ctx.providers.all.map(({ id, minPollMs }) => [id, minPollMs])),
    jitter: ctx.ids.jitter(JITTER),
    leaseMs: CALL_LEASE_MS,
  }
  const due = await takeDueAttempts(ctx.db.kysely, pauses, room, ctx.lookupRoom())
  return (
    due
      // A provider may take longer to answer than the pause until the next look-up.
      .filter(({ id }) => !ctx.backgroundTasks.isRunning(LOOKUP, id))
      .map(({ accountId, id }) => {
        const check = ctx.lookupQueue.run(async () => signal?.aborted || checkAttempt(ctx, accountId, id))
        ctx.backgroundTasks.start(LOOKUP, check, id)
        return check
      })
  )
}

/** Look-ups of failed calls are not urgent, and have a few places of their own. */
async function checkWatched(ctx: PaymentsCtx): Promise<Started> {
  const times = (await watchLagMs(ctx.db.kysely)) > WATCH_BEHIND_MS ? PLACES_WHEN_BEHIND : 1
  const { kysely } = ctx.db
  const charges = await start(
    ctx,
    'look-up of a failed charge',
    (limit) => takeWatchedAttempts(kysely, CALL_LEASE_MS, limit),
    ({ accountId, id }) => checkAttempt(ctx, accountId, id),
    times,
  )
  const refunds = await start(
    ctx,
    'look-up of a failed refund',
    (limit) => takeWatchedRefunds(kysely, CALL_LEASE_MS, limit),
    ({ accountId, id }) => checkRefund(ctx, accountId, id),
    times,
  )
  return [...charges, ...refunds]
}

/** Logs the delay of the look-ups of failed calls. */
export async function reportWatchLag(ctx: Pick<PaymentsCtx, 'db' | 'log'>): Promise<void> {
  const lagMs = Math.round(await watchLagMs(ctx.db.kysely))
  if (lagMs > WATCH_BEHIND_MS)
    ctx.log.error({ lagMs }, 'the look-ups of failed charges and refunds are behind their schedule')
}

const EXPIRY_BATCH = 100

/** Expires due payments, each once in a round: a payment that cannot be expired delays no other, and is retried in the next round. */
export const expireDue = (ctx: PaymentsCtx): Promise<void> =>
  inBatches<ExpiredPayment>(
    EXPIRY_BATCH,
    (limit, last) => findExpired(ctx.db.kysely, limit, last),
    async (due) => {
      const ends = await Promise.allSettled(due.map(({ accountId, id }) => expirePayment(ctx, accountId, id)))
      for (const end of ends)
        if (end.status === 'rejected') ctx.log.error({ err: end.reason }, 'a payment could not be expired')
    },
  )

const AGGREGATE_BATCH = 5000
/** The limit lets a process stop while it aggregates many deltas. */
const MOST_BATCHES = 20

/**
 * Applies the deltas to the totals and publishes the changed payments. Each batch is a transaction, so a crash leaves a whole batch or
 * nothing.
 */
export async function aggregatePaymentStats(ctx: Pick<PaymentsCtx, 'db'>): Promise<void> {
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await applyStatDeltas(ctx.db.kysely, AGGREGATE_BATCH)) < AGGREGATE_BATCH) return
  }
}
