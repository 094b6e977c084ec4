import { createHash, timingSafeEqual } from 'node:crypto'
import { type Clock, systemClock } from '../../../platform/clock.ts'
import type {
  Connector,
  LookupRequest,
  NotFound,
  RefundCalls,
  RefundLookupRequest,
  RefundRequest,
  Reply,
} from '../connector.ts'
import { checkoutBody, refundBody, SESSION_MS } from './bodies.ts'
import { type Answer, createClient } from './client.ts'
import type { MastercardConfig } from './config.ts'
import { chargeReply, refundReply, unpaidReply } from './mapping.ts'
import { isNotFound, lookupError, refundError, sessionError, unsentSession } from './refusals.ts'
import { Order, Session, Transaction } from './wire.ts'

/** The version of the hosted page's address. */
const CHECKOUT_VERSION = '1.0.0'

type Read = Answer & { readonly body: Record<string, unknown> }
const hasBody = (answer: Answer): answer is Read =>
  answer.status >= 200 && answer.status < 300 && answer.body !== null

function sessionOf(answer: Answer): string | null {
  const said = hasBody(answer) ? Session.safeParse(answer.body).data : undefined
  const id = said?.session?.id ?? ''
  return said?.result === 'SUCCESS' && /^[\w-]{1,100}$/.test(id) ? id : null
}

const refundPath = ({ originalKey, key }: Pick<RefundRequest, 'originalKey' | 'key'>) =>
  `/order/${encodeURIComponent(originalKey)}/transaction/${encodeURIComponent(key)}`

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

  async function lookup({ accountId, key, state }: LookupRequest): Promise<Reply | NotFound> {
    const answer = await client.get(accountId, `/order/${encodeURIComponent(key)}`)
    // The gateway has no order until the payer enters a card.
    if (isNotFound(answer))
      return state === null ? { kind: 'not_found' } : unpaidReply(state, 'no card entered', clock.now())
    if (!hasBody(answer)) throw lookupError(answer)
    return chargeReply(Order.parse(answer.body), { key, state: state ?? {}, now: clock.now() })
  }

  async function lookupRefund(request: RefundLookupRequest): Promise<Reply | NotFound> {
    const answer = await client.get(request.accountId, refundPath(request))
    if (isNotFound(answer)) return { kind: 'not_found' }
    if (!hasBody(answer)) throw lookupError(answer)
    return refundReply(Transaction.parse(answer.body), request)
  }

  return {
    id,
    name,
    methods: ['visa'],
    currencies,
    needs: () => [],
    refund: 'api-partial',
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
      const body = checkoutBody(config, request)
      const expiresAt = clock.now().getTime() + SESSION_MS
      const answer = await client
        .send(request.accountId, 'POST', '/session', body)
        .catch((error: unknown) => {
          throw unsentSession(error)
        })
      const session = sessionOf(answer)
      if (session === null) throw sessionError(answer)
      return {
        kind: 'reply',
        outcome: 'pending',
        providerStatus: 'session created',
        providerReference: null,
        state: { session, expiresAt },
        echo: null,
        reason: null,
        next: { type: 'redirect', url: cardPage(session), expiresAt: new Date(expiresAt).toISOString() },
      }
    },
    lookup,
    async refundCharge(request) {
      const body = refundBody(request)
      const answer = await client.send(request.accountId, 'PUT', refundPath(request), body)
      if (!hasBody(answer)) throw refundError(answer)
      return refundReply(Transaction.parse(answer.body), request)
    },
    lookupRefund,
    health: client.health,
  }
}
