import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AccountId } from '@muripo/contract/ids'
import { afterAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import type { Connector, ProviderState } from './connector.ts'
import { configFor as ecocash } from './ecocash/fixtures.ts'
import { ecocashConnector } from './ecocash/index.ts'
import { configFor as ecocashOpen } from './ecocash-open/fixtures.ts'
import { ecocashOpenConnector } from './ecocash-open/index.ts'
import { configFor as innbucks } from './innbucks/fixtures.ts'
import { innbucksConnector } from './innbucks/index.ts'
import { configFor as mastercard } from './mastercard/fixtures.ts'
import { mastercardConnector } from './mastercard/index.ts'
import { configFor as paynow } from './paynow/fixtures.ts'
import { paynowConnector } from './paynow/index.ts'
import { configFor as pesepay } from './pesepay/fixtures.ts'
import { pesepayConnector } from './pesepay/index.ts'

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

const json = (status: number, body: unknown): Answer => ({
  status,
  type: 'application/json',
  text: JSON.stringify(body),
})

/** Answers of programs in front of a provider, or at a wrong address, to a look-up. */
const foreign: Readonly<Record<string, Answer>> = {
  'an empty 404': { status: 404, type: 'text/plain', text: '' },
  'a page': { status: 404, type: 'text/html', text: '<html><h1>404 Not Found</h1></html>' },
  'a gateway without the route': json(404, { message: 'no Route matched with those values' }),
  'an API manager': json(404, {
    code: '404',
    type: 'Status report',
    message: 'Not Found',
    description: 'The requested resource is not available.',
  }),
  'a proxy of APIs': {
    status: 404,
    type: 'application/json',
    text: '{"fault":{"faultstring":"Unable to identify proxy for host","detail":{"errorcode":"ApplicationNotFound"}}}',
  },
  'a framework': json(404, {
    statusCode: 404,
    error: 'Not Found',
    message: 'Route POST:/api/v1/transaction/c2b/status/live not found',
  }),
  'an application server': json(404, {
    timestamp: '2026-11-20T09:15:30Z',
    status: 404,
    error: 'Not Found',
    path: '/1/transactions/amount/1',
  }),
  'a service without a resource': json(404, {
    error: { code: 'NotFound', message: 'The resource was not found.' },
  }),
  'a mistaken request': json(400, { message: 'Not found' }),
  'a 200 without fields': json(200, {}),
  'a 200 of nothing': json(200, { data: null, error: null }),
  'a 200 with an error': json(200, { success: false, message: 'Transaction not found' }),
}

interface Program {
  readonly url: string
  readonly paths: readonly string[]
}

const servers: Server[] = []

/** A program that gives one answer to every request. */
async function programWith(answer: Answer): Promise<Program> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    request.resume()
    // A log-in of InnBucks succeeds, so that its inquiry is made.
    const isLogIn = request.url?.endsWith('/auth/third-party')
    const { status, type, text } = isLogIn ? json(200, { accessToken: 't', responseCode: '00' }) : answer
    response.writeHead(status, { 'content-type': type }).end(text)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}
afterAll(() => {
  for (const server of servers) server.close()
})

interface Case {
  readonly connect: (url: string) => Connector
  /** The state with which a look-up is sent. */
  readonly state: (url: string) => ProviderState | null
}

const cases: Readonly<Record<string, Case>> = {
  ecocash: { connect: (url) => ecocashConnector(ecocash(url)), state: () => null },
  'ecocash-open': { connect: (url) => ecocashOpenConnector(ecocashOpen(url)), state: () => null },
  innbucks: {
    connect: (url) => innbucksConnector(innbucks(url), systemClock),
    state: () => ({ code: '701234567', authNumber: '1', currency: 'USD', amount: '1250', minor: '1250' }),
  },
  mastercard: { connect: (url) => mastercardConnector(mastercard(url)), state: () => null },
  paynow: { connect: (url) => paynowConnector(paynow(url)), state: () => null },
  pesepay: {
    connect: (url) => pesepayConnector(pesepay(url)),
    state: (url) => ({
      reference: 'R1',
      referenceNumber: 'R1',
      pollUrl: `${url}/v1/payments/check-payment?referenceNumber=R1`,
    }),
  },
}

const request = {
  accountId: AccountId.parse(`mer_${'0'.repeat(26)}`),
  key: '0'.repeat(26),
  msisdn: '263771111111',
}

describe.each(Object.entries(cases))('%s', (_id, { connect, state }) => {
  // A client waits before it repeats a look-up, and so the tests wait together.
  test.concurrent.each(Object.entries(foreign))(
    'does not take %s for its own "not found"',
    async (_name, foreignAnswer) => {
      const { url, paths } = await programWith(foreignAnswer)
      const found = await connect(url)
        .lookup({ ...request, state: state(url) })
        .catch((error: { kind: string }) => error)
      expect(paths.length).toBeGreaterThan(0)
      expect(found).not.toMatchObject({ kind: 'not_found' })
      // An answer that is readable by chance is an open charge at most.
      if (found.kind === 'reply') expect(found).toMatchObject({ outcome: 'pending', providerReference: null })
    },
  )

  test.concurrent.each([
    ...Object.entries(foreign),
    ['an empty 200', { status: 200, type: 'text/plain', text: '' }],
    ['a 200 of every field null', json(200, { clientCorrelator: null, status: null })],
  ] as const)('does not take %s for a proof of its credentials', async (_name, foreignAnswer) => {
    const { url } = await programWith(foreignAnswer)
    const check = connect(url).checkCredentials
    if (check === undefined) return
    const proof = await check().catch((error: { kind: string }) => error.kind)
    expect(proof).not.toBe('proved')
    // A wrong address is no refusal of the credentials.
    if (foreignAnswer.status !== 400) expect(proof).not.toBe('invalid')
  })
})
