import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Bank } from './bank.ts'
import { type CardEntry, readFields } from './cards.ts'
import type { Order } from './orders.ts'
import { answerTransaction, refuse, transactionReply } from './replies.ts'
import { minorOf, type Pay, type SessionCall } from './requests.ts'
import type { HostedSession, Sessions } from './sessions.ts'

interface Deps {
  readonly merchantId: string
  readonly bank: Bank
  readonly sessions: Sessions
}

const LIFE_MS = 30 * 60_000
const authenticated = ['AUTHENTICATION_SUCCESSFUL', 'AUTHENTICATION_NOT_SUPPORTED']

/** A call with the card of a session. */
interface CardCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly order: Order
  /** The transaction's id. */
  readonly id: string
  readonly session: HostedSession
  readonly card: CardEntry
}

/** The merchant's calls with the card in a session: 3-D Secure in two steps, and the payment. */
export async function callWithCard(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  requested: SessionCall,
): Promise<unknown> {
  const { merchantId, bank, sessions } = deps
  const { order: orderId, transaction: id } = request.params as { order: string; transaction: string }
  const session = sessions.get(requested.session.id)
  const card = session && readFields(session.fields)
  if (session === null || card === null)
    return refuse(reply, 'INVALID_REQUEST', 'Unknown session', 'session.id')
  if (!('masked' in card))
    return refuse(reply, 'INVALID_REQUEST', 'The session has no valid card', 'sourceOfFunds')
  const amount = minorOf('amount' in requested.order ? requested.order.amount : 1, requested.order.currency)
  if (amount === null) return refuse(reply, 'INVALID_REQUEST', 'Invalid amount or currency', 'order.amount')
  const order = orderOf(deps, orderId, amount.currency, session)
  if (requested.apiOperation === 'INITIATE_AUTHENTICATION')
    return reply.code(201).send(transactionReply(merchantId, order, bank.initiate(order, id, card)))
  order.minor = amount.minor
  const call = { request, reply, order, id, session, card }
  if (requested.apiOperation !== 'AUTHENTICATE_PAYER') return pay(deps, call, requested)
  order.returnUrl = requested.authentication.redirectResponseUrl
  const body = authenticate(deps, call)
  return body === null
    ? refuse(reply, 'INVALID_REQUEST', 'Unable to find the authentication')
    : reply.code(201).send(body)
}

function orderOf(
  { bank }: Deps,
  id: string,
  currency: Order['currency'],
  { id: session, behaviour }: HostedSession,
): Order {
  const input = {
    id,
    currency,
    minor: 0,
    isHosted: true,
    operation: 'PURCHASE',
    description: '',
    shopName: 'the shop',
    returnUrl: '',
    failureUrl: null,
    cancelUrl: null,
    notificationUrl: null,
  } as const
  return bank.get(id) ?? bank.open(input, LIFE_MS, behaviour, session)
}

function authenticate({ merchantId, bank }: Deps, { request, order, id, card }: CardCall): object | null {
  const authentication = order.transactions.find((each) => each.id === id)
  if (authentication === undefined) return null
  if (authentication.authenticationStatus === 'AUTHENTICATION_AVAILABLE')
    bank.challengeSession(order, authentication, card)
  const body = transactionReply(merchantId, order, authentication)
  if (authentication.authenticationStatus !== 'AUTHENTICATION_PENDING') return body
  const acsUrl = `http://${request.host}/mastercard/acs/${encodeURIComponent(order.id)}`
  const creq = Buffer.from(JSON.stringify({ messageType: 'CReq' })).toString('base64url')
  const html = `<form method="post" action="${acsUrl}"><input type="hidden" name="creq" value="${creq}"></form>`
  return {
    ...body,
    authentication: { redirect: { html, customizedHtml: { '3ds2': { acsUrl, cReq: creq } } } },
  }
}

/** Pays with the card. A payment without a successful authentication is refused; a repeated one is answered as before. */
async function pay(
  { merchantId, bank }: Deps,
  { request, reply, order, id, session, card }: CardCall,
  requested: z.infer<typeof Pay>,
): Promise<unknown> {
  const known = order.transactions.find((each) => each.id === id)
  if (known) return reply.code(201).send(transactionReply(merchantId, order, known))
  order.operation = requested.apiOperation === 'AUTHORIZE' ? 'AUTHORIZE' : 'PURCHASE'
  order.notificationUrl = requested.order.notificationUrl ?? null
  const proof = order.transactions.find((each) => each.id === requested.authentication?.transactionId)
  const isProven = authenticated.includes(proof?.authenticationStatus ?? '')
  const code = isProven ? (session.behaviour.pay?.code ?? card.code) : 'AUTHENTICATION_FAILED'
  return answerTransaction(request, reply, session.behaviour.payReply, () =>
    transactionReply(merchantId, order, bank.pay(order, code, card, id)),
  )
}
