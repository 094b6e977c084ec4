import { money } from '@muripo/contract/money'
import { describeConnector } from '../../../../test/connector-contract.ts'
import type { ConnectorUnderTest } from '../../../../test/connector-under-test.ts'
import type { Simulator } from '../../../../test/simulator.ts'
import { configFor } from './fixtures.ts'
import { pesepayConnector } from './index.ts'
import { encrypt, openEnvelope } from './wire.ts'

const { encryptionKey } = configFor('http://127.0.0.1:9')
const after = (status: string, afterMs = 5000) => ({ ending: { status, afterMs } })

async function order(simulator: Simulator, behaviour: object): Promise<void> {
  const response = await fetch(`${simulator.url}/control/pesepay/next`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ behaviour }),
  })
  if (!response.ok) throw new Error(`the simulator refused an order: ${await response.text()}`)
}

const under: ConnectorUnderTest = {
  connect: (origin) => pesepayConnector(configFor(`${origin}/pesepay`)),
  isCharge: ({ method }) => method === 'POST',
  lostCharge: 'unavailable',
  reverse: (simulator, { reply }) =>
    simulator.control(`/control/pesepay/payments/${reply.providerReference}`, { status: 'REVERSED' }),
  order,
  behaviours: {
    paid: after('SUCCESS'),
    neverResolves: {},
    paidAfterFailure: { ...after('FAILED'), lateSuccessAfterMs: 50_000 },
    wrongAmount: { behaviour: { ...after('SUCCESS'), echoMinor: 100 }, echo: money(100n, 'USD') },
    refusals: [
      ['declined', after('DECLINED'), 'declined'],
      ['no money', after('INSUFFICIENT_FUNDS'), 'insufficient_funds'],
      ['cancelled', after('CANCELLED'), 'user_cancelled'],
      ['the end of the page', after('CLOSED_PERIOD_ELAPSED'), 'expired'],
    ],
  },
  withStatus(text, word) {
    const body = openEnvelope(text, encryptionKey)
    return JSON.stringify({
      payload: encrypt(JSON.stringify({ ...body, transactionStatus: word }), encryptionKey),
    })
  },
}

describeConnector('Pesepay', under)

describeConnector('Pesepay without its page', {
  ...under,
  charge: { method: 'ecocash', msisdn: '263771000001' },
  // The subscriber may have confirmed on the phone, and the reference that finds the payment is lost.
  lostCharge: 'unknown',
  noLostLookup: true,
})
