import type { Problem } from '@muripo/contract/errors'
import { type Compiled, textOf } from '@muripo/locales/translator'
import type { FieldText } from '../lib/forms.ts'
import type { ApiResult } from '../lib/http.ts'
import { useCommonText, usePageLanguage } from '../lib/page-text.ts'

const CHECK_CONNECTION = 'Network error. Please check your connection and try again.'

/** The English sentence for a failed call: the server's own, the network's, or the screen's. */
export const failureText = (
  result: Pick<ApiResult<unknown>, 'status' | 'message'>,
  fallback: string,
  networkText: string = CHECK_CONNECTION,
): string => (result.status === 0 ? networkText : (result.message ?? fallback))

/**
 * Returns the sentence for a failed call in the page's language: the text of its code, the network's, or the screen's. In English it is the
 * server's own.
 */
export function useFailedCallText(networkText: 'checkConnection' | 'networkError' = 'checkConnection') {
  const t = useCommonText()
  const { translation } = usePageLanguage()
  return (result: Pick<ApiResult<unknown>, 'status' | 'message' | 'body'>, fallback: string): string => {
    if (result.status === 0) return t(networkText)
    return refusalText(translation, result.body) ?? result.message ?? fallback
  }
}

/** The translated text of a refusal by its code; null in English, and for a code that the page has no text for. */
export function refusalText(translation: Compiled | null, body: unknown): string | null {
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
