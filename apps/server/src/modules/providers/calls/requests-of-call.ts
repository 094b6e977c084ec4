import { AsyncLocalStorage } from 'node:async_hooks'

interface Call {
  /** The first request has been sent, which uses the call's own place in the budget. */
  hasSent: boolean
  readonly enter: () => Promise<void>
}

const calls = new AsyncLocalStorage<Call>()

/**
 * Makes a call that has a place in the provider's budget, which its first request uses.
 * @param enter waits for the place of a further request: a log-in, a repetition, or the next step of a charge
 */
export const withRequests = <Result>(
  enter: () => Promise<void>,
  call: () => Promise<Result>,
): Promise<Result> => calls.run({ hasSent: false, enter }, call)

/** Precedes every request to a provider. @throws ProviderError, with the time after which the call may be repeated */
export async function countRequest(): Promise<void> {
  const call = calls.getStore()
  if (call === undefined) return
  if (call.hasSent) await call.enter()
  call.hasSent = true
}
