import type { ChargeRequest, RefundRequest } from '../connector.ts'
import {
  chargeRequest as otherChargeRequest,
  refundRequest as otherRefundRequest,
  simulatedAccount,
} from '../fixtures.ts'
import { type MastercardConfig, mastercardSettings } from './settings.ts'

export const configFor = (baseUrl: string, change: Partial<MastercardConfig> = {}): MastercardConfig => ({
  ...simulatedAccount(mastercardSettings, baseUrl),
  notificationSecret: null,
  ...change,
})

export const chargeRequest = (change: Partial<ChargeRequest> = {}): ChargeRequest =>
  otherChargeRequest({ method: 'visa', msisdn: null, ...change })

export const refundRequest = (change: Partial<RefundRequest> = {}): RefundRequest =>
  otherRefundRequest({ originalReference: '612345678901', originalState: {}, msisdn: null, ...change })

/** Answers as the gateway sends them, with a masked card; the values are made up. */
export const transaction = (
  gatewayCode: string,
  result: string,
  { type = 'PAYMENT', id = '1', ...change }: Record<string, unknown> = {},
) => ({
  merchant: 'TESTMURIPO',
  result,
  response: { gatewayCode, acquirerCode: '00' },
  order: { id: 'key1', amount: 12.5, currency: 'USD' },
  sourceOfFunds: { type: 'CARD', provided: { card: { number: '512345xxxxxx0008', brand: 'MASTERCARD' } } },
  transaction: { id, type, amount: 12.5, currency: 'USD', receipt: '612345678901', ...change },
})

export const order = (transactions: readonly object[], change: Record<string, unknown> = {}) => ({
  id: 'key1',
  amount: 12.5,
  currency: 'USD',
  result: 'SUCCESS',
  status: 'CAPTURED',
  totalAuthorizedAmount: 12.5,
  totalCapturedAmount: 12.5,
  totalRefundedAmount: 0.0,
  chargeback: { amount: 0, currency: 'USD' },
  transaction: transactions,
  ...change,
})
