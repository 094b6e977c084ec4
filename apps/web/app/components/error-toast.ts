import { ApiError, useErrorText } from '../api/api-error.ts'
import { dashboardToast } from './toast.ts'

/** Returns a function that shows an error, unless the session has ended: then the sign-out has shown the reason. */
export function useErrorToast(): (error: Error) => void {
  const errorText = useErrorText()
  return (error) => {
    const isLeaving = error instanceof ApiError && error.sessionEnded
    if (!isLeaving) dashboardToast.error(errorText(error))
  }
}
