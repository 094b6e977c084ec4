import type { Field } from '@muripo/contract/fields'

type Fields = Readonly<Record<string, Field>>
export type Values<F extends Fields> = { [Name in keyof F]: string }

/** What is kept of what was typed. */
export const cleaned = <F extends Fields>(fields: F, typed: Values<F>): Values<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.clean(typed[name] ?? '')]),
  ) as Values<F>

/** The sentences beside the fields that do not hold, in the order of the form. */
export function faults<F extends Fields>(fields: F, typed: Values<F>): Partial<Values<F>> {
  const found: Partial<Record<string, string>> = {}
  for (const [name, field] of Object.entries(fields)) {
    const fault = field.fault(field.clean(typed[name] ?? ''))
    if (fault !== null) found[name] = fault
  }
  return found as Partial<Values<F>>
}

interface Form {
  getInputNode(field: string): HTMLElement | null
}

/** Puts the cursor where the first thing is to be mended. */
export const focusFirst =
  (form: Form) =>
  (errors: Readonly<Record<string, unknown>>): void =>
    form.getInputNode(Object.keys(errors)[0] ?? '')?.focus()
