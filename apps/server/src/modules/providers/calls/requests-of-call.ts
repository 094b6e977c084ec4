import { AsyncLocalStorage } from 'node:async_hooks'

interface Call {
  /** The first request has been sent, which uses the call's own place in the budget. */
  hasSent: boolean
  /** By `performance.now()`. */
  readonly endsAt: number
  readonly hooks: CallHooks
}

interface CallHooks {
  /** Waits for the place of a further request: a log-in, a repetition, or the next step of a charge; at most for this time. */
  readonly enter: (mostMs: number) => Promise<void>
  /** Precedes the first byte of the call. @throws ProviderError, when the call must not be sent any more */
  readonly beforeFirst?: () => void
}

const calls = new AsyncLocalStorage<Call>()

/**
 * Makes a call that has a place in the provider's budget, which its first request uses.
 * @param mostMs after this time its requests are aborted
 */
export const withRequests = <Result>(
  mostMs: number,
  hooks: CallHooks,
  call: () => Promise<Result>,
): Promise<Result> => calls.run({ hasSent: false, endsAt: performance.now() + mostMs, hooks }, call)

/** Precedes every request to a provider. @throws ProviderError, with the time after which the call may be repeated */
export async function countRequest(): Promise<void> {
  const call = calls.getStore()
  if (call === undefined) return
  if (call.hasSent) await call.hooks.enter(remainingMs())
  else call.hooks.beforeFirst?.()
  call.hasSent = true
}

/** The time until the requests of the present call are aborted; Infinity outside of a call. */
export function remainingMs(): number {
  const call = calls.getStore()
  return call === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(0, Math.round(call.endsAt - performance.now()))
}
