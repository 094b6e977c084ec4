/** Calls a listener at each event; returns a function that stops. */
export type Signal = (listener: () => void) => () => void

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

export const ended =
  (signal: AbortSignal): Signal =>
  (listener) => {
    if (signal.aborted) queueMicrotask(listener)
    return eventOf(signal, 'abort')(listener)
  }

/** When so much time has passed outside of the page, whatever the page's own clock says. */
export const elapsed = (ms: number): Signal => ended(AbortSignal.timeout(ms))

export const anyOf =
  (...signals: Signal[]): Signal =>
  (listener) => {
    const stops = signals.map((signal) => signal(listener))
    return () => {
      for (const stop of stops) stop()
    }
  }

/** Until the first of these happens. */
export const until = (...signals: Signal[]): Promise<void> =>
  new Promise((resolve) => {
    const stop = anyOf(...signals)(() => {
      stop()
      resolve()
    })
  })
