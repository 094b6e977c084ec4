import { money } from '@muripo/contract/money'
import { describeConnector } from '../../../../test/connector-contract.ts'
import { referenceOf } from './bodies.ts'
import { configFor } from './fixtures.ts'
import { ecocashOpenConnector } from './index.ts'

const after = (verdict: string, afterMs = 5000) => ({ decision: { verdict, afterMs } })

for (const paymentReply of ['empty', 'body'] as const)
  describeConnector(
    `EcoCash Open with ${paymentReply === 'empty' ? 'empty replies' : 'a body in replies'} to payments`,
    {
      connect: (origin) =>
        ecocashOpenConnector(
          configFor(`${origin}/ecocash-open`, {
            refundReference: paymentReply === 'empty' ? 'ecocashReference' : 'sourceReference',
            zwgCode: paymentReply === 'empty' ? 'ZiG' : 'ZWG',
          }),
        ),
      isCharge: ({ path }) => path === '/ecocash-open/api/v2/payment/instant/c2b/sandbox',
      isRefund: ({ path }) => path === '/ecocash-open/api/v2/refund/instant/c2b/sandbox',
      noRefundLookup: true,
      lostCharge: 'unknown',
      emptyHasMeaning: true,
      reverse: (simulator, { request }) =>
        simulator.control(`/control/reversals/${referenceOf(request.key)}`, {}),
      order: (simulator, behaviour) => simulator.order({ ecocashOpen: { paymentReply }, ...behaviour }),
      behaviours: {
        paid: after('success'),
        neverResolves: { neverResolves: true },
        paidAfterFailure: { ...after('cancelled'), lateSuccessAfterMs: 50_000 },
        wrongAmount: { behaviour: { ...after('success'), echoAmount: 1 }, echo: money(100n, 'USD') },
        refusals: [
          ['no money', after('insufficient_funds'), 'declined'],
          ['no money, at once', after('insufficient_funds', 0), 'declined'],
          ['wrong PIN', after('wrong_pin'), 'declined'],
          ['cancelled', after('cancelled'), 'user_cancelled'],
          ['left to expire', after('expired'), 'declined'],
        ],
      },
      withStatus: (text, word) =>
        text.replace(/"(transactionStatus|status)":"[^"]*"/, `"$1":${JSON.stringify(word)}`),
    },
  )
