import { type ErrorCode, errorCatalogue } from '@muripo/contract/errors'
import { currencies } from '@muripo/contract/money'
import * as payments from '@muripo/contract/payments'

const documented = [payments.createPayment, payments.getPayment, payments.listPublicPayments]

/** Errors that occur before any route is reached. */
const everywhere: readonly ErrorCode[] = [
  'malformed_request',
  'not_found',
  'request_too_slow',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
]

/** The facts of the page: the values that the gateway itself uses. */
export function readFacts() {
  const codes = new Set<string>([...documented.flatMap(({ errors }) => errors), ...everywhere])
  return {
    errors: Object.entries(errorCatalogue).flatMap(([code, { status, title }]) =>
      codes.has(code) ? [{ code, status, title }] : [],
    ),
    currencies,
    statuses: payments.paymentStatuses,
    methods: payments.paymentMethods,
  }
}

export type Facts = ReturnType<typeof readFacts>
