import { type ErrorCode, errorCatalogue } from '@muripo/contract/errors'
import { documentedEvents, eventMeanings } from '@muripo/contract/events'
import { currencies } from '@muripo/contract/money'
import { paymentMethods, paymentStatuses } from '@muripo/contract/payments'
import { publicCalls } from '@muripo/contract/public-calls'

/** Errors that occur before any route is reached, or in a provider's answer to a call. */
const everywhere: readonly ErrorCode[] = [
  'malformed_request',
  'validation_failed',
  'not_found',
  'method_not_allowed',
  'request_too_slow',
  'query_too_long',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'overloaded',
  'service_unavailable',
]

/** The facts of the page: the values that the gateway itself uses. */
export function readFacts() {
  const calls = Object.values(publicCalls).map(({ spec }) => spec)
  const codes = new Set<string>([...calls.flatMap(({ errors }) => errors), ...everywhere])
  return {
    calls: calls.map(({ method, path, summary }) => ({
      method,
      path: `/api/v1${path.replace(/:\w+/g, '{id}')}`,
      summary,
    })),
    events: documentedEvents.map(({ shape }) => ({
      type: shape.type.value,
      meaning: eventMeanings[shape.type.value].replaceAll('`', ''),
    })),
    errors: Object.entries(errorCatalogue).flatMap(([code, { status, title }]) =>
      codes.has(code) ? [{ code, status, title }] : [],
    ),
    currencies,
    statuses: paymentStatuses,
    methods: paymentMethods,
  }
}

export type Facts = ReturnType<typeof readFacts>
