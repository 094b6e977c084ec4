import { createHash, timingSafeEqual } from 'node:crypto'
import { type Clock, systemClock } from '../../../platform/clock.ts'
import {
  CALL_MAX_MS,
  type Connector,
  type LookupRequest,
  type NotFound,
  type ProceedRequest,
  ProviderError,
  type ProviderState,
  type RefundCalls,
  type RefundLookupRequest,
  type RefundRequest,
  type Reply,
} from '../connector.ts'
import { checkByLookup } from '../credential-check.ts'
import {
  authenticateBody,
  checkoutBody,
  initiateBody,
  payState,
  refundBody,
  SESSION_MS,
  sessionBody,
} from './bodies.ts'
import { type Answer, createClient } from './client.ts'
import type { MastercardConfig } from './config.ts'
import { authenticationOf, chargeReply, refundReply, unpaidReply, VOID } from './mapping.ts'
import { isNotFound, lookupError, refundError, sessionError, stepError, unsentSession } from './refusals.ts'
import { authenticationIdOf, nextStep, voidIdOf, voidStep } from './steps.ts'
import { Authentication, Order, Session, Transaction } from './wire.ts'

/** The version of the hosted page's address. */
const CHECKOUT_VERSION = '1.0.0'

type Read = Answer & { readonly body: Record<string, unknown> }
const hasBody = (answer: Answer): answer is Read =>
  answer.status >= 200 && answer.status < 300 && answer.body !== null

function sessionOf(answer: Answer): string | null {
  const reply = hasBody(answer) ? Session.safeParse(answer.body).data : undefined
  const id = reply?.session?.id ?? ''
  return reply?.result === 'SUCCESS' && /^[\w-]{1,100}$/.test(id) ? id : null
}

const transactionPath = (order: string, id: string): string =>
  `/order/${encodeURIComponent(order)}/transaction/${encodeURIComponent(id)}`

const refundOf = (key: string) => ({ id: key, type: /^REFUND$/ })
const voidOf = (key: string) => ({ id: voidIdOf(key), type: VOID })

const expiryOf = ({ expiresAt }: ProviderState): string | null =>
  typeof expiresAt === 'number' ? new Date(expiresAt).toISOString() : null

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

interface Options {
  readonly id?: string
  readonly name?: string
  readonly clock?: Clock
}

