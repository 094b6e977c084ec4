import { plusMs } from '../../platform/clock.ts'
import { CALL_LEASE_MS } from '../providers/index.ts'
import type { PaymentsCtx } from './context.ts'
import type { ProviderCall } from './payment.ts'

/** After this time a call whose sender is not heard of any more is looked up. */
export const SENDING_LEASE_MS = CALL_LEASE_MS

/**
 * Whether its provider may still be asked to do it. A process that stood still until others look it up sends nothing: they may have
 * learnt that the provider has never heard of it, and have begun another.
 */
export function maySend(ctx: PaymentsCtx, { paymentId, createdAt }: ProviderCall): boolean {
  if (ctx.clock.now() < plusMs(createdAt, SENDING_LEASE_MS)) return true
  ctx.log.error({ paymentId }, 'this process stood still before it asked a provider; it is looked up instead')
  return false
}
