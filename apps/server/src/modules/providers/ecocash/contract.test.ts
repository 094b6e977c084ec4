import { money } from '@muripo/contract/money'
import { describeConnector } from '../../../../test/connector-contract.ts'
import { configFor } from './fixtures.ts'
import { ecocashConnector } from './index.ts'

const after = (verdict: string, afterMs = 5000) => ({ decision: { verdict, afterMs } })

for (const [vocabulary, refundType] of [
  ['legacy', 'REF'],
  ['portal', 'REF'],
  ['portal', 'REV'],
] as const)
  describeConnector(`EcoCash in the ${vocabulary} vocabulary with ${refundType}`, {
    connect: (origin) => ecocashConnector(configFor(`${origin}/ecocash/payment/v1`, { refundType })),
    isCharge: ({ method, path }) => method === 'POST' && path.endsWith('/transactions/amount'),
    isRefund: ({ method, path }) => method === 'POST' && path.endsWith('/transactions/refund'),
    lostCharge: 'unknown',
    reverse: (simulator, { request }) =>
      simulator.control(`/control/reversals/${request.key}`, { reported: false }),
    refundOutside: (simulator, { request }, minor) =>
      simulator.control(`/control/refunds/${request.key}`, { minor }),
    order: (simulator, behaviour) => simulator.order({ vocabulary, ...behaviour }),
    behaviours: {
      paid: after('success'),
      neverResolves: { neverResolves: true },
      paidAfterFailure: { ...after('cancelled'), lateSuccessAfterMs: 50_000 },
      wrongAmount: { behaviour: { ...after('success'), echoAmount: 1 }, echo: money(100n, 'USD') },
      earlyCallback: { callback: 'before_reply' },
      refusals: [
        ['no money', after('insufficient_funds'), 'insufficient_funds'],
        ['no money, at once', after('insufficient_funds', 0), 'insufficient_funds'],
        ['over the limit', after('limit_exceeded'), 'limit_exceeded'],
        ['over the limit, at once', after('limit_exceeded', 0), 'limit_exceeded'],
        ['wrong PIN', after('wrong_pin'), 'wrong_pin'],
        ['barred', after('barred'), 'barred'],
        ['cancelled', after('cancelled'), 'user_cancelled'],
        ['left to expire', after('expired'), 'expired'],
      ],
    },
    withStatus: (text, word) =>
      text.replace(/"(transactionOperationStatus|status)":"[^"]*"/, `"$1":${JSON.stringify(word)}`),
  })
