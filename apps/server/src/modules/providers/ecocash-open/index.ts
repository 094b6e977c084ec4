import { type Money, toMajor } from '@muripo/contract/money'
import {
  type Connector,
  type LookupRequest,
  type NotFound,
  ProviderError,
  phoneOf,
  type RefundCalls,
  type Reply,
} from '../connector.ts'
import { checkByLookup } from '../credential-check.ts'
import { refuseOtherThanEcocash, refuseRealNumber } from '../msisdn.ts'
import { plainText } from '../texts.ts'
import { type Answer, createClient } from './client.ts'
import { currencyCode, type EcocashOpenConfig, ecocashOpenCurrencies } from './config.ts'
import { accepted, notLookedUp, toRefundReply, toReply } from './mapping.ts'
import { referenceOf } from './reference.ts'
import { callError } from './refusals.ts'
import { Transaction } from './wire.ts'

const succeeded = ({ status }: Answer): boolean => status >= 200 && status < 300

/**
 * The EcoCash Open API: a push to the subscriber's phone, whose outcome only look-ups find out. Callbacks go to an address of the portal,
 * which cannot contain a payment's token, so that none are received.
 */
export function ecocashOpenConnector(
  config: EcocashOpenConfig,
  { id, name } = { id: 'ecocash-open', name: 'EcoCash Open' },
): Connector & RefundCalls {
  const { testNumbers } = config
  const client = createClient(config)

  function wireCurrency({ currency }: Money): string {
    const code = currencyCode(config, currency)
    if (code === null)
      throw new ProviderError('invalid', `EcoCash Open does not take ${currency}`, { neverSent: true })
    return code
  }

  async function lookup(request: LookupRequest): Promise<Reply | NotFound> {
    const sourceReference = referenceOf(request.key)
    const answer = await client.lookUp(request.accountId, {
      sourceMobileNumber: phoneOf(request),
      sourceReference,
    })
    if (answer.isEmpty && succeeded(answer)) return { kind: 'not_found' }
    if (answer.status === 404 && (answer.body !== null || answer.isEmpty)) return { kind: 'not_found' }
    if (!succeeded(answer) || answer.body === null) throw callError(answer, 'look-up')
    return { ...toReply(Transaction.parse(answer.body), sourceReference), state: request.state ?? {} }
  }

  return {
    id,
    name,
    methods: ['ecocash'],
    currencies: ecocashOpenCurrencies,
    needs: () => ['phone'],
    // Refunds in parts are not documented.
    refund: 'api-full',
    // No status for a reversed payment is documented, and callbacks are not received.
    reversals: 'unreported',
    minPollMs: 3000,
    attemptTtlMs: 10 * 60_000,
    ...(testNumbers && { testNumbers }),
    refuseNumber: (msisdn) => refuseOtherThanEcocash(msisdn) ?? refuseRealNumber(testNumbers, msisdn),
    async charge(request) {
      const { accountId, key, amount, description, shopName } = request
      const sourceReference = referenceOf(key)
      const answer = await client.pay(accountId, {
        customerMsisdn: phoneOf(request),
        amount: toMajor(amount),
        reason: plainText(description, 'Payment'),
        currency: wireCurrency(amount),
        sourceReference,
      })
      const state = { shopName }
      if (succeeded(answer) && answer.isEmpty) return { ...accepted, state }
      if (!succeeded(answer) || answer.body === null) throw callError(answer, 'payment')
      return { ...toReply(Transaction.parse(answer.body), sourceReference), state }
    },
    lookup,
    async refundCharge(request) {
      const { accountId, amount, originalState, reason } = request
      const { shopName } = originalState
      const [refund, original] = [referenceOf(request.key), referenceOf(request.originalKey)]
      // The names are those of the API, misspelling included.
      const answer = await client.refund(accountId, {
        origionalEcocashTransactionReference:
          config.refundReference === 'ecocashReference' ? request.originalReference : original,
        refundCorelator: refund,
        sourceMobileNumber: phoneOf(request),
        amount: toMajor(amount),
        clientName: plainText(typeof shopName === 'string' ? shopName : '', 'Muripo'),
        currency: wireCurrency(amount),
        reasonForRefund: plainText(reason, 'Refund'),
      })
      if (succeeded(answer) && answer.isEmpty) return accepted
      if (!succeeded(answer) || answer.body === null) throw callError(answer, 'refund')
      return toRefundReply(Transaction.parse(answer.body), refund, original)
    },
    lookupRefund: async () => notLookedUp,
    checkCredentials: checkByLookup(lookup),
    health: client.health,
  }
}
