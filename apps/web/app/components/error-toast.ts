import { ApiError, useErrorText } from '../api/api-error.ts'
import { dashboardToast } from './toast.ts'

/** Returns a function that shows an error, unless the session has ended: then the sign-out has shown the reason. */
export function useErrorToast(
  show: (message: string) => void = dashboardToast.error,
): (error: Error) => void {
  const errorText = useErrorText()
  return (error) => {
    const isLeaving = error instanceof ApiError && error.sessionEnded
    if (!isLeaving) show(errorText(error))
  }
}
