import { changePasswordFields, samePasswordError } from '@muripo/contract/fields'
import { fieldErrors, type Values } from '../../lib/forms.ts'

export type Passwords = Values<typeof changePasswordFields>

/** The sentences beside the fields, as the server would say them. */
export function passwordErrors(typed: Passwords): Partial<Passwords> {
  const found = fieldErrors(changePasswordFields, typed)
  const same = samePasswordError(typed)
  return Object.keys(found).length > 0 || same === null ? found : { newPassword: same }
}

/** The server's errors beside the form's fields; none when it refused for another reason. */
export const passwordFieldErrors = (errors: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => field in changePasswordFields))
