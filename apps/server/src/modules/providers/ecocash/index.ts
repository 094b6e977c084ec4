import {
  type ChargeRequest,
  type Connector,
  type LookupRequest,
  type NotFound,
  type Outcome,
  type ProviderState,
  phoneOf,
  type RefundCalls,
  type RefundRequest,
  type Reply,
} from '../connector.ts'
import { checkByLookup } from '../credential-check.ts'
import { refuseOtherThanEcocash, refuseRealNumber } from '../msisdn.ts'
import { chargeBody, refundBody } from './bodies.ts'
import { type Answer, createClient } from './client.ts'
import { type EcocashConfig, ecocashCurrencies } from './config.ts'
import { toReply } from './mapping.ts'
import { lookupError, moneyCallError } from './refusals.ts'
import { AmountTransaction, isAllNull } from './wire.ts'

export type { EcocashConfig } from './config.ts'

const succeeded = ({ status }: Answer): boolean => status >= 200 && status < 300

/** EcoCash Instant Payment (EIP): a push to the subscriber's phone, which the subscriber confirms with the wallet's PIN. */
export function ecocashConnector(
  config: EcocashConfig,
  { id, name } = { id: 'ecocash', name: 'EcoCash' },
): Connector & RefundCalls {
  const { testNumbers, refundType = 'REF' } = config
  const client = createClient(config)

  async function moneyCall(
    call: 'charge' | 'refund',
    request: ChargeRequest | RefundRequest,
    path: string,
    body: object,
    state: ProviderState,
  ): Promise<Reply> {
    const answer = await client.post(request.accountId, path, body)
    if (!succeeded(answer) || answer.body === null || isAllNull(answer.body)) {
      throw moneyCallError(answer, call)
    }
    return toReply(config, AmountTransaction.parse(answer.body), { key: request.key, state })
  }

  async function query(request: LookupRequest): Promise<Reply | NotFound> {
    const { accountId, key, state } = request
    const path = `/${encodeURIComponent(phoneOf(request))}/transactions/amount/${encodeURIComponent(key)}`
    const answer = await client.get(accountId, path)
    const { body } = answer
    // An HTML 404 comes from a proxy in front of the gateway and says nothing about the charge.
    if (answer.status === 404 && (body !== null || answer.isEmpty)) return { kind: 'not_found' }
    if (!succeeded(answer) || body === null) throw lookupError(answer)
    if (isAllNull(body)) return { kind: 'not_found' }
    return toReply(config, AmountTransaction.parse(body), { key, state: state ?? {} })
  }

  /** A refund that is done is completed, whichever status the gateway uses for it. A refund that is itself reversed is not done. */
  const done: readonly Outcome[] = refundType === 'REV' ? ['refunded', 'reversed'] : ['refunded']
  const asRefund = <T extends Reply | NotFound>(reply: T): T =>
    reply.kind === 'reply' && done.includes(reply.outcome) ? { ...reply, outcome: 'completed' } : reply

  return {
    id,
    name,
    methods: ['ecocash'],
    currencies: ecocashCurrencies,
    needs: () => ['phone'],
    refund: 'api-partial',
    reversals: 'reported',
    ...(config.dialIn !== undefined && { dialIn: { ecocash: config.dialIn } }),
    minPollMs: 3000,
    callsPerMinute: 500,
    attemptTtlMs: 10 * 60_000,
    callbackReply: { status: 200, contentType: 'application/json', body: '{"status":"received"}' },
    ...(testNumbers && { testNumbers }),
    refuseNumber: (msisdn) => refuseOtherThanEcocash(msisdn) ?? refuseRealNumber(testNumbers, msisdn),
    charge: async (request) => {
      const body = chargeBody(config, request)
      return moneyCall('charge', request, '/transactions/amount', body, { shopName: request.shopName })
    },
    lookup: query,
    refundCharge: async (request) => {
      const body = refundBody(config, request)
      return asRefund(await moneyCall('refund', request, '/transactions/refund', body, {}))
    },
    lookupRefund: async (request) => asRefund(await query(request)),
    checkCredentials: checkByLookup(query),
    health: client.health,
  }
}
