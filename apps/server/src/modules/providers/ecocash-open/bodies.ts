import { type Money, toMajor } from '@muripo/contract/money'
import { v4 } from 'uuid'
import { uuidIn } from '../../../platform/typeid.ts'
import {
  type ChargeRequest,
  type LookupRequest,
  ProviderError,
  phoneOf,
  type RefundRequest,
} from '../connector.ts'
import { plainText } from '../texts.ts'
import { currencyCode } from './config.ts'
import type { EcocashOpenConfig } from './settings.ts'

/**
 * The `sourceReference` of a key. EcoCash asks for a UUID of version 4, and a key contains one of version 7: only the digit of the version
 * changes, so that different keys have different references.
 */
export const referenceOf = (key: string): string =>
  v4({ random: Buffer.from(uuidIn(key).replaceAll('-', ''), 'hex') })

function wireCurrency(config: EcocashOpenConfig, { currency }: Money): string {
  const code = currencyCode(config, currency)
  if (code === null)
    throw new ProviderError('invalid', `EcoCash Open does not take ${currency}`, { neverSent: true })
  return code
}

export const chargeBody = (config: EcocashOpenConfig, request: ChargeRequest) => ({
  customerMsisdn: phoneOf(request),
  amount: toMajor(request.amount),
  reason: plainText(request.description, 'Payment'),
  currency: wireCurrency(config, request.amount),
  sourceReference: referenceOf(request.key),
})

export const lookupBody = (request: LookupRequest) => ({
  sourceMobileNumber: phoneOf(request),
  sourceReference: referenceOf(request.key),
})

/** The names are those of the API, misspelling included. */
export function refundBody(config: EcocashOpenConfig, request: RefundRequest) {
  const { amount, originalState, reason } = request
  const { shopName } = originalState
  return {
    origionalEcocashTransactionReference:
      config.refundReference === 'ecocashReference'
        ? request.originalReference
        : referenceOf(request.originalKey),
    refundCorelator: referenceOf(request.key),
    sourceMobileNumber: phoneOf(request),
    amount: toMajor(amount),
    clientName: plainText(typeof shopName === 'string' ? shopName : '', 'Muripo'),
    currency: wireCurrency(config, amount),
    reasonForRefund: plainText(reason, 'Refund'),
  }
}
