import { CALL_LEASE_MS } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import type { ProviderCall } from '../payment.ts'

/** After this time a call whose sender has not recorded an outcome is looked up. */
export const SENDING_LEASE_MS = CALL_LEASE_MS

/** The time at which a process began to open a call, in milliseconds by two clocks of its own. */
export interface SendingStart {
  readonly clockMs: number
  readonly wallClockMs: number
}

/** The clocks are read before the row is written, so that the lease of the row ends later. */
export const startSending = (ctx: Pick<PaymentsCtx, 'clock' | 'wallClock'>): SendingStart => ({
  clockMs: ctx.clock.now().getTime(),
  wallClockMs: ctx.wallClock.now().getTime(),
})

/**
 * Whether this process may still send a call that it has recorded. A process that was paused until the lease ended sends nothing: another
 * process may have learnt that the provider does not find the call, and a new call may have begun.
 *
 * Each clock is compared with itself, so a wrong clock changes nothing. The timer behind `ctx.clock` stops while the machine is suspended,
 * and the wall clock does not; the wall clock may be set back, and the timer is not. The longer of both decides.
 */
export function maySend(
  ctx: Pick<PaymentsCtx, 'clock' | 'wallClock' | 'log'>,
  start: SendingStart,
  { paymentId }: Pick<ProviderCall, 'paymentId'>,
): boolean {
  const now = startSending(ctx)
  const elapsedMs = Math.max(now.clockMs - start.clockMs, now.wallClockMs - start.wallClockMs)
  if (elapsedMs < SENDING_LEASE_MS) return true
  ctx.log.error(
    { paymentId, elapsedMs },
    'this process was paused before it called a provider; the call is looked up and not sent',
  )
  return false
}
