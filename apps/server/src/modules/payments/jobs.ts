import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { compareLedger } from '../ledger/index.ts'
import { CALL_LEASE_MS } from '../providers/index.ts'
import { comparePayments } from './actions/compare-with-ledger.ts'
import { expirePayment } from './actions/expire-payment.ts'
import { checkAttempt } from './attempts/actions/check-attempt.ts'
import type { PaymentsCtx } from './context.ts'
import { takeDueAttempts, takeDueRefunds } from './provider-calls/store-provider-calls.ts'
import { takeWatchedAttempts, takeWatchedRefunds, watchLagMs } from './provider-calls/store-watched.ts'
import { checkRefund } from './refunds/actions/check-refund.ts'
import { type ExpiredPayment, findExpired } from './store-expired.ts'
import { applyStatDeltas } from './store-figures.ts'

/**
 * @param ctx for the look-ups: they end in an outcome of a payment, which its payer waits for, and use the sessions of payments
 * @param background for everything else
 */
export const paymentTasks = (ctx: PaymentsCtx, background: PaymentsCtx): PeriodicTask[] => [
  { name: 'check-due', pauseMs: 500, run: async () => void (await checkDue(ctx)) },
  { name: 'report-watch-lag', pauseMs: 60_000, run: () => reportWatchLag(background) },
  { name: 'expire-due', pauseMs: 1000, run: () => expireDue(background) },
  // The longest delay of an update for open dashboards.
  { name: 'aggregate-payment-stats', pauseMs: 300, run: () => aggregatePaymentStats(background) },
  {
    name: 'compare',
    pauseMs: 3_600_000,
    isSlow: true,
    // One after the other, so that both comparisons use one session.
    async run(signal) {
      await compareLedger(background, signal)
      await comparePayments(background, signal)
    },
  },
]

/** How many look-ups a process has under way at once. Refunds have places of their own, which charges that hang do not take. */
const PLACES = {
  'look-up of a charge': 80,
  'look-up of a refund': 20,
  'look-up of a failed charge': 10,
  'look-up of a failed refund': 5,
}
type Place = keyof typeof PLACES

/** A watch that is further behind has so many times its places, until it has caught up. */
const WATCH_BEHIND_MS = 10 * 60_000
const PLACES_WHEN_BEHIND = 5

/**
 * Begins to look up what is due, as much as there are places for, and does not wait for it: one that hangs takes one place and keeps
 * nobody else waiting. The schedule stands in the rows themselves, so a start after a crash takes up every open charge, what failed
 * comes up again when its lease ends, and several processes share the work without knowing of one another.
 * @returns the promise of what it began being over
 */
export async function checkDue(ctx: PaymentsCtx): Promise<{ checked: Promise<unknown> }> {
  const begun: Promise<unknown>[] = []
  const begin = (place: Place, check: Promise<unknown>): void => {
    ctx.backgroundTasks.start(place, check)
    begun.push(check)
  }
  const free = (place: Place, times = 1): number => PLACES[place] * times - ctx.backgroundTasks.count(place)
  const charges = await takeDueAttempts(ctx.db.kysely, CALL_LEASE_MS, free('look-up of a charge'))
  for (const { accountId, id } of charges) begin('look-up of a charge', checkAttempt(ctx, accountId, id))
  const refunds = await takeDueRefunds(ctx.db.kysely, CALL_LEASE_MS, free('look-up of a refund'))
  for (const { accountId, id } of refunds) begin('look-up of a refund', checkRefund(ctx, accountId, id))
  // What failed is in no hurry, and has a few places of its own: it takes none from what is open.
  const times = (await watchLagMs(ctx.db.kysely)) > WATCH_BEHIND_MS ? PLACES_WHEN_BEHIND : 1
  const failedChargePlaces = free('look-up of a failed charge', times)
  const failedCharges = await takeWatchedAttempts(ctx.db.kysely, CALL_LEASE_MS, failedChargePlaces)
  for (const { accountId, id } of failedCharges)
    begin('look-up of a failed charge', checkAttempt(ctx, accountId, id))
  const failedRefundPlaces = free('look-up of a failed refund', times)
  const failedRefunds = await takeWatchedRefunds(ctx.db.kysely, CALL_LEASE_MS, failedRefundPlaces)
  for (const { accountId, id } of failedRefunds)
    begin('look-up of a failed refund', checkRefund(ctx, accountId, id))
  return { checked: Promise.allSettled(begun) }
}

/** Logs how far the look-ups of failed calls are behind. */
export async function reportWatchLag(ctx: Pick<PaymentsCtx, 'db' | 'log'>): Promise<void> {
  const lagMs = Math.round(await watchLagMs(ctx.db.kysely))
  if (lagMs > WATCH_BEHIND_MS)
    ctx.log.error({ lagMs }, 'the look-ups of failed charges and refunds are behind their schedule')
}

const EXPIRY_BATCH = 100

/**
 * Ends payments whose time is over, each once a round: a payment that cannot be expired holds back none behind it, and is tried again in
 * the next round.
 */
export async function expireDue(ctx: PaymentsCtx): Promise<void> {
  let last: ExpiredPayment | null = null
  do {
    const due: ExpiredPayment[] = await findExpired(ctx.db.kysely, EXPIRY_BATCH, last)
    const ends = await Promise.allSettled(due.map(({ accountId, id }) => expirePayment(ctx, accountId, id)))
    for (const end of ends)
      if (end.status === 'rejected') ctx.log.error({ err: end.reason }, 'a payment could not be expired')
    last = due.length < EXPIRY_BATCH ? null : (due.at(-1) ?? null)
  } while (last !== null)
}

const AGGREGATE_BATCH = 5000
/** An aggregator that is far behind lets its process stop in between. */
const MOST_BATCHES = 20

/** Brings the totals up to the payments and tells who changed. Each batch is a transaction, so a crash leaves all of it or nothing. */
export async function aggregatePaymentStats(ctx: Pick<PaymentsCtx, 'db'>): Promise<void> {
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await applyStatDeltas(ctx.db.kysely, AGGREGATE_BATCH)) < AGGREGATE_BATCH) return
  }
}
