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
  /** The path of the page that it is about, and with which it leaves; null when it stays after a navigation. */
  readonly page: string | null
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
  leave: (path: string) => {
    const left = toasts.filter(({ page }) => page === null || page === path)
    if (left.length < toasts.length) setToasts(left)
  },
  clear: () => setToasts([]),
}

interface Shown {
  readonly tone: Toast['tone']
  readonly message: string
  readonly autoClose: number
  readonly page?: string | null
}

function show({ tone, message, autoClose, page = null }: Shown): void {
  lastId += 1
  const role = tone === 'error' ? 'alert' : 'status'
  setToasts([...toasts, { id: lastId, tone, message, autoClose, role, page }])
}

const toastsOf = (durations: Durations) => ({
  success: (message: string) => show({ tone: 'success', message, autoClose: durations.success }),
  /** An error of the page, which leaves with it. */
  error: (message: string, autoClose = durations.error) =>
    show({ tone: 'error', message, autoClose, page: globalThis.location?.pathname ?? null }),
  /** An error of the session, or of a page that is left because of it: it stays while the page changes. */
  sessionError: (message: string) => show({ tone: 'error', message, autoClose: durations.error }),
  blank: (message: string, autoClose = 4000) => show({ tone: 'blank', message, autoClose }),
})

export const toast = toastsOf({ success: 2000, error: 4000 })
export const dashboardToast = toastsOf({ success: 2500, error: 3000 })

/** Shows an error of the page once, also if several parts of a page fail for the same reason. */
export function toastErrorOnce(message: string): void {
  const page = globalThis.location?.pathname ?? null
  const isShown = toasts.some((shown) => shown.message === message && [null, page].includes(shown.page))
  if (!isShown) dashboardToast.error(message)
}
