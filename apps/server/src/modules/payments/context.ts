import { AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import { feeForPayment } from '@muripo/contract/pricing'
import type { BackgroundTasks } from '../../platform/async/background-tasks.ts'
import { createSingleflight, type Singleflight } from '../../platform/async/singleflight.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { createLinks, type Links } from '../../platform/crypto/links.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Providers } from '../providers/index.ts'
import { type AttemptLimits, createAttemptLimits } from './attempts/attempt-limits.ts'
import { Exports } from './exports/running-exports.ts'
import { createWriter, type WritePayment } from './store-create.ts'

/** What the payment actions need beyond the ground floor. */
export interface PaymentsCtx extends Ctx {
  readonly providers: Providers
  readonly backgroundTasks: BackgroundTasks
  readonly writePayment: WritePayment
  /** The machine's clock, which goes on while the machine is suspended. Nothing but a lapse of time is read from it. */
  readonly wallClock: Clock
  readonly attemptLimits: AttemptLimits
  /** The price list. */
  readonly feeFor: typeof feeForPayment
  /** The payer's page. */
  readonly checkoutLinks: Links<'pay'>
  /** Where a provider tells of a charge and of a refund. */
  readonly attemptLinks: Links<'att'>
  readonly refundLinks: Links<'rfd'>
  /** Refunds that this process is sending, by id. */
  readonly refundSingleflight: Singleflight
  /** Files that this process is sending. */
  readonly exports: Exports
}

export function paymentsCtx(ctx: Ctx, providers: Providers, backgroundTasks: BackgroundTasks): PaymentsCtx {
  return {
    ...ctx,
    providers,
    backgroundTasks,
    writePayment: createWriter(ctx.db),
    wallClock: systemClock,
    attemptLimits: createAttemptLimits(ctx),
    feeFor: feeForPayment,
    checkoutLinks: createLinks(ctx.keys.linkEncryption, 'checkout', PaymentId),
    attemptLinks: createLinks(ctx.keys.linkEncryption, 'attempt-callback', AttemptId),
    refundLinks: createLinks(ctx.keys.linkEncryption, 'refund-callback', RefundId),
    refundSingleflight: createSingleflight(),
    exports: new Exports(),
  }
}

export const callbackUrl = (ctx: PaymentsCtx, provider: string, token: string): string =>
  `${ctx.config.publicUrl}/callbacks/${provider}/${token}`