/** Cards through the Mastercard Gateway's Hosted Checkout: the payer enters the card on the gateway's own page. */
export function mastercardConnector(
  config: MastercardConfig,
  { id = 'mastercard', name = 'Mastercard Gateway', clock = systemClock }: Options = {},
): Connector & RefundCalls {
  const { currencies, notificationSecret } = config
  const client = createClient(config)

  const cardPage = (session: string): string =>
    `${config.url}/checkout/pay/${encodeURIComponent(session)}?checkoutVersion=${CHECKOUT_VERSION}`

  const scriptUrl = `${config.url}/form/version/${config.apiVersion}/merchant/${config.merchantId}/session.js`

  async function orderOf({ accountId, key }: LookupRequest): Promise<Order | null> {
    const answer = await client.get(accountId, `/order/${encodeURIComponent(key)}`)
    if (isNotFound(answer)) return null
    if (!hasBody(answer)) throw lookupError(answer)
    return Order.parse(answer.body)
  }

  async function lookup(request: LookupRequest): Promise<Reply | NotFound> {
    const { accountId, key, state, capture } = request
    let order = await orderOf(request)
    const step = order && order.id === key ? nextStep(order, request, config) : null
    if (step !== null) {
      const answer = await client.send(accountId, 'PUT', transactionPath(key, step.id), step.body)
      if (!hasBody(answer)) throw stepError(answer)
      // The order decides, not the answer: another process may have made the same call at the same time.
      order = await orderOf(request)
    }
    if (order !== null) return chargeReply(order, { key, state: state ?? {}, now: clock.now(), capture })
    // The gateway has no order until the payer enters a card.
    return state === null ? { kind: 'not_found' } : unpaidReply(state, 'no card entered', clock.now())
  }

  /**
   * Authenticates the payer of a session whose fields are filled in. The calls move no money; the payment follows in a look-up, also when
   * the process ends here.
   */
  async function proceed({ browser, ...request }: ProceedRequest): Promise<Reply | NotFound> {
    const { accountId, key, state, isOver } = request
    const order = await orderOf(request)
    if (state === null || isOver || (order !== null && authenticationOf(order) !== 'open'))
      return lookup(request)
    const path = transactionPath(key, authenticationIdOf(key))
    const authenticate = async (body: object) => {
      const answer = await client.send(accountId, 'PUT', path, body)
      if (!hasBody(answer)) throw stepError(answer)
      return Authentication.parse(answer.body)
    }
    if (order === null) {
      const { transaction } = await authenticate(initiateBody(state))
      if (transaction?.authenticationStatus !== 'AUTHENTICATION_AVAILABLE') return lookup(request)
    }
    const { authentication } = await authenticate(authenticateBody(state, browser))
    const form = authentication?.redirect?.customizedHtml?.['3ds2'] ?? null
    const reply = await lookup(request)
    // The bank of the card asks the payer, at a page that this form opens.
    if (reply.kind !== 'reply' || reply.outcome !== 'pending' || !form?.acsUrl || !form.cReq) return reply
    const next = { type: 'post_form', url: form.acsUrl, fields: { creq: form.cReq } } as const
    return { ...reply, next: { ...next, expiresAt: expiryOf(state) } }
  }

  async function lookupRefund({
    accountId,
    key,
    originalKey,
    state,
  }: RefundLookupRequest): Promise<Reply | NotFound> {
    for (const requested of [refundOf(key), voidOf(key)]) {
      const answer = await client.get(accountId, transactionPath(originalKey, requested.id))
      if (isNotFound(answer)) continue
      if (!hasBody(answer)) throw lookupError(answer)
      const reply = refundReply(Transaction.parse(answer.body), { originalKey, ...requested })
      // Without a stored reply, the refund after a refused void may still be on its way.
      if (requested.type !== VOID || reply.outcome !== 'failed' || state !== null) return reply
    }
    return { kind: 'not_found' }
  }

  /** The outcome of a void in place of a refund; null when the gateway refuses it, so that no money has moved. */
  async function voidPayment(request: RefundRequest): Promise<Reply | null> {
    const { accountId, key, originalKey } = request
    const step = voidStep(request, clock.now())
    if (step === null) return null
    const answer = await client.send(accountId, 'PUT', transactionPath(originalKey, step.id), step.body)
    if (hasBody(answer)) {
      const reply = refundReply(Transaction.parse(answer.body), { originalKey, ...voidOf(key) })
      return reply.outcome === 'failed' ? null : reply
    }
    const error = refundError(answer)
    if (error.kind === 'invalid' && answer.status !== 401) return null
    throw error
  }

  return {
    id,
    name,
    methods: ['visa'],
    currencies,
    needs: () => [],
    refund: 'api-partial',
    reversals: 'reported',
    authorise: { captureWithinMs: config.captureWithinMs },
    minPollMs: 3000,
    // A charge without an answer has no card page, so that it cannot be paid once its call has ended.
    attemptTtlMs: 2 * 60_000,
    callbackReply: { status: 200, contentType: 'application/json', body: '{"status":"received"}' },
    refuseNumber: () => null,
    isAuthentic(headers) {
      const secret = headers['x-notification-secret']
      if (notificationSecret === null || typeof secret !== 'string') return true
      return timingSafeEqual(digest(secret), digest(notificationSecret))
    },
    async charge(request) {
      if (!currencies.includes(request.amount.currency))
        throw new ProviderError('invalid', `The card account does not take ${request.amount.currency}`, {
          neverSent: true,
        })
      const isPage = config.checkout === 'page'
      const body = isPage ? checkoutBody(config, request) : sessionBody
      const expiresAt = clock.now().getTime() + SESSION_MS
      const answer = await client
        .send(request.accountId, 'POST', '/session', body)
        .catch((error: unknown) => {
          throw unsentSession(error)
        })
      const session = sessionOf(answer)
      if (session === null) throw sessionError(answer)
      const state = { session, expiresAt, ...(!isPage && payState(request)) }
      const end = { expiresAt: expiryOf(state) }
      return {
        kind: 'reply',
        outcome: 'pending',
        providerStatus: 'session created',
        providerReference: null,
        state,
        echo: null,
        reason: null,
        next: isPage
          ? { type: 'redirect', url: cardPage(session), ...end }
          : { type: 'hosted_fields', script: scriptUrl, session, ...end },
      }
    },
    lookup,
    ...(config.checkout === 'session' && { proceed }),
    async refundCharge(request) {
      const { accountId, key, originalKey } = request
      const start = clock.now().getTime()
      const voided = await voidPayment(request)
      if (voided !== null) return voided
      // A call has to end within its time: a refund that is not sent any more has moved nothing.
      if (clock.now().getTime() - start > CALL_MAX_MS - client.timeoutMs)
        throw new ProviderError(
          'unavailable',
          'The Mastercard Gateway refused the void too late for a refund',
        )
      const answer = await client.send(
        accountId,
        'PUT',
        transactionPath(originalKey, key),
        refundBody(request),
      )
      if (!hasBody(answer)) throw refundError(answer)
      return refundReply(Transaction.parse(answer.body), { originalKey, ...refundOf(key) })
    },
    lookupRefund,
    checkCredentials: checkByLookup(lookup),
    health: client.health,
  }
}
