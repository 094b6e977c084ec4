import { createHash, timingSafeEqual } from 'node:crypto'
import { toMajor } from '@muripo/contract/money'
import {
  type ChargeRequest,
  type Connector,
  type LookupRequest,
  type NotFound,
  ProviderError,
  type Reply,
} from '../connector.ts'
import { createHttpClient, type HttpAnswer } from '../http-client.ts'
import { plainText } from '../texts.ts'
import { type PesepayConfig, wireNames } from './config.ts'
import { encrypt, openEnvelope } from './envelope.ts'
import { statusPath, toInitiated, toLookupReply } from './mapping.ts'
import { errorOf } from './refusals.ts'
import { Payment } from './wire.ts'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Only the answer contains the address of the page: without it nobody can pay, whether the request was processed or not. */
function withoutPage(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'unknown') return error
  const { message, providerCode, cause } = error
  return new ProviderError('unavailable', message, { providerCode, cause })
}

/** Pesepay: an aggregator at whose page the payer enters a card. */
export function pesepayConnector(
  config: PesepayConfig,
  { id, name } = { id: 'pesepay', name: 'Pesepay' },
): Connector {
  const { baseUrl, integrationKey, encryptionKey, currencies, timeoutMs } = config
  const read = ({ status, text }: HttpAnswer): Payment | null => {
    const body = status >= 200 && status < 300 ? openEnvelope(text, encryptionKey) : null
    return body && Payment.parse(body)
  }
  const http = createHttpClient({
    name: 'Pesepay',
    baseUrl,
    healthPath: '/v1/currencies/active',
    // Pesepay's own clients send the first header, others the second one.
    headers: { key: integrationKey, authorization: integrationKey, accept: 'application/json' },
    hasMalformedHeaders: true,
    isUseless: (answer) => answer.status >= 500 || (answer.status < 300 && read(answer) === null),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })

  function bodyOf({ amount, key, description, callbackUrl, returnUrl }: ChargeRequest): string {
    const currency = currencies.find((each) => each === amount.currency)
    if (!currency)
      throw new ProviderError('invalid', `The Pesepay account does not take ${amount.currency}`, {
        neverSent: true,
      })
    return JSON.stringify({
      amountDetails: { amount: toMajor(amount), currencyCode: wireNames[currency] },
      reasonForPayment: plainText(description, 'Payment'),
      merchantReference: key,
      resultUrl: callbackUrl,
      returnUrl,
    })
  }

  async function charge(request: ChargeRequest): Promise<Reply> {
    const text = JSON.stringify({ payload: encrypt(bodyOf(request), encryptionKey) })
    const answer = await http
      .once(request.accountId, {
        method: 'POST',
        path: '/v1/payments/initiate',
        body: { type: 'application/json', text },
      })
      .catch((error: unknown) => {
        throw withoutPage(error)
      })
    const payment = read(answer)
    const reply = payment && toInitiated(payment, baseUrl)
    if (reply === null) throw errorOf(answer, 'payment', 'unavailable')
    return reply
  }

  async function lookup(request: LookupRequest): Promise<Reply | NotFound> {
    // Pesepay finds a payment by its own reference only. Without the reply that contained it, no payer has seen the page.
    if (request.state === null) return { kind: 'not_found' }
    const path = statusPath(request.state, baseUrl)
    if (path === null) throw new ProviderError('unknown', 'The status of this charge is not at this address')
    const answer = await http.repeatable(request.accountId, { method: 'GET', path })
    const payment = read(answer)
    if (payment === null) throw errorOf(answer, 'look-up', 'unknown')
    return toLookupReply(payment, request)
  }

  return {
    id,
    name,
    methods: ['visa'],
    currencies,
    needs: () => [],
    refund: 'manual',
    minPollMs: 3000,
    // A charge without an answer has no page, so that it cannot be paid once its call has ended.
    attemptTtlMs: 2 * 60_000,
    callbackReply: { status: 200, contentType: 'application/json', body: '{"status":"received"}' },
    refuseNumber: () => null,
    // The header is sometimes absent.
    isAuthentic: ({ authorization }) =>
      authorization === undefined || timingSafeEqual(digest(authorization), digest(integrationKey)),
    charge,
    lookup,
    health: http.health,
  }
}
