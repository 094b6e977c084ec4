import { CallError } from '../lib/call-error.ts'
import { dashboardToast } from '../ui/toast.ts'

/** Says what went wrong, unless the session has ended: then the page is on its way out and has said why. */
export function sayFailure(error: Error): void {
  const leaving = error instanceof CallError && error.sessionEnded
  if (!leaving) dashboardToast.error(error.message)
}
