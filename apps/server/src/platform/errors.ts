import type { FormProblem } from '@muripo/contract/checkout'
import { type ErrorCode, errorCatalogue, type Problem, type Reason } from '@muripo/contract/errors'
import type { ReasonWithText } from '@muripo/locales/errors'

/** An error that a response reports, by its code in the contract's catalogue. Any other thrown value is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Problem['errors']
  readonly headers: Readonly<Record<string, string>>
  /** The reason for the payer's page, which translates it. */
  readonly problem: FormProblem | undefined
  /** The reason that a page translates, when the code alone is not specific enough. */
  readonly reason: ReasonWithText | undefined

  constructor(
    code: ErrorCode,
    detail: {
      detail?: string
      fields?: Problem['errors']
      headers?: Record<string, string>
      problem?: FormProblem
      reason?: ReasonWithText
    } = {},
  ) {
    super(detail.detail ?? detail.reason?.message ?? detail.problem?.message ?? errorCatalogue[code].title)
    this.code = code
    this.fields = detail.fields
    this.headers = detail.headers ?? {}
    this.problem = detail.problem
    this.reason = detail.reason
  }

  get status(): number {
    return errorCatalogue[this.code].status
  }

  /** Whether the error has a code and the text of its code. */
  isDefault(code: ErrorCode): boolean {
    return this.code === code && this.message === errorCatalogue[code].title
  }
}

/** For work that was refused before anything was written: the caller may repeat it at once. */
export const overloaded = (): AppError => new AppError('overloaded', { headers: { 'retry-after': '1' } })

type FieldProblem = NonNullable<Problem['errors']>[number]

/** One field of the request is wrong: 422 with the sentence to show beside it. */
export const invalidField = (field: string, message: string): AppError => invalidFields([{ field, message }])

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** An error as a sentence of its own: a text that begins with "Must" or "This field" has the field as its subject. */
function sentenceOf({ field, message }: FieldProblem): string {
  if (field === '') return message
  if (/^Must\b/.test(message)) return `${field} ${lowerFirst(message)}`
  return message.replace(/^This field\b/, field)
}

/** The same with a reason that the form translates. */
export const invalidFieldFor = (field: string, reason: ReasonWithText): AppError =>
  new AppError('validation_failed', {
    reason,
    fields: [{ field, message: reason.message, reason: onWire(reason) }],
  })

const onWire = ({ code, values }: Reason): Reason => ({ code, values })

/** The fields that the schema of a request refused. The response's message names the first one. */
export function invalidFields(
  fields: readonly FieldProblem[],
  { withCount = false }: { readonly withCount?: boolean } = {},
): AppError {
  const [first, ...others] = fields
  const more =
    others.length === 1 ? '; one more field is not valid' : `; ${others.length} more fields are not valid`
  return new AppError('validation_failed', {
    fields: [...fields],
    ...(first && { detail: sentenceOf(first) + (withCount && others.length > 0 ? more : '') }),
    ...(first?.reason && { reason: { ...first.reason, message: first.message } }),
  })
}

/** The same as `invalidField` for a field of the payer's page. */
export const refusedField = (field: string, problem: FormProblem): AppError =>
  new AppError('validation_failed', {
    problem,
    fields: [{ field, message: problem.message, reason: onWire(problem) }],
  })

export function toProblem(error: AppError, requestId: string): Problem {
  const { status, title } = errorCatalogue[error.code]
  return {
    type: 'about:blank',
    title,
    status,
    detail: error.message,
    message: error.message,
    code: error.code,
    requestId,
    ...(error.reason ? { reason: onWire(error.reason) } : {}),
    ...(error.fields ? { errors: error.fields } : {}),
  }
}

/** Throws when a condition does not hold that the code relies on: a bug, never an error of the caller. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`Invariant broken: ${message}`)
}
