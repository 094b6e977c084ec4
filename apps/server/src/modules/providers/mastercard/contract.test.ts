import { money } from '@muripo/contract/money'
import { describeConnector } from '../../../../test/connector-contract.ts'
import type { Simulator } from '../../../../test/simulator.ts'
import { configFor } from './fixtures.ts'
import { mastercardConnector } from './index.ts'

const after = (code: string, afterMs = 60_000) => ({ pay: { code, afterMs } })

async function order(simulator: Simulator, behaviour: object): Promise<void> {
  const response = await fetch(`${simulator.url}/control/mastercard/next`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ behaviour }),
  })
  if (!response.ok) throw new Error(`the simulator refused an order: ${await response.text()}`)
}

describeConnector('the Mastercard Gateway', {
  connect: (origin, timeoutMs) => mastercardConnector(configFor(`${origin}/mastercard`, { timeoutMs })),
  isCharge: ({ method, path }) => method === 'POST' && path.endsWith('/session'),
  isRefund: ({ method }) => method === 'PUT',
  lostCharge: 'unavailable',
  order,
  behaviours: {
    paid: after('APPROVED'),
    neverResolves: {},
    paidAfterFailure: { ...after('DECLINED', 5000), lateSuccessAfterMs: 50_000 },
    wrongAmount: { behaviour: { ...after('APPROVED', 5000), echoAmount: 1 }, echo: money(100n, 'USD') },
    refusals: [
      ['declined', after('DECLINED', 5000), 'declined'],
      ['no money', after('INSUFFICIENT_FUNDS', 5000), 'insufficient_funds'],
      ['an expired card', after('EXPIRED_CARD', 5000), 'declined'],
      ['3-D Secure', after('AUTHENTICATION_FAILED', 5000), 'declined'],
    ],
  },
  withStatus: (text, word) =>
    text.replaceAll(/"gatewayCode":"[^"]*"/g, `"gatewayCode":${JSON.stringify(word)}`),
})
