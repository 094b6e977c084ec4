import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccountId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import type { ChargeRequest, RefundRequest } from '../connector.ts'
import type { EcocashConfig } from './config.ts'

export const configFor = (baseUrl: string, change: Partial<EcocashConfig> = {}): EcocashConfig => ({
  baseUrl,
  username: 'muripo',
  password: 'simulator',
  merchantCode: '00001',
  merchantPin: '0000',
  merchantNumber: '771000000',
  timeoutMs: 2000,
  ...change,
})

export const someMerchant = 'mer_01jdw0000000000000000000aa' as AccountId

export const chargeRequest = (change: Partial<ChargeRequest> = {}): ChargeRequest => ({
  accountId: someMerchant,
  key: 'key1',
  amount: money(1250n, 'USD'),
  method: 'ecocash',
  msisdn: '263771000001',
  email: null,
  description: 'Order 1001',
  shopName: 'Shop',
  callbackUrl: 'http://127.0.0.1:9/hooks/ecocash/token',
  returnUrl: 'http://127.0.0.1:9/pay/token/return',
  ...change,
})

export const refundRequest = (change: Partial<RefundRequest> = {}): RefundRequest => ({
  accountId: someMerchant,
  key: 'refund1',
  amount: money(1250n, 'USD'),
  originalKey: 'key1',
  originalReference: 'MP261120.0915.A00042',
  originalState: { shopName: 'Shop' },
  msisdn: '263771000001',
  reason: 'Returned',
  callbackUrl: 'http://127.0.0.1:9/hooks/ecocash/token',
  ...change,
})

export interface Gateway {
  readonly url: string
  readonly seen: { method: string; path: string; authorization: string; body: string }[]
  close(): Promise<void>
}

/** A provider with one recorded answer to every call. */
export async function gatewayAnswering(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<Gateway> {
  const seen: Gateway['seen'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, path: url, authorization: headers.authorization ?? '', body })
      answer(response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/payment/v1`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export const respond =
  (status: number, body: unknown, type = 'application/json') =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': type })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

export const firewall = '<html><head><title>Request Rejected</title></head></html>'

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
