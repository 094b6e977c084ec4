import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AccountId } from '@muripo/contract/ids'
import { money } from '@muripo/contract/money'
import type { ProviderSettings } from './account-settings.ts'
import type { ChargeRequest, RefundRequest } from './connector.ts'

export const someMerchant = 'mer_01jdw0000000000000000000aa' as AccountId

/** The account of the simulator, at another address. */
export function simulatedAccount<Key extends string, Config>(
  { key, schema }: ProviderSettings<Key, Config>,
  baseUrl: string,
): Config {
  const simulatorUrl = 'http://127.0.0.1:9'
  const config = schema({ mode: 'development', keyMode: 'test', simulatorUrl }).parse({})[key]
  if (config === null) throw new Error('development has an account at every provider')
  return { ...(config as Config), baseUrl }
}

export const chargeRequest = (change: Partial<ChargeRequest> = {}): ChargeRequest => ({
  accountId: someMerchant,
  key: 'key1',
  amount: money(1250n, 'USD'),
  method: 'ecocash',
  msisdn: '263771000001',
  email: null,
  description: 'Order 1001',
  shopName: 'Shop',
  callbackUrl: 'http://127.0.0.1:9/callbacks/provider/token',
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
  callbackUrl: 'http://127.0.0.1:9/callbacks/provider/token',
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
