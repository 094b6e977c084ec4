import { ProviderError } from '../connector.ts'
import { isSuccess, type JsonAnswer } from '../json.ts'
import { Refusal } from './wire.ts'

/** Our request or our credentials are wrong. The page of an intermediary with the same status does not show either. */
const isOurError = ({ status, body }: JsonAnswer): boolean =>
  status === 401 || (body !== null && (status === 400 || status === 403 || status === 404))

/** A sentence about a transaction. One with a slash names the route that an API manager does not have. */
const missing = /^[^/]*\btransaction\b[^/]*\b(?:not found|does not exist|unknown)\b[^/]*$/i

/**
 * The API's own words for a payment that it does not know: an empty answer, or a sentence about the transaction. Another 404, with a body or
 * without one, comes from an API manager or a proxy, and does not show the state of the payment.
 */
export function isNotFound(answer: JsonAnswer): boolean {
  if (answer.isEmpty) return isSuccess(answer)
  if (answer.status !== 404) return false
  const { message, responseMessage, error } = Refusal.parse(answer.body ?? {})
  return [message, responseMessage, error].some(
    (sentence) => sentence !== null && missing.test(sentence.slice(0, 200)),
  )
}

/**
 * The error of an answer that is not a readable 2xx. A key is used once, so 409 means that the first delivery of a payment arrived: a
 * look-up finds its outcome.
 */
export function callError(answer: JsonAnswer, call: 'payment' | 'refund' | 'look-up'): ProviderError {
  // A look-up under a wrong address is no refusal of the credentials.
  const isOurs = isOurError(answer) && !(call === 'look-up' && answer.status === 404)
  return new ProviderError(
    isOurs ? 'invalid' : 'unknown',
    `EcoCash Open answered the ${call} with HTTP ${answer.status}`,
    {
      providerCode: String(answer.status),
    },
  )
}
