import type { ErrorCode, Problem } from '@muripo/contract/errors'
import { type Compiled, textOf } from '@muripo/locales/translator'
import { useCommonText } from '../lib/common-text.ts'
import type { FieldText } from '../lib/forms.ts'
import { type ApiResult, AUTHENTICATION_FAILED, errorCode, isTemporary } from '../lib/http.ts'
import { usePageLanguage } from '../lib/page-text.ts'

export const CHECK_CONNECTION = 'Network error. Please check your connection and try again.'

/** The sentence for a failed call: the server's own, the network's, or the screen's. */
export const failureText = (
  result: Pick<ApiResult<unknown>, 'status' | 'message'>,
  fallback: string,
  networkText: string = CHECK_CONNECTION,
): string => (result.status === 0 ? networkText : (result.message ?? fallback))

/**
 * Returns the sentence for a failed call in the page's language: the text of its code, the network's, or the screen's. In English it is the
 * server's own.
 */
export function useFailureText(networkText: 'checkConnection' | 'networkError' = 'checkConnection') {
  const t = useCommonText()
  const { translation } = usePageLanguage()
  return (result: Pick<ApiResult<unknown>, 'status' | 'message' | 'body'>, fallback: string): string => {
    if (result.status === 0) return t(networkText)
    return refusalText(translation, result.body) ?? result.message ?? fallback
  }
}

/** The translated text of a refusal by its code; null in English, and for a code that the page has no text for. */
function refusalText(translation: Compiled | null, body: unknown): string | null {
  const { code, reason } = (body ?? {}) as Partial<Problem>
  if (translation === null) return null
  const texts = reason ? [translation[reason.code]] : []
  const text = [...texts, translation[code ?? '']].find((each) => each !== undefined)
  return text === undefined ? null : textOf(text, reason?.values ?? {})
}

/** Returns the text of a field's error in the page's language. */
export function useFieldText(): FieldText {
  const { translation } = usePageLanguage()
  return ({ code, values, message }) => {
    const text = translation?.[code]
    return text === undefined ? message : textOf(text, values)
  }
}

/** A failed call: its message is the sentence for the screen, its code is what screens branch on. */
export class ApiError extends Error {
  /** Null when the failure did not come from Muripo's server. */
  readonly code: ErrorCode | null
  /** The server's sentence for each field that it refused. */
  readonly fieldErrors: Readonly<Record<string, string>>
  /** The page is already on its way out: nothing more has to be said. */
  readonly sessionEnded: boolean
  readonly isTemporary: boolean
  constructor(
    result: Pick<ApiResult<unknown>, 'status' | 'message' | 'error' | 'body'>,
    fallback: string,
    networkText?: string,
  ) {
    super(failureText(result, fallback, networkText))
    this.code = errorCode(result)
    this.fieldErrors = fieldErrorsIn(result.body)
    this.sessionEnded = result.error === AUTHENTICATION_FAILED
    this.isTemporary = isTemporary(result)
  }
}

export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is ApiError =>
  error instanceof ApiError && error.code !== null && codes.includes(error.code)

/** The first error of each field. */
function fieldErrorsIn(body: unknown): Readonly<Record<string, string>> {
  const { errors } = (body ?? {}) as { errors?: unknown }
  if (!Array.isArray(errors)) return {}
  return Object.fromEntries(errors.toReversed().map(({ field, message }) => [field, String(message)]))
}

interface UnwrapOptions {
  readonly networkText?: string
  /** Whether 202, work that is accepted and not done yet, counts as success. */
  readonly takesAccepted?: boolean
}

/** The data of a call: 200 or 201 with a body. Every other answer throws. */
export function unwrap<T>(
  result: ApiResult<T>,
  fallback: string,
  { networkText, takesAccepted = false }: UnwrapOptions = {},
): T {
  const { status } = result
  const succeeded = status === 200 || status === 201 || (takesAccepted && status === 202)
  if (!succeeded || result.data === null) throw new ApiError(result, fallback, networkText)
  return result.data
}

/** For a call whose success has no body. */
export function throwIfFailed(result: ApiResult<unknown>, fallback: string): void {
  if (result.error !== null) throw new ApiError(result, fallback)
}
