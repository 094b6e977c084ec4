import { AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import { feeForPayment } from '@muripo/contract/pricing'
import { type BackgroundTasks, countedApart } from '../../platform/async/background-tasks.ts'
import { createSingleflight, type Singleflight } from '../../platform/async/singleflight.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { createLinks, type Links } from '../../platform/crypto/links.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Pools } from '../../platform/db/pools.ts'
import type { ProviderCalls, Providers } from '../providers/index.ts'
import { Exports } from './exports/running-exports.ts'
import { type AttemptLimits, createAttemptLimits } from './limits/attempt-limits.ts'
import type { PaymentCtx } from './payment/context.ts'
import { createPaymentCounts } from './payment/payment-counts.ts'
import { createLookupQueue, type LookupQueue } from './provider-calls/lookup-queue.ts'

/** The context of payment actions: the platform's, with providers, limits and links. */
export interface PaymentsCtx extends PaymentCtx {
  /** The number of scheduled look-ups that the budget of each provider allows now; a provider without a budget is not named. */
  readonly lookupRoom: () => Readonly<Record<string, number>>
  readonly lookupQueue: LookupQueue
  readonly backgroundTasks: BackgroundTasks
  /** The machine's clock, which continues while the machine is suspended. Only differences between its times are used. */
  readonly wallClock: Clock
  readonly attemptLimits: AttemptLimits
  /** Callback links of charges and refunds. */
  readonly attemptLinks: Links<'att'>
  readonly refundLinks: Links<'rfd'>
  /** The refunds that this process is sending, by id. */
  readonly refundSingleflight: Singleflight
  /** The exports that this process is sending. */
  readonly exports: Exports
}

/** @param calls absent in a program without scheduled look-ups */
export function paymentsCtx(
  ctx: Ctx,
  providers: Providers,
  backgroundTasks: BackgroundTasks,
  calls?: ProviderCalls,
): PaymentsCtx {
  return {
    ...ctx,
    providers,
    lookupRoom: () => calls?.room() ?? {},
    lookupQueue: createLookupQueue(),
    backgroundTasks,
    wallClock: systemClock,
    attemptLimits: createAttemptLimits(ctx),
    feeFor: feeForPayment,
    checkoutLinks: createLinks(ctx.keys.linkEncryption, 'checkout', PaymentId),
    attemptLinks: createLinks(ctx.keys.linkEncryption, 'attempt-callback', AttemptId),
    refundLinks: createLinks(ctx.keys.linkEncryption, 'refund-callback', RefundId),
    refundSingleflight: createSingleflight(),
    exports: new Exports(),
    counts: createPaymentCounts(),
  }
}

/** The same context over the sessions of a database with rows of accounts. */
export function contextOn(ctx: PaymentsCtx, pools: Pools): PaymentsCtx {
  return {
    ...ctx,
    ...pools,
    // A round in one database would take the room and the places of the others.
    lookupQueue: createLookupQueue(),
    backgroundTasks: countedApart(ctx.backgroundTasks),
  }
}
