import { applicationFields, bankingFields } from '@muripo/contract/application-fields'
import { DEFAULT_CATEGORY } from '@muripo/contract/enums'
import { englishText, type FieldText, fieldErrors, type Values } from '../../lib/forms.ts'

export type ApplicationValues = Values<typeof applicationFields>
export const blankApplication: ApplicationValues = {
  applicationName: '',
  description: '',
  category: DEFAULT_CATEGORY,
}

/** Only the error of the first invalid field. */
export function firstError(
  typed: ApplicationValues,
  textOf: FieldText = englishText,
): Record<string, string> {
  const [first] = Object.entries(fieldErrors(applicationFields, typed, textOf))
  return first ? Object.fromEntries([first]) : {}
}

export type BankingValues = Values<typeof bankingFields>

export const bankingErrors = (
  typed: BankingValues,
  textOf: FieldText = englishText,
): Partial<BankingValues> => fieldErrors(bankingFields, typed, textOf)
