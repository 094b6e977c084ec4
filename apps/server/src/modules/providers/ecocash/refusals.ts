import { type DeclineReason, ProviderError } from '../connector.ts'
import { hasBody, type JsonAnswer } from '../json.ts'
import { entryOf, namedReason } from '../texts.ts'
import { isAllNull, Refusal } from './wire.ts'

const declines: Readonly<Record<string, DeclineReason>> = {
  E010: 'insufficient_funds',
  E011: 'barred',
  E013: 'limit_exceeded',
}

function readRefusal(body: Record<string, unknown> | null): {
  code: string | null
  sentence: string
} {
  const refusal = Refusal.safeParse(body ?? {}).data
  const nested = typeof refusal?.error === 'object' ? refusal.error : null
  const flat = typeof refusal?.error === 'string' ? refusal.error : null
  const codes = [refusal?.errorCode, refusal?.code, refusal?.statusCode, refusal?.status, nested?.code, flat]
  const code = codes.find((value) => typeof value === 'string' && /^E0\d\d$/.test(value)) ?? null
  const sentence =
    refusal?.errorMessage ?? refusal?.statusMessage ?? refusal?.message ?? nested?.message ?? flat
  return { code, sentence: sentence ?? '' }
}

/** The outcome of a charge or a refund whose answer is not a readable 2xx. */
export function moneyCallError(answer: JsonAnswer, call: 'charge' | 'refund'): ProviderError {
  const { status, body } = answer
  const { code, sentence } = readRefusal(body)
  const text = `EcoCash answered the ${call} with HTTP ${status}${code === null ? '' : ` ${code}`}`
  const detail = { providerCode: code ?? String(status) }
  const unknown = () => new ProviderError('unknown', text, detail)

  // A key is used once, so a duplicate means that the first delivery of this call arrived: a look-up finds its outcome.
  if (code === 'E005' || /duplicate\s{1,10}clientcorrelator/i.test(sentence)) return unknown()
  const decline = entryOf(declines, code ?? '')
  if (decline !== undefined) return new ProviderError('declined', text, { ...detail, reason: decline })
  if (code === 'E012') return new ProviderError('invalid', text, detail)
  // Servlet containers answer these two in HTML before the application. A firewall's 400 or 403 page is different: it may replace the reply
  // of a request that was processed.
  if (status === 401 || status === 404) return new ProviderError('invalid', text, detail)
  if (body === null) return unknown()
  if (status === 400 || status === 403) return new ProviderError('invalid', text, detail)
  const reason = status === 422 ? namedReason(sentence) : null
  if (reason !== null) return new ProviderError('declined', text, { ...detail, reason })
  // These include 409: "already refunded" may refer to this very refund, delivered twice on the way. A look-up under its own key decides: a
  // refund that is found is done, and one that is not found after its time to live is refused.
  return unknown()
}

/**
 * EcoCash's own words for a charge that it does not know: the code of the portal, or the legacy gateway's body with every field null. Another
 * 404, with a body or without one, comes from an API manager or a proxy, and does not show the state of the charge.
 */
export function isNotFound(answer: JsonAnswer): boolean {
  if (answer.status === 404) return readRefusal(answer.body).code === 'E008'
  return hasBody(answer) && 'clientCorrelator' in answer.body && isAllNull(answer.body)
}

/** The error of a failed look-up does not show the state of the charge. */
export function lookupError(answer: JsonAnswer): ProviderError {
  const { code } = readRefusal(answer.body)
  const text = `EcoCash answered the query with HTTP ${answer.status}${code === null ? '' : ` ${code}`}`
  const detail = { providerCode: code ?? String(answer.status) }
  if (answer.status === 401) return new ProviderError('invalid', text, detail)
  const refused = answer.status === 400 || answer.status === 403
  return new ProviderError(refused && answer.body !== null ? 'invalid' : 'unknown', text, detail)
}
