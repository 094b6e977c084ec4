import { ProviderError } from '../connector.ts'
import type { JsonAnswer } from '../json.ts'

/** Our request or our credentials are wrong. The page of an intermediary with the same status does not show either. */
const isOurError = ({ status, body }: JsonAnswer): boolean =>
  status === 401 || (body !== null && (status === 400 || status === 403 || status === 404))

/**
 * The error of an answer that is not a readable 2xx. A key is used once, so 409 means that the first delivery of a payment arrived: a
 * look-up finds its outcome.
 */
export function callError(answer: JsonAnswer, call: 'payment' | 'refund' | 'look-up'): ProviderError {
  const kind = isOurError(answer) ? 'invalid' : 'unknown'
  return new ProviderError(kind, `EcoCash Open answered the ${call} with HTTP ${answer.status}`, {
    providerCode: String(answer.status),
  })
}
