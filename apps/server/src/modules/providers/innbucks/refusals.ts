import { ProviderError } from '../connector.ts'
import type { JsonAnswer } from '../json.ts'
import { plainCode } from './mapping.ts'
import { CodeReply } from './wire.ts'

function describe(answer: JsonAnswer) {
  const { responseCode } = CodeReply.parse(answer.body ?? {})
  const code = plainCode(responseCode)
  return {
    code,
    text: `InnBucks answered with HTTP ${answer.status}${code === null ? '' : ` and code ${code}`}`,
    detail: { providerCode: code ?? String(answer.status) },
  }
}

/** Our request or our credentials are wrong. A firewall's page of the same status does not show either. */
const isOurError = ({ status, body }: JsonAnswer): boolean =>
  status === 401 || (body !== null && (status === 400 || status === 403))

/** No code, or none that the payer may pay. No money moves before the payer pays a code, so the payer may ask for another one. */
export function generateError(answer: JsonAnswer): ProviderError {
  const { code, text, detail } = describe(answer)
  const isInvalid = isOurError(answer) || code === INVALID_AMOUNT
  return new ProviderError(isInvalid ? 'invalid' : 'unavailable', `${text} to the request for a code`, detail)
}

/** The error of a failed inquiry does not show the state of the charge. */
export function inquiryError(answer: JsonAnswer): ProviderError {
  const { text, detail } = describe(answer)
  const kind = isOurError(answer) ? 'invalid' : 'unknown'
  return new ProviderError(kind, `${text} to the inquiry`, detail)
}

const INVALID_AMOUNT = '13'
/** The original request cannot be located. */
export const NOT_LOCATED = '25'
