import { notifications } from '@mantine/notifications'
import { ApiError } from '../api/errors.ts'

interface Durations {
  readonly success: number
  readonly error: number
}

const show = (tone: 'success' | 'error' | 'blank', message: string, autoClose: number) => {
  notifications.show({
    message,
    autoClose,
    withBorder: true,
    className: `toast toast-${tone}`,
    role: tone === 'error' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Dismiss message' },
  })
}

const toasts = (durations: Durations) => ({
  success: (message: string) => show('success', message, durations.success),
  error: (message: string, durationMs = durations.error) => show('error', message, durationMs),
  blank: (message: string, durationMs = 4000) => show('blank', message, durationMs),
})

export const toast = toasts({ success: 2000, error: 4000 })
export const dashboardToast = toasts({ success: 2500, error: 3000 })
export const TOAST_LIMIT = 20

/** Says what went wrong, unless the session has ended: then the page is on its way out and has said why. */
export function toastError(error: Error): void {
  const leaving = error instanceof ApiError && error.sessionEnded
  if (!leaving) dashboardToast.error(error.message)
}
