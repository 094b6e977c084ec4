import type { Field, FieldError } from '@muripo/contract/fields'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'

type Fields = Readonly<Record<string, Field>>
export type Values<F extends Fields> = { [Name in keyof F]: string }

/** The values that the form sends: trimmed and composed as the server would store them. */
export const cleanValues = <F extends Fields>(fields: F, typed: Values<F>): Values<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.clean(typed[name] ?? '')]),
  ) as Values<F>

/** The text of a field's error on this page. */
export type FieldText = (error: FieldError) => string

export const englishText: FieldText = ({ message }) => message

/** The error of each invalid field, in the order of the form. */
export function fieldErrors<F extends Fields>(
  fields: F,
  typed: Readonly<Record<keyof F, string>>,
  textOf: FieldText = englishText,
): Partial<Values<F>> {
  const errors: Partial<Record<string, string>> = {}
  for (const [name, field] of Object.entries(fields)) {
    const error = field.error(field.clean(typed[name as keyof F] ?? ''))
    if (error !== null) errors[name] = textOf(error)
  }
  return errors as Partial<Values<F>>
}

type Errors<V> = Partial<Record<keyof V & string, string>>

interface FormOptions<V> {
  readonly initialValues: V
  /** The error of each invalid field, in the order of the form. */
  readonly validate: (values: V) => Errors<V>
}

const inputValue = (event: unknown): unknown => {
  const target = (event as ChangeEvent<HTMLInputElement> | null)?.currentTarget
  return target instanceof Element ? target.value : event
}

/** The state of a form: values, the errors beside its fields, and the props that connect both to inputs. */
export function useForm<V extends object>({ initialValues, validate }: FormOptions<V>) {
  const [initial] = useState(initialValues)
  const [values, setAllValues] = useState(initialValues)
  const [errors, setErrors] = useState<Errors<V>>({})

  const setFieldError = (name: keyof V & string, error: string | null) =>
    setErrors(
      ({ [name]: _, ...others }) => (error === null ? others : { ...others, [name]: error }) as Errors<V>,
    )
  const setValues = (change: Partial<V>) => setAllValues((before) => ({ ...before, ...change }))
  const setFieldValue = <Name extends keyof V & string>(name: Name, value: V[Name]) => {
    setAllValues((before) => ({ ...before, [name]: value }))
    setFieldError(name, null)
  }
  return {
    values,
    errors,
    isDirty: () => (Object.keys(initial) as (keyof V)[]).some((name) => values[name] !== initial[name]),
    setErrors,
    setValues,
    setFieldValue,
    setFieldError,
    validate: () => validate(values),
    reset() {
      setAllValues(initial)
      setErrors({})
    },
    getInputProps: <Name extends keyof V & string>(name: Name) => ({
      value: values[name],
      error: errors[name],
      'data-path': name,
      onChange: (event: unknown) => setFieldValue(name, inputValue(event) as V[Name]),
    }),
    getInputNode: (name: string) => document.querySelector<HTMLElement>(`[data-path="${name}"]`),
  }
}

type Form<V> = Pick<
  ReturnType<typeof useForm<V & object>>,
  'values' | 'setErrors' | 'validate' | 'getInputNode'
>

/** Focuses the first invalid field. */
export const focusFirst =
  (form: { getInputNode(name: string): HTMLElement | null }) =>
  (errors: Readonly<Record<string, unknown>>): void =>
    form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()

/** The props of every form: they validate it, focus the first invalid field, and ignore a second submission. */
export const formProps = <V extends object>(
  form: Form<V>,
  running: boolean,
  onValid: (values: V) => void,
) => ({
  noValidate: true,
  onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (running) return
    const errors = form.validate()
    form.setErrors(errors as never)
    if (Object.keys(errors).length > 0) focusFirst(form)(errors)
    else onValid(form.values as V)
  },
})

/** Runs one submission at a time, for pages without a query client. */
export function useSubmit<V>(action: (values: V) => Promise<void>): {
  readonly running: boolean
  readonly submit: (values: V) => void
} {
  const [running, setRunning] = useState(false)
  const isRunning = useRef(false)
  const run = async (values: V) => {
    if (isRunning.current) return
    isRunning.current = true
    setRunning(true)
    try {
      await action(values)
    } finally {
      isRunning.current = false
      setRunning(false)
    }
  }
  return { running, submit: (values) => void run(values) }
}

/** The props of a control while its request runs: it looks and is announced as disabled, and keeps the focus. */
export const busyProps = (running: boolean) =>
  running ? { 'data-disabled': true, 'aria-disabled': true } : {}
