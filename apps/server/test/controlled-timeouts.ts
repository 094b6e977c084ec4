import { vi } from 'vitest'

/** The time-outs of `AbortSignal.timeout` until the end of the test, which expire only on request. */
export function controlledTimeouts() {
  const timeouts: { readonly ms: number; readonly controller: AbortController }[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    timeouts.push({ ms, controller })
    return controller.signal
  })
  return {
    /** The durations in the order of their starts. */
    durationsMs: () => timeouts.map(({ ms }) => ms),
    /** Expires each time-out of this duration. */
    expire(durationMs: number): void {
      for (const { ms, controller } of timeouts)
        if (ms === durationMs) controller.abort(new DOMException('The time is over', 'TimeoutError'))
    },
  }
}
