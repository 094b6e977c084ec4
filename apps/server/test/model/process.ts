import { money } from '@muripo/contract/money'
import { feeForPayment } from '@muripo/contract/pricing'
import { plusMs } from '../../src/platform/clock.ts'
import type { WorldCtx } from '../world.ts'

export const MOST_SKEW_MS = 3_600_000
/** Errors of a process's clock, in milliseconds. */
export const skews = [0, 0, 0, MOST_SKEW_MS, -MOST_SKEW_MS] as const

/** A process on the same database whose clock is wrong by this time. */
export const skewed = (ctx: WorldCtx, ms: number): WorldCtx =>
  ms === 0 ? ctx : { ...ctx, clock: { ...ctx.clock, now: () => plusMs(ctx.clock.now(), ms) } }

/** A price list in which one method has no fee. The smallest amount is less than the fixed fee of the others: all of it is the fee. */
export const feeInModel: typeof feeForPayment = (method, amount) =>
  method === 'onemoney' ? money(0n, amount.currency) : feeForPayment(method, amount)
