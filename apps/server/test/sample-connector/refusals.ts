import { ProviderError } from '../../src/modules/providers/connector.ts'
import type { JsonAnswer } from '../../src/modules/providers/json.ts'

/** Only a documented refusal proves that no charge was made: after any other answer the charge may have been processed. */
export function callError({ status, body }: JsonAnswer): ProviderError {
  const isRefused = body !== null && [400, 401, 403].includes(status)
  return new ProviderError(isRefused ? 'invalid' : 'unknown', `Sample answered with HTTP ${status}`, {
    providerCode: String(status),
  })
}
