import { ProviderError } from '../connector.ts'
import { namedReason, redact } from '../texts.ts'
import type { Message } from './wire.ts'

/** Refusals that prove that no transaction was started: our request or our credentials. */
const ourError =
  /\b(invalid|required|missing|must|hash|not (enabled|allowed|supported|active|permitted)|disabled|deactivated|merchant'?s? (email|login))\b/i
/** The key of a charge is used once: the first delivery of this call arrived, and a look-up finds its outcome. */
const repeated = /duplicate|already/i

/** Refusals of an integration id or of a hash, which is made with the integration key. */
const wrongCredentials =
  /\b(invalid|wrong|incorrect|missing)\b.*\b(id|hash|key|integration)\b|\bhash\b.*\b(mismatch|match)/i

/** The error of a look-up does not show the outcome of the charge, and does not prove that there is none. */
export function lookupRefusalOf(message: Message | null): ProviderError {
  const sentence = (message?.get('error') ?? '').slice(0, 200)
  const kind = wrongCredentials.test(sentence) ? 'invalid' : 'unknown'
  return new ProviderError(kind, redact(`Paynow answered the look-up with an error: ${sentence}`))
}

/** An error has no hash, and its HTTP status is 200. */
export function refusalOf(message: Message): ProviderError {
  const sentence = message.get('error') ?? ''
  const text = redact(`Paynow refused the charge: ${sentence}`)
  const reason = namedReason(sentence)
  if (repeated.test(sentence)) return new ProviderError('unknown', text)
  if (reason !== null) return new ProviderError('declined', text, { reason })
  return new ProviderError(ourError.test(sentence) ? 'invalid' : 'unknown', text)
}
