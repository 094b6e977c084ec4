import { bankAccountTypes, categories } from './enums.ts'
import { choiceField, cleanUpTo, englishError, type Field, isOneOf, lineField, textField } from './fields.ts'

/** The fields are in the order of their validation. */
export const applicationFields = {
  applicationName: textField(100, 'Application name is required'),
  description: textField(2000, 'Description is required'),
  category: choiceField((category) => {
    if (category === '') return englishError('Please select a category')
    if (category.trim() === '') return englishError('Please select a valid category')
    return isOneOf(categories, category) ? null : englishError('Please select a valid category from the list')
  }),
} as const satisfies Record<string, Field>

/** The fields are in the order of the form. */
export const bankingFields = {
  bankName: lineField(100, 'Bank is required'),
  bankAccountNumber: {
    /** Spaces and hyphens only group the number, so they are removed. */
    ...cleanUpTo(34, (typed) => typed.replace(/[\s-]/g, '').toUpperCase()),
    error(number) {
      if (number === '') return englishError('Bank account number is required')
      return /^[0-9A-Z]{5,34}$/.test(number)
        ? null
        : englishError('Bank account number must be 5 to 34 digits or letters')
    },
  },
  bankAccountName: lineField(100, 'Bank account name is required'),
  bankAccountType: choiceField((type) =>
    isOneOf(bankAccountTypes, type) ? null : englishError('Please select a bank account type'),
  ),
} as const satisfies Record<string, Field>
