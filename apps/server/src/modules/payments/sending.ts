import { plusMs } from '../../platform/clock.ts'
import { CALL_LEASE_MS } from '../providers/index.ts'
import type { PaymentsCtx } from './context.ts'
import type { ProviderCall } from './payment.ts'

/** After this time a call whose sender is not heard of any more is looked up. */
export const SENDING_LEASE_MS = CALL_LEASE_MS

/**
 * Whether this process may still send a call that it has written down. A process that stood still until the lease ended sends nothing:
 * others may have learnt that the provider has never heard of the call, and have begun another.
 * @param begunAt before the row was written, by this process's clock: two readings of one clock are compared, so a clock that is wrong
 *   changes nothing
 */
export function maySend(ctx: PaymentsCtx, begunAt: Date, { paymentId }: ProviderCall): boolean {
  if (ctx.clock.now() < plusMs(begunAt, SENDING_LEASE_MS)) return true
  ctx.log.error({ paymentId }, 'this process stood still before it asked a provider; it is looked up instead')
  return false
}
