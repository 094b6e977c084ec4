import english from 'virtual:texts/failures/en'
import type { ErrorCode, Problem, Reason } from '@muripo/contract/errors'
import type { failures } from '@muripo/locales/failures'
import { type Compiled, translatorOf } from '@muripo/locales/translator'
import { type ApiResult, AUTHENTICATION_FAILED, errorCode, isTemporary } from '../lib/http.ts'
import { useCommonText, usePageLanguage, usePageText } from '../lib/page-text.ts'
import { failureText, refusalText, useFailedCallText } from './error-texts.ts'

export type FailureKey = keyof typeof failures

const englishText = translatorOf<typeof failures>(english)

/** An error with a text of the catalogue `failures`. Its message is in English; pages show the text of `useErrorText`. */
export class Failure extends Error {
  readonly text: FailureKey
  constructor(text: FailureKey, options?: ErrorOptions) {
    super(englishText(text), options)
    this.text = text
  }
}

/** An error whose message is a sentence in the reader's language. */
export class ReaderError extends Error {}

type FailedCall = Pick<ApiResult<unknown>, 'status' | 'message' | 'error' | 'body'>

/** The text of a field that the server refused, in English, and its reason for a translation. */
interface RefusedField {
  readonly message: string
  readonly reason?: Reason | undefined
}

/** A failed call. Screens branch on its code. */
export class ApiError extends Failure {
  readonly result: FailedCall
  readonly network: FailureKey | undefined
  /** Null when the failure did not come from Muripo's server. */
  readonly code: ErrorCode | null
  /** The server's first error of each field that it refused. */
  readonly fields: Readonly<Record<string, RefusedField>>
  /** Whether the session has ended: the sign-out shows the reason, and the error is not shown. */
  readonly sessionEnded: boolean
  readonly isTemporary: boolean
  constructor(result: FailedCall, text: FailureKey, network?: FailureKey) {
    super(text)
    this.message = failureText(result, this.message, network && englishText(network))
    this.result = result
    this.network = network
    this.code = errorCode(result)
    this.fields = fieldsIn(result.body)
    this.sessionEnded = result.error === AUTHENTICATION_FAILED
    this.isTemporary = isTemporary(result)
  }
}

export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is ApiError =>
  error instanceof ApiError && error.code !== null && codes.includes(error.code)

function fieldsIn(body: unknown): Readonly<Record<string, RefusedField>> {
  const { errors } = (body ?? {}) as Partial<Problem>
  if (!Array.isArray(errors)) return {}
  return Object.fromEntries(
    [...errors].reverse().map(({ field, message, reason }) => [field, { message: String(message), reason }]),
  )
}

export const useFailuresText = () => usePageText<typeof failures>(english)

/** Returns the sentence for an error in the page's language: of a refusal by its code, else of the call. */
export function useErrorText(): (error: Error) => string {
  const failedCallText = useFailedCallText()
  const t = useFailuresText()
  const common = useCommonText()
  return (error) => {
    if (error instanceof ReaderError) return error.message
    if (!(error instanceof Failure)) return common('pageBroken')
    if (!(error instanceof ApiError)) return t(error.text)
    const { result, text, network } = error
    return result.status === 0 && network !== undefined ? t(network) : failedCallText(result, t(text))
  }
}

export const refusedFieldTexts = (error: unknown, translation: Compiled | null): Record<string, string> =>
  Object.fromEntries(
    Object.entries(error instanceof ApiError ? error.fields : {}).map(([field, { message, reason }]) => [
      field,
      (reason && refusalText(translation, { reason })) ?? message,
    ]),
  )

/** Returns the sentence for each field that the server refused, in the page's language. */
export function useRefusedFieldTexts(): (error: unknown) => Record<string, string> {
  const { translation } = usePageLanguage()
  return (error) => refusedFieldTexts(error, translation)
}

interface UnwrapOptions {
  /** The text where the network failed. */
  readonly network?: FailureKey
  /** Whether 202, work that is accepted and not done yet, counts as success. */
  readonly takesAccepted?: boolean
}

/**
 * The value that `valueIn` finds in the body of a success: 200 or 201. Every other answer throws, and so does a body without the value: an error
 * of our own code or of a library has no sentence for a reader.
 */
export function read<T, V>(
  result: ApiResult<T>,
  text: FailureKey,
  valueIn: (body: T | null) => V | null | undefined,
  { network, takesAccepted = false }: UnwrapOptions = {},
): V {
  const { status } = result
  const succeeded = status === 200 || status === 201 || (takesAccepted && status === 202)
  if (!succeeded) throw new ApiError(result, text, network)
  let value: V | null | undefined
  try {
    value = valueIn(result.data)
  } catch (cause) {
    throw cause instanceof Failure ? cause : new Failure(text, { cause })
  }
  if (value === null || value === undefined) throw new Failure(text)
  return value
}

/** The body of a success, which must not be empty. */
export const unwrap = <T>(result: ApiResult<T>, text: FailureKey, options?: UnwrapOptions): T =>
  read(result, text, (body) => body, options)

/** For a call whose success has no body. */
export function throwIfFailed(result: ApiResult<unknown>, text: FailureKey): void {
  if (result.error !== null) throw new ApiError(result, text)
}
