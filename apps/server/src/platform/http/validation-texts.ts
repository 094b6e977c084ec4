import { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' }

/** The text of an error that the contract gives no text of its own: the library's texts name its types. */
const validationText: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      // The library sets no path for the body itself.
      if (!issue.path?.length) return 'The body must be a JSON object'
      if (issue.input === undefined) return 'This field is required'
      return issue.expected in kinds ? `Must be ${kinds[issue.expected]}` : undefined
    case 'invalid_value':
      return `Must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'Must not be empty'
        : `Must be at least ${issue.minimum}${units[issue.origin] ?? ''}`
    case 'too_big':
      return `Must be at most ${issue.maximum}${units[issue.origin] ?? ''}`
    case 'invalid_format':
      return issue.format === 'datetime' ? 'Must be a time such as 2026-11-20T09:30:00Z' : undefined
    default:
      return undefined
  }
}

/** Applies to every schema of the process. */
export const useValidationTexts = (): void => {
  z.config({ customError: validationText })
}
