import type { ErrorCode } from '@muripo/contract/errors'
import { ApiError, hasCode, useErrorText } from '../api/api-error.ts'
import type { useForm } from '../lib/forms.ts'
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

/** The same for a form that shows `Refusal`. */
export function useFormErrorToast(): (error: Error) => void {
  const toastError = useErrorToast()
  return (error) => hasCode(error, 'not_permitted') || toastError(error)
}

type RefusableForm<Name extends string> = Pick<
  ReturnType<typeof useForm<Record<Name, unknown>>>,
  'setFieldError' | 'getInputNode'
>

/** Returns a function that shows an error with one of the codes beside the form's field, and any other error in a toast. */
export function useFieldRefusal<Name extends string>(
  form: RefusableForm<Name>,
  name: Name,
  codes: readonly ErrorCode[] = ['validation_failed'],
): (error: Error) => void {
  const errorText = useErrorText()
  const toastError = useFormErrorToast()
  return (error) => {
    if (!hasCode(error, ...codes)) return toastError(error)
    form.setFieldError(name, errorText(error))
    form.getInputNode(name)?.focus()
  }
}

/** `mutate` of a query client, for a form that shows the error itself. */
export type Save<Values> = (values: Values, options: { readonly onError: (error: Error) => void }) => void
