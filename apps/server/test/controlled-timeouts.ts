import { vi } from 'vitest'

/** The options of `expect.poll` beside fake timers, which it advances by its interval. */
export const withoutAdvance = { interval: 0 }

/** Holds the timers of these durations until the end of the test: they expire only on request, however slow the machine is. */
export function controlledTimeouts(...durationsMs: readonly number[]) {
  const timers: { readonly ms: number; readonly expire: () => void }[] = []
  const { setTimeout } = globalThis
  const timeout = AbortSignal.timeout.bind(AbortSignal)

  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    if (!durationsMs.includes(ms)) return timeout(ms)
    const controller = new AbortController()
    const expire = () => controller.abort(new DOMException('The time is over', 'TimeoutError'))
    timers.push({ ms, expire })
    return controller.signal
  })
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0, ...rest: []) => {
    if (!durationsMs.includes(ms)) return setTimeout(run, ms, ...rest)
    timers.push({ ms, expire: run })
    return undefined
  }) as typeof setTimeout)

  return {
    /** The durations of the started timers, in order. */
    started: () => timers.map(({ ms }) => ms),
    /** Lets each timer of this duration expire. */
    expire(durationMs: number): void {
      for (const { ms, expire } of timers) if (ms === durationMs) expire()
    },
  }
}
