/** Calls a listener at each event; returns a function that stops. */
export type Signal = (listener: () => void) => () => void

/** The listeners of a store or another source of events. */
export function createListeners<Values extends unknown[] = []>() {
  const listeners = new Set<(...values: Values) => void>()
  return {
    /** Returns a function that removes the listener. */
    subscribe(listener: (...values: Values) => void) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    notify(...values: Values) {
      for (const listener of listeners) listener(...values)
    },
  }
}

/** An event of the browser as a signal. */
export const eventOf =
  (target: EventTarget, ...names: string[]): Signal =>
  (listener) => {
    // Scrolling inside an element does not bubble, hence the capture.
    const options = { capture: true, passive: true }
    for (const name of names) target.addEventListener(name, listener, options)
    return () => {
      for (const name of names) target.removeEventListener(name, listener, options)
    }
  }

/** Signals when an AbortSignal is aborted, also when it was aborted before. */
export const ended =
  (signal: AbortSignal): Signal =>
  (listener) => {
    if (signal.aborted) queueMicrotask(listener)
    return eventOf(signal, 'abort')(listener)
  }

/** Signals once after the time has passed, measured outside of the page: a suspended page does not delay it. */
export const elapsed = (ms: number): Signal => ended(AbortSignal.timeout(ms))

/** Signals at each event of any of the signals. */
export const anyOf =
  (...signals: Signal[]): Signal =>
  (listener) => {
    const stops = signals.map((signal) => signal(listener))
    return () => {
      for (const stop of stops) stop()
    }
  }

/** Resolves at the first event of any of the signals. */
export const until = (...signals: Signal[]): Promise<void> =>
  new Promise((resolve) => {
    const stop = anyOf(...signals)(() => {
      stop()
      resolve()
    })
  })
