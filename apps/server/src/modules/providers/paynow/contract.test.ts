import { money } from '@muripo/contract/money'
import { describeConnector } from '../../../../test/connector-contract.ts'
import { configFor, usd } from './fixtures.ts'
import { paynowConnector } from './index.ts'
import { readMessage, signedBody } from './wire.ts'

const after = (verdict: string, afterMs = 5000) => ({ decision: { verdict, afterMs } })

for (const method of ['onemoney', 'innbucks', 'visa'] as const)
  describeConnector(`Paynow for ${method}`, {
    connect: (origin) => paynowConnector(configFor(`${origin}/paynow`)),
    isCharge: ({ method: verb, path }) => verb === 'POST' && path.endsWith('transaction'),
    charge: { method },
    lostCharge: 'unknown',
    reverse: (simulator, { request }) => simulator.control(`/control/reversals/${request.key}`, {}),
    refundOutside: (simulator, { request }, minor) =>
      simulator.control(`/control/refunds/${request.key}`, { minor }),
    order: (simulator, behaviour) => simulator.order(behaviour),
    behaviours: {
      paid: after('success'),
      neverResolves: { neverResolves: true },
      paidAfterFailure: { ...after('cancelled'), lateSuccessAfterMs: 50_000 },
      wrongAmount: { behaviour: { ...after('success'), echoAmount: 1 }, echo: money(100n, 'USD') },
      earlyCallback: { callback: 'before_reply' },
      refusals: [
        ['no money, at once', after('insufficient_funds', 0), 'insufficient_funds'],
        ['no money', after('insufficient_funds'), 'declined'],
        ['wrong PIN', after('wrong_pin'), 'declined'],
        ['cancelled', after('cancelled'), 'user_cancelled'],
      ],
    },
    withStatus(text, word) {
      const fields = readMessage(text)?.fields ?? []
      const changed = fields.filter(([name]) => name !== 'hash')
      return signedBody(
        changed.map(([name, value]) => [name, name === 'status' ? word : value]),
        usd.key,
      )
    },
  })
