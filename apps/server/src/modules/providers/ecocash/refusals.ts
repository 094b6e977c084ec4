import { type DeclineReason, ProviderError } from '../connector.ts'
import type { Answer } from './client.ts'
import { namedReason } from './mapping.ts'
import { Refusal } from './wire.ts'

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

/** What any answer but a readable 2xx to a charge or a refund means for the money. */
export function moneyCallError(answer: Answer, call: 'charge' | 'refund'): ProviderError {
  const { status, body } = answer
  const { code, sentence } = readRefusal(body)
  const text = `EcoCash answered the ${call} with HTTP ${status}${code === null ? '' : ` ${code}`}`
  const detail = { providerCode: code ?? String(status) }
  const unknown = () => new ProviderError('unknown', text, detail)

  // A key is used once, so a duplicate means that the first delivery of this very call arrived: its outcome is there to be looked up.
  if (code === 'E005' || /duplicate\s{1,10}clientcorrelator/i.test(sentence)) return unknown()
  if (code !== null && Object.hasOwn(declines, code)) {
    return new ProviderError('declined', text, { ...detail, reason: declines[code] ?? 'declined' })
  }
  if (code === 'E012') return new ProviderError('invalid', text, detail)
  if (status === 429) return new ProviderError('unavailable', text, detail)
  // Servlet containers answer these two in HTML from in front of the application. A firewall's 400 or 403 page is another matter: it
  // may stand in for the reply of a request that went through.
  if (status === 401 || status === 404) return new ProviderError('invalid', text, detail)
  if (body === null) return unknown()
  if (status === 400 || status === 403) return new ProviderError('invalid', text, detail)
  const reason = status === 422 ? namedReason(sentence) : null
  if (reason !== null) return new ProviderError('declined', text, { ...detail, reason })
  // 409 among them: "already refunded" may speak of this very refund, delivered twice by something between us. Under its own key a
  // lookup tells: found is done, not found past its life is refused.
  return unknown()
}

/** A failed lookup says nothing about the money, whatever its kind. */
export function lookupError(answer: Answer): ProviderError {
  const { code } = readRefusal(answer.body)
  const text = `EcoCash answered the query with HTTP ${answer.status}${code === null ? '' : ` ${code}`}`
  const detail = { providerCode: code ?? String(answer.status) }
  if (answer.status === 401) return new ProviderError('invalid', text, detail)
  if (answer.status === 429) return new ProviderError('unavailable', text, detail)
  const refused = answer.status === 400 || answer.status === 403
  return new ProviderError(refused && answer.body !== null ? 'invalid' : 'unknown', text, detail)
}
