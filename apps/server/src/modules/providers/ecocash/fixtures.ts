import { simulatedAccount } from '../fixtures.ts'
import { type EcocashConfig, ecocashSettings } from './settings.ts'

export const configFor = (baseUrl: string, change: Partial<EcocashConfig> = {}): EcocashConfig => ({
  ...simulatedAccount(ecocashSettings, baseUrl),
  dialIn: undefined,
  ...change,
})

/** Both versions as the gateways send them; the values are made up. */
export const legacy = (change: Record<string, unknown> = {}, amount: unknown = 12.5, currency = 'USD') => ({
  id: 77,
  clientCorrelator: 'key1',
  startTime: 1795166130000,
  endTime: null,
  endUserId: '771000001',
  serverReferenceCode: '2611200915301',
  transactionOperationStatus: 'PENDING SUBSCRIBER VALIDATION',
  paymentAmount: {
    charginginformation: { amount, currency, description: 'Order 1001' },
    chargeMetaData: null,
    totalAmountCharged: null,
  },
  ecocashReference: null,
  merchantCode: '00001',
  merchantPin: '0000',
  merchantNumber: '771000000',
  responseCode: null,
  ...change,
})

export const portal = (change: Record<string, unknown> = {}) => ({
  transactionId: 'MP261120.0915.A00042',
  clientCorrelator: 'key1',
  status: 'PENDING',
  statusCode: '200',
  statusMessage: 'Transaction Successful',
  amount: 12.5,
  currency: 'USD',
  endUserId: '263771000001',
  merchantCode: '00001',
  timestamp: '2026-11-20T09:15:30Z',
  ...change,
})
