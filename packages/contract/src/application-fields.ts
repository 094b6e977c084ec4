import { bankAccountTypes, categories } from './enums.ts'
import {
  choiceField,
  cleanUpTo,
  errorsOf,
  type Field,
  isOneOf,
  lineField,
  nameField,
  textField,
} from './fields.ts'
import { cleanCode } from './typed-text.ts'

export const applicationFieldTexts = {
  applicationNameMissing: 'Application name is required',
  descriptionMissing: 'Description is required',
  categoryMissing: 'Please select a category',
  categoryNotValid: 'Please select a valid category',
  categoryNotListed: 'Please select a valid category from the list',
  bankMissing: 'Bank is required',
  bankAccountNumberMissing: 'Bank account number is required',
  bankAccountNumberNotValid: 'Bank account number must be 5 to 34 digits or letters',
  bankAccountNameMissing: 'Bank account name is required',
  bankAccountTypeMissing: 'Please select a bank account type',
} as const
const fieldError = errorsOf(applicationFieldTexts)

/** The fields are in the order of their validation. */
export const applicationFields = {
  applicationName: nameField(100, fieldError('applicationNameMissing')),
  description: textField(2000, fieldError('descriptionMissing')),
  category: choiceField((category) => {
    if (category === '') return fieldError('categoryMissing')
    if (category.trim() === '') return fieldError('categoryNotValid')
    return isOneOf(categories, category) ? null : fieldError('categoryNotListed')
  }),
} as const satisfies Record<string, Field>

/** The fields are in the order of the form. */
export const bankingFields = {
  bankName: lineField(100, fieldError('bankMissing')),
  bankAccountNumber: {
    /** Spaces and hyphens only group the number, so they are removed. */
    ...cleanUpTo(34, (typed) => cleanCode(typed).toUpperCase()),
    error(number) {
      if (number === '') return fieldError('bankAccountNumberMissing')
      return /^[0-9A-Z]{5,34}$/.test(number) ? null : fieldError('bankAccountNumberNotValid')
    },
  },
  bankAccountName: lineField(100, fieldError('bankAccountNameMissing')),
  bankAccountType: choiceField((type) =>
    isOneOf(bankAccountTypes, type) ? null : fieldError('bankAccountTypeMissing'),
  ),
} as const satisfies Record<string, Field>
