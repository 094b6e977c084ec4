import { createListeners } from '../lib/signals.ts'

interface Durations {
  readonly success: number
  readonly error: number
}

export interface Toast {
  readonly id: number
  readonly tone: 'success' | 'error' | 'blank'
  readonly message: string
  /** Milliseconds until the toast disappears. */
  readonly autoClose: number
  readonly role: 'alert' | 'status'
}

export const TOAST_LIMIT = 20

let toasts: readonly Toast[] = []
let lastId = 0
const changes = createListeners()

function setToasts(next: readonly Toast[]): void {
  toasts = next
  changes.notify()
}

/** The visible toasts, the oldest first. */
export const toastStore = {
  get: () => toasts,
  subscribe: changes.subscribe,
  remove: (id: number) => setToasts(toasts.filter((each) => each.id !== id)),
  clear: () => setToasts([]),
}

function show(tone: Toast['tone'], message: string, autoClose: number): void {
  lastId += 1
  const role = tone === 'error' ? 'alert' : 'status'
  setToasts([...toasts, { id: lastId, tone, message, autoClose, role }])
}

const toastsOf = (durations: Durations) => ({
  success: (message: string) => show('success', message, durations.success),
  error: (message: string, durationMs = durations.error) => show('error', message, durationMs),
  blank: (message: string, durationMs = 4000) => show('blank', message, durationMs),
})

export const toast = toastsOf({ success: 2000, error: 4000 })
export const dashboardToast = toastsOf({ success: 2500, error: 3000 })

/** Shows an error once, also if several parts of a page fail for the same reason. */
export function toastErrorOnce(message: string): void {
  if (!toasts.some((shown) => shown.message === message)) dashboardToast.error(message)
}
