import { ProviderError } from '../connector.ts'
import type { HttpAnswer } from '../http-client.ts'

/** Pesepay answers wrong credentials with these; its other errors name no cause that a program could rely on. */
const credentialErrors: readonly (readonly [(answer: HttpAnswer) => boolean, string])[] = [
  [({ status }) => status === 404, 'the integration key is unknown'],
  [({ status }) => status === 403, 'the integration key is disabled'],
  [
    ({ status, text }) => status === 500 && /failed to decrypt your data/i.test(text.slice(0, 2000)),
    'the encryption key is wrong',
  ],
]

/** An answer without a readable payment. It is `invalid` when the credentials are wrong, and otherwise of the given kind. */
export function errorOf(answer: HttpAnswer, call: string, otherwise: 'unavailable' | 'unknown') {
  const cause = credentialErrors.find(([matches]) => matches(answer))?.[1]
  const text = `Pesepay answered the ${call} with HTTP ${answer.status}`
  return new ProviderError(cause ? 'invalid' : otherwise, cause ? `${text}: ${cause}` : text, {
    providerCode: String(answer.status),
  })
}
