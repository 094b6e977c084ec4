import type { z } from 'zod'

/** The contract's own sentence for each field that does not hold: the form and the server say the same words. */
export function fieldErrors<Field extends string>(
  shape: Readonly<Record<Field, z.ZodType>>,
  values: Readonly<Record<NoInfer<Field>, unknown>>,
): Partial<Record<Field, string>> {
  const errors: Partial<Record<Field, string>> = {}
  for (const field of Object.keys(shape) as Field[]) {
    const message = shape[field].safeParse(values[field]).error?.issues[0]?.message
    if (message !== undefined) errors[field] = message
  }
  return errors
}
