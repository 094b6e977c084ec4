import { money } from '@muripo/contract/money'
import { describeConnector } from '../connector-contract.ts'
import { sampleConnector } from './index.ts'

const after = (status: string) => ({ ending: { status, afterMs: 5000 } })

describeConnector('Sample', {
  connect: (origin) => sampleConnector({ baseUrl: `${origin}/sample` }),
  isCharge: ({ method, path }) => method === 'POST' && path === '/sample/charges',
  lostCharge: 'unknown',
  order: (simulator, behaviour) => simulator.control('/control/sample/next', { behaviour }),
  behaviours: {
    paid: after('paid'),
    neverResolves: {},
    paidAfterFailure: { ...after('refused'), latePaymentAfterMs: 50_000 },
    wrongAmount: { behaviour: { ...after('paid'), echoMinor: 100 }, echo: money(100n, 'USD') },
    refusals: [['by the provider', after('refused'), 'declined']],
  },
  withStatus: (text, word) => text.replace(/"status":"[^"]*"/, `"status":${JSON.stringify(word)}`),
})
