import { createHash, timingSafeEqual } from 'node:crypto'
import { toMajor } from '@muripo/contract/money'
import { problemOf } from '@muripo/locales/form-problems'
import {
  type ChargeRequest,
  type Connector,
  type LookupRequest,
  type NotFound,
  ProviderError,
  phoneOf,
  type Reply,
} from '../connector.ts'
import { createHttpClient, type HttpAnswer } from '../http-client.ts'
import { onlyTestNumbers, toMsisdn } from '../msisdn.ts'
import { plainText } from '../texts.ts'
import { type PesepayConfig, type Wallet, walletNames, walletOf, wireNames } from './config.ts'
import { encrypt, openEnvelope } from './envelope.ts'
import { statusPath, toInitiated, toLookupReply, toStarted } from './mapping.ts'
import { errorOf } from './refusals.ts'
import { Payment } from './wire.ts'

const ecocashNumber = /^2637[78]\d{7}$/
const nationalNumber = (msisdn: string): string => `0${msisdn.slice(3)}`

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Only the answer contains the address of the page or the code: without it nobody can pay, whether it was processed or not. */
function undelivered(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'unknown') return error
  const { message, providerCode, cause } = error
  return new ProviderError('unavailable', message, { providerCode, cause })
}

/** Pesepay: an aggregator at whose page the payer enters a card, and which asks wallets by a phone number without a page. */
export function pesepayConnector(
  config: PesepayConfig,
  { id, name } = { id: 'pesepay', name: 'Pesepay' },
): Connector {
  const { baseUrl, integrationKey, encryptionKey, currencies, walletCodes, testNumbers, timeoutMs } = config
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

  const notTaken = (what: string) =>
    new ProviderError('invalid', `The Pesepay account does not take ${what}`, { neverSent: true })

  function bodyOf({ amount, key, description, callbackUrl, returnUrl }: ChargeRequest): object {
    const currency = currencies.find((each) => each === amount.currency)
    if (!currency) throw notTaken(amount.currency)
    return {
      amountDetails: { amount: toMajor(amount), currencyCode: wireNames[currency] },
      reasonForPayment: plainText(description, 'Payment'),
      merchantReference: key,
      resultUrl: callbackUrl,
      returnUrl,
    }
  }

  function walletBody(request: ChargeRequest, wallet: Wallet): object {
    const body = bodyOf(request)
    const { currency } = request.amount
    const paymentMethodCode = walletCodes[wallet][currency]
    if (paymentMethodCode === undefined) throw notTaken(`${wallet} in ${currency}`)
    const phone = nationalNumber(phoneOf(request))
    const fields = { customerPhoneNumber: phone }
    const customer = { phoneNumber: phone, name: 'Customer', ...(request.email && { email: request.email }) }
    // Clients of Pesepay send the fields under both names.
    return {
      ...body,
      paymentMethodCode,
      customer,
      paymentMethodRequiredFields: fields,
      paymentRequestFields: fields,
    }
  }

  function send({ accountId }: ChargeRequest, path: string, body: object): Promise<HttpAnswer> {
    const text = JSON.stringify({ payload: encrypt(JSON.stringify(body), encryptionKey) })
    return http.once(accountId, { method: 'POST', path, body: { type: 'application/json', text } })
  }

  async function charge(request: ChargeRequest): Promise<Reply> {
    const wallet = walletOf(request.method)
    if (wallet === null) {
      const answer = await send(request, '/v1/payments/initiate', bodyOf(request)).catch((error: unknown) => {
        throw undelivered(error)
      })
      const payment = read(answer)
      const reply = payment && toInitiated(payment, baseUrl)
      if (reply === null) throw errorOf(answer, 'payment', 'unavailable')
      return reply
    }
    const isPush = wallet === 'ecocash'
    const body = walletBody(request, wallet)
    const answer = await send(request, '/v2/payments/make-payment', body).catch((error: unknown) => {
      throw isPush ? error : undelivered(error)
    })
    const payment = read(answer)
    const reply = payment && toStarted(payment, wallet, baseUrl)
    if (reply === null) throw errorOf(answer, 'payment', isPush ? 'unknown' : 'unavailable')
    return reply
  }

  async function lookup(request: LookupRequest): Promise<Reply | NotFound> {
    // Pesepay finds a payment by its own reference only. Without the reply that contained it, no payer has seen the page.
    if (request.state === null && request.msisdn === null) return { kind: 'not_found' }
    // The subscriber may have paid, and only an operator can find out.
    if (request.state === null) throw new ProviderError('unknown', 'The reference of this charge is lost')
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
    methods: ['visa', ...walletNames],
    currencies,
    takes(method, currency) {
      const wallet = walletOf(method)
      return wallet === null || walletCodes[wallet][currency] !== undefined
    },
    needs: (method) => (walletOf(method) === null ? [] : ['phone']),
    ...(testNumbers && { testNumbers }),
    refund: 'manual',
    reversals: 'reported',
    minPollMs: 3000,
    // A card's charge without an answer has no page, so that it cannot be paid once its call has ended.
    attemptTtlMs: 2 * 60_000,
    callbackReply: { status: 200, contentType: 'application/json', body: '{"status":"received"}' },
    refuseNumber(msisdn, method) {
      if (method === 'ecocash' && !ecocashNumber.test(msisdn)) return problemOf('phoneNotEcocash')
      if (!/^2637\d{8}$/.test(msisdn)) return problemOf('phoneNotMobile')
      if (!testNumbers || testNumbers.some((number) => toMsisdn(number) === msisdn)) return null
      return onlyTestNumbers(testNumbers)
    },
    // The header is sometimes absent.
    isAuthentic: ({ authorization }) =>
      authorization === undefined || timingSafeEqual(digest(authorization), digest(integrationKey)),
    charge,
    lookup,
    health: http.health,
  }
}
