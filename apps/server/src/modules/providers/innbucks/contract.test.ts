import { money } from '@muripo/contract/money'
import { describeConnector } from '../../../../test/connector-contract.ts'
import { systemClock } from '../../../platform/clock.ts'
import { configFor } from './fixtures.ts'
import { innbucksConnector } from './index.ts'

const after = (state: string, afterMs = 5000) => ({ ending: { state, afterMs } })

for (const responseCodes of ['number', 'text'])
  describeConnector(`InnBucks with response codes as ${responseCodes}`, {
    connect: (origin) => innbucksConnector(configFor(`${origin}/innbucks`), systemClock),
    isCharge: ({ path }) => path === '/innbucks/api/code/generate',
    lostCharge: 'unavailable',
    order: (simulator, behaviour) =>
      simulator.control('/control/innbucks/next', { behaviour: { responseCodes, ...behaviour } }),
    behaviours: {
      paid: after('Claimed'),
      neverResolves: { neverResolves: true },
      paidAfterFailure: { ...after('Expired'), lateClaimAfterMs: 50_000 },
      wrongAmount: { behaviour: { ...after('Paid'), echoMinor: 100 }, echo: money(100n, 'USD') },
      refusals: [
        ['left to expire', after('Expired'), 'expired'],
        ['timed out', after('Timed Out'), 'expired'],
      ],
    },
    withStatus: (text, word) => text.replace(/"status":"[^"]*"/, `"status":${JSON.stringify(word)}`),
  })
