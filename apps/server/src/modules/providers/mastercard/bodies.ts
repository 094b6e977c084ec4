import { toDecimal } from '@muripo/contract/money'
import type { ChargeRequest, PayerBrowser, ProviderState, RefundRequest } from '../connector.ts'
import { plainText } from '../texts.ts'
import type { MastercardConfig } from './settings.ts'

/** The time in which the payer can enter a card; the gateway's own default. */
export const SESSION_MS = 30 * 60_000

const NAME_MAX_LENGTH = 40

export function checkoutBody({ mode }: MastercardConfig, request: ChargeRequest) {
  const { key, amount, returnUrl, captureMode } = request
  return {
    apiOperation: 'INITIATE_CHECKOUT',
    checkoutMode: 'WEBSITE',
    interaction: {
      operation: mode === 'authorise' || captureMode === 'manual' ? 'AUTHORIZE' : 'PURCHASE',
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

/** The facts of a charge that later calls need, because a session does not contain them. */
export const payState = ({ amount, callbackUrl, returnUrl, description }: ChargeRequest) => ({
  amount: toDecimal(amount),
  currency: amount.currency,
  notificationUrl: callbackUrl,
  returnUrl,
  description: plainText(description, 'Payment'),
})

/** The limit of authentications under one session: a payer may correct a card. */
export const sessionBody = { session: { authenticationLimit: 5 } }

const sessionOf = ({ session }: ProviderState) => ({ id: session })

export const initiateBody = (state: ProviderState) => ({
  apiOperation: 'INITIATE_AUTHENTICATION',
  authentication: { channel: 'PAYER_BROWSER', purpose: 'PAYMENT_TRANSACTION' },
  order: { currency: state.currency },
  session: sessionOf(state),
})

export const authenticateBody = (state: ProviderState, browser: PayerBrowser) => ({
  apiOperation: 'AUTHENTICATE_PAYER',
  authentication: { redirectResponseUrl: state.returnUrl },
  device: {
    browser: browser.userAgent,
    browserDetails: {
      '3DSecureChallengeWindowSize': 'FULL_SCREEN',
      acceptHeaders: browser.accept,
      colorDepth: browser.colorDepth,
      javaEnabled: false,
      javaScriptEnabled: true,
      language: browser.language,
      screenHeight: browser.screenHeight,
      screenWidth: browser.screenWidth,
      timeZone: browser.timeZone,
    },
    ipAddress: browser.address,
  },
  order: { amount: state.amount, currency: state.currency },
  session: sessionOf(state),
})

export const payBody = (operation: 'AUTHORIZE' | 'PAY', state: ProviderState, authentication: string) => ({
  apiOperation: operation,
  authentication: { transactionId: authentication },
  order: {
    amount: state.amount,
    currency: state.currency,
    description: state.description,
    notificationUrl: state.notificationUrl,
  },
  session: sessionOf(state),
  sourceOfFunds: { type: 'CARD' },
  transaction: { source: 'INTERNET' },
})

export const refundBody = ({ amount, reason }: RefundRequest) => ({
  apiOperation: 'REFUND',
  transaction: {
    amount: toDecimal(amount),
    currency: amount.currency,
    reference: plainText(reason, 'Refund'),
  },
})
