import { randomUUID } from 'node:crypto'
import { money } from '@muripo/contract/money'
import { expect } from 'vitest'
import { describeConnector } from '../../../../test/connector-contract.ts'
import type { ConnectorUnderTest } from '../../../../test/connector-under-test.ts'
import type { Simulator } from '../../../../test/simulator.ts'
import type { PayerBrowser } from '../connector.ts'
import { configFor } from './fixtures.ts'
import { mastercardConnector } from './index.ts'

const after = (code: string, afterMs = 5000) => ({ pay: { code, afterMs } })

async function order(simulator: Simulator, behaviour: object): Promise<void> {
  const response = await fetch(`${simulator.url}/control/mastercard/next`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ behaviour }),
  })
  if (!response.ok) throw new Error(`the simulator refused an order: ${await response.text()}`)
}

const under: Omit<ConnectorUnderTest, 'connect'> = {
  isCharge: ({ method, path }) => method === 'POST' && path.endsWith('/session'),
  // A void in place of a refund too; the capture of an authorisation belongs to the charge.
  isRefund: ({ method, path }) => method === 'PUT' && !path.endsWith('-capture'),
  isInstruction: ({ method, path }) => method === 'PUT' && /-(capture|void)$/.test(path),
  lostCharge: 'unavailable',
  reverse: (simulator, { request }) =>
    simulator.control(`/control/mastercard/chargebacks/${request.key}`, {}),
  async refundOutside(simulator, { request }, minor) {
    const { merchantId, password } = configFor(`${simulator.url}/mastercard`)
    const response = await fetch(
      `${simulator.url}/mastercard/api/rest/version/100/merchant/${merchantId}/order/${request.key}/transaction/${randomUUID()}`,
      {
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          authorization: `Basic ${Buffer.from(`merchant.${merchantId}:${password}`).toString('base64')}`,
        },
        body: JSON.stringify({
          apiOperation: 'REFUND',
          transaction: { amount: minor / 100, currency: request.amount.currency },
        }),
      },
    )
    expect(response.ok).toBe(true)
  },
  order,
  behaviours: {
    paid: after('APPROVED'),
    neverResolves: {},
    // The payer learns the address of the page, or its session, from the reply.
    lost: {},
    paidAfterFailure: { ...after('DECLINED'), lateSuccessAfterMs: 50_000 },
    wrongAmount: { behaviour: { ...after('APPROVED'), echoAmount: 1 }, echo: money(100n, 'USD') },
    refusals: [
      ['declined', after('DECLINED'), 'declined'],
      ['no money', after('INSUFFICIENT_FUNDS'), 'insufficient_funds'],
      ['an expired card', after('EXPIRED_CARD'), 'declined'],
      ['3-D Secure', after('AUTHENTICATION_FAILED'), 'declined'],
    ],
  },
  withStatus: (text, word) =>
    text.replaceAll(/"gatewayCode":"[^"]*"/g, `"gatewayCode":${JSON.stringify(word)}`),
}

describeConnector('the Mastercard Gateway', {
  ...under,
  connect: (origin) => mastercardConnector(configFor(`${origin}/mastercard`)),
})

describeConnector('the Mastercard Gateway with captures', {
  ...under,
  connect: (origin) => mastercardConnector(configFor(`${origin}/mastercard`, { mode: 'authorise' })),
})

const browser: PayerBrowser = {
  address: '127.0.0.1',
  userAgent: 'Mozilla/5.0',
  accept: 'text/html',
  language: 'en-ZW',
  screenWidth: 375,
  screenHeight: 667,
  colorDepth: 24,
  timeZone: -120,
}

describeConnector('the Mastercard Gateway with hosted fields', {
  ...under,
  connect: (origin) => mastercardConnector(configFor(`${origin}/mastercard`, { checkout: 'session' })),
  isRefund: ({ method, path }) => method === 'PUT' && !/-(auth|pay|capture)$/.test(path),
  async continue(simulator, connector, { request, result }, behaviour) {
    if (!('pay' in behaviour) || result.kind !== 'reply') return
    const { accountId, key, captureMode } = request
    const capture = captureMode === 'manual' ? ({ kind: 'await' } as const) : undefined
    const { state } = result
    await simulator.control(`/control/mastercard/sessions/${state.session}`, {
      number: '5111111111111118',
      expiryMonth: '01',
      expiryYear: '39',
      securityCode: '100',
    })
    const step = { accountId, key, msisdn: null, state, browser, ...(capture && { capture }) }
    await connector.proceed?.(step).catch(() => undefined)
  },
  behaviours: {
    ...under.behaviours,
    paidAfterFailure: { ...after('DECLINED'), lateSuccessAfterMs: 50_000 },
  },
})
