import { changePasswordFields, samePasswordFault } from '@muripo/contract/fields'
import { faults, type Values } from '../../lib/forms.ts'

export type Passwords = Values<typeof changePasswordFields>

/** The sentences beside the fields, as the server would say them. */
export function passwordFaults(typed: Passwords): Partial<Passwords> {
  const found = faults(changePasswordFields, typed)
  const same = samePasswordFault(typed)
  return Object.keys(found).length > 0 || same === null ? found : { newPassword: same }
}

/** Those that the server found, the first of each field; none when it refused for another reason. */
export function faultsIn(body: unknown): Record<string, string> {
  const { errors } = (body ?? {}) as { errors?: unknown }
  if (!Array.isArray(errors)) return {}
  return Object.fromEntries(
    errors
      .toReversed()
      .filter(({ field }) => field in changePasswordFields)
      .map(({ field, message }) => [field, String(message)]),
  )
}
