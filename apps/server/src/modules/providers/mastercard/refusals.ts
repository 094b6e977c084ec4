import { ProviderError, type ProviderErrorKind } from '../connector.ts'
import { BUSY_FOR_MS } from '../http-client.ts'
import type { JsonAnswer } from '../json.ts'
import { Failure } from './wire.ts'

interface NamedFailure {
  readonly result: string | null
  readonly cause: string | null
  readonly explanation: string
}

function failureOf({ body }: JsonAnswer): NamedFailure {
  const { error, result = null } = Failure.safeParse(body ?? {}).data ?? {}
  return { result, cause: error?.cause ?? null, explanation: (error?.explanation ?? '').slice(0, 500) }
}

function errorOf(kind: ProviderErrorKind, call: string, answer: JsonAnswer): ProviderError {
  const { cause } = failureOf(answer)
  // The cause is one of a few words; an unknown text may contain anything and is left out.
  const named = cause !== null && /^[A-Z_]{1,40}$/.test(cause) ? cause : null
  const text = `The Mastercard Gateway answered the ${call} with HTTP ${answer.status}${named === null ? '' : ` ${named}`}`
  return new ProviderError(kind, text, {
    providerCode: named ?? String(answer.status),
    retryAfterMs: isBusy(answer) ? BUSY_FOR_MS : null,
  })
}

const isBusy = (answer: JsonAnswer): boolean => failureOf(answer).cause === 'SERVER_BUSY'

/** Wrong credentials, or a request that the gateway rejects before it processes anything. */
const isRejected = (answer: JsonAnswer): boolean =>
  answer.status === 401 || failureOf(answer).cause === 'REQUEST_REJECTED'

/** A session moves no money, and only its answer contains the address of the card page: without it no payer can pay. */
export function sessionError(answer: JsonAnswer): ProviderError {
  const isOurs = isRejected(answer) || failureOf(answer).cause === 'INVALID_REQUEST' || answer.status === 404
  return errorOf(isOurs ? 'invalid' : 'unavailable', 'session', answer)
}

/** An intermediary may deliver a refund twice: the answer to the second delivery does not show the result of the first one. */
const isRepeated = (answer: JsonAnswer): boolean => /already|duplicate/i.test(failureOf(answer).explanation)

export const refundError = (answer: JsonAnswer): ProviderError => transactionError('refund', answer)
/** A capture or a void: the next look-up of the order makes the call again, unless the order contains it by then. */
export const stepError = (answer: JsonAnswer): ProviderError => transactionError('step', answer)

function transactionError(call: string, answer: JsonAnswer): ProviderError {
  if (isBusy(answer)) return errorOf('unavailable', call, answer)
  if (isRejected(answer)) return errorOf('invalid', call, answer)
  const isInvalid = failureOf(answer).cause === 'INVALID_REQUEST' && !isRepeated(answer)
  return errorOf(isInvalid ? 'invalid' : 'unknown', call, answer)
}

/** The error of a failed look-up does not show the state of the order. */
export function lookupError(answer: JsonAnswer): ProviderError {
  if (isBusy(answer)) return errorOf('unavailable', 'look-up', answer)
  const isInvalid = isRejected(answer) || failureOf(answer).cause === 'INVALID_REQUEST'
  return errorOf(isInvalid ? 'invalid' : 'unknown', 'look-up', answer)
}

/** The gateway has no code for an order or a transaction that it does not find, so its explanation decides. */
export function isNotFound(answer: JsonAnswer): boolean {
  const { result, cause, explanation } = failureOf(answer)
  if (answer.status !== 400 && answer.status !== 404) return false
  return (
    result === 'ERROR' &&
    cause === 'INVALID_REQUEST' &&
    /unable to find|not found|could not be found|cannot find|does not exist|no such/i.test(explanation)
  )
}
