import {
  type ChargeRequest,
  type LookupRequest,
  type NotFound,
  type ProceedRequest,
  ProviderError,
  type ProviderState,
  type Reply,
  unpayable,
} from '../connector.ts'
import { hasBody, type JsonAnswer } from '../json.ts'
import { authenticateBody, checkoutBody, initiateBody, payState, SESSION_MS, sessionBody } from './bodies.ts'
import { type MastercardAccount, orderPath, transactionPath } from './client.ts'
import { authenticationOf, chargeReply, unpaidReply } from './mapping.ts'
import { isNotFound, lookupError, sessionError, stepError } from './refusals.ts'
import type { MastercardConfig } from './settings.ts'
import { authenticationIdOf, nextStep } from './steps.ts'
import { Authentication, Order, Session } from './wire.ts'

/** The version of the hosted page's address. */
const CHECKOUT_VERSION = '1.0.0'

const cardPage = ({ baseUrl }: MastercardConfig, session: string): string =>
  `${baseUrl}/checkout/pay/${encodeURIComponent(session)}?checkoutVersion=${CHECKOUT_VERSION}`

const scriptUrl = ({ baseUrl, apiVersion, merchantId }: MastercardConfig): string =>
  `${baseUrl}/form/version/${apiVersion}/merchant/${merchantId}/session.js`

const expiryOf = ({ expiresAt }: ProviderState): string | null =>
  typeof expiresAt === 'number' ? new Date(expiresAt).toISOString() : null

function sessionOf(answer: JsonAnswer): string | null {
  const reply = hasBody(answer) ? Session.safeParse(answer.body).data : undefined
  const id = reply?.session?.id ?? ''
  return reply?.result === 'SUCCESS' && /^[\w-]{1,100}$/.test(id) ? id : null
}

/** Opens a session, in which the payer enters a card. */
export async function startCharge(
  { config, client, clock }: MastercardAccount,
  request: ChargeRequest,
): Promise<Reply> {
  if (!config.currencies.includes(request.amount.currency))
    throw new ProviderError('invalid', `The card account does not take ${request.amount.currency}`, {
      neverSent: true,
    })
  const isPage = config.checkout === 'page'
  const body = isPage ? checkoutBody(config, request) : sessionBody
  const expiresAt = clock.now().getTime() + SESSION_MS
  const answer = await client.send(request.accountId, 'POST', '/session', body).catch((error: unknown) => {
    throw unpayable(error)
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
      ? { type: 'redirect', url: cardPage(config, session), ...end }
      : { type: 'hosted_fields', script: scriptUrl(config), session, ...end },
  }
}

async function orderOf(
  { client }: MastercardAccount,
  { accountId, key }: LookupRequest,
): Promise<Order | null> {
  const answer = await client.get(accountId, orderPath(key))
  if (isNotFound(answer)) return null
  if (!hasBody(answer)) throw lookupError(answer)
  return Order.parse(answer.body)
}

/** Looks the order of a charge up, and makes the call that it needs next. */
export async function lookupCharge(
  account: MastercardAccount,
  request: LookupRequest,
): Promise<Reply | NotFound> {
  const { config, client, clock } = account
  const { accountId, key, state, capture } = request
  let order = await orderOf(account, request)
  const step = order && order.id === key ? nextStep(order, request, config) : null
  if (step !== null) {
    const answer = await client.send(accountId, 'PUT', transactionPath(key, step.id), step.body)
    if (!hasBody(answer)) throw stepError(answer)
    // The order is read again, because another process may have made the same call at the same time.
    order = await orderOf(account, request)
  }
  if (order !== null) return chargeReply(order, { key, state: state ?? {}, now: clock.now(), capture })
  // The gateway has no order until the payer enters a card.
  return state === null ? { kind: 'not_found' } : unpaidReply(state, 'no card entered', clock.now())
}

/**
 * Authenticates the payer of a session whose fields are filled in. The calls move no money; the payment follows in a look-up, also when
 * the process ends here.
 */
export async function authenticatePayer(
  account: MastercardAccount,
  { browser, ...request }: ProceedRequest,
): Promise<Reply | NotFound> {
  const { accountId, key, state, isOver } = request
  const order = await orderOf(account, request)
  if (state === null || isOver || (order !== null && authenticationOf(order) !== 'open'))
    return lookupCharge(account, request)
  const path = transactionPath(key, authenticationIdOf(key))
  const authenticate = async (body: object) => {
    const answer = await account.client.send(accountId, 'PUT', path, body)
    if (!hasBody(answer)) throw stepError(answer)
    return Authentication.parse(answer.body)
  }
  if (order === null) {
    const { transaction } = await authenticate(initiateBody(state))
    if (transaction?.authenticationStatus !== 'AUTHENTICATION_AVAILABLE')
      return lookupCharge(account, request)
  }
  const { authentication } = await authenticate(authenticateBody(state, browser))
  const form = authentication?.redirect?.customizedHtml?.['3ds2'] ?? null
  const reply = await lookupCharge(account, request)
  // The bank of the card asks the payer, at a page that this form opens.
  if (reply.kind !== 'reply' || reply.outcome !== 'pending' || !form?.acsUrl || !form.cReq) return reply
  const next = { type: 'post_form', url: form.acsUrl, fields: { creq: form.cReq } } as const
  return { ...reply, next: { ...next, expiresAt: expiryOf(state) } }
}
