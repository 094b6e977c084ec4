import { toDecimal } from '@muripo/contract/money'
import { type ChargeRequest, ProviderError, type RefundRequest } from '../connector.ts'
import { plainText } from '../texts.ts'
import type { MastercardConfig } from './config.ts'

/** The time in which the payer can enter a card; the gateway's own default. */
export const SESSION_MS = 30 * 60_000

const NAME_MAX_LENGTH = 40

export function checkoutBody({ currencies, mode }: MastercardConfig, request: ChargeRequest) {
  const { key, amount, returnUrl } = request
  if (!currencies.includes(amount.currency))
    throw new ProviderError('invalid', `The card account does not take ${amount.currency}`, {
      neverSent: true,
    })
  return {
    apiOperation: 'INITIATE_CHECKOUT',
    checkoutMode: 'WEBSITE',
    interaction: {
      operation: mode === 'authorise' ? 'AUTHORIZE' : 'PURCHASE',
      merchant: { name: plainText(request.shopName, 'Muripo').slice(0, NAME_MAX_LENGTH).trim() },
      returnUrl,
      cancelUrl: returnUrl,
      timeoutUrl: returnUrl,
      timeout: String(SESSION_MS / 1000),
      // Both fields together lead the payer back after the first refused card: another card is another attempt of ours.
      redirectMerchantUrl: returnUrl,
      retryAttemptCount: '0',
      displayControl: { billingAddress: 'HIDE', customerEmail: 'HIDE', shipping: 'HIDE' },
    },
    order: {
      id: key,
      amount: toDecimal(amount),
      currency: amount.currency,
      description: plainText(request.description, 'Payment'),
      notificationUrl: request.callbackUrl,
    },
  }
}

export const refundBody = ({ amount, reason }: RefundRequest) => ({
  apiOperation: 'REFUND',
  transaction: {
    amount: toDecimal(amount),
    currency: amount.currency,
    reference: plainText(reason, 'Refund'),
  },
})
