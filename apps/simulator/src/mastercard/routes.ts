import { timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { spoil } from '../spoil.ts'
import type { Upcoming } from '../upcoming.ts'
import type { Bank } from './bank.ts'
import type { CardBehaviour } from './behaviour.ts'
import { authorisedOf, capturedOf, isPaid, type Order, remainingOf } from './orders.ts'
import { answerTransaction, orderReply, refuse, transactionReply } from './replies.ts'
import { Checkout, HostedSession, minorOf, Operation, SessionCall } from './requests.ts'
import { callWithCard } from './session-calls.ts'
import type { Sessions } from './sessions.ts'

export interface CardAccount {
  readonly merchantId: string
  readonly password: string
}

interface Deps {
  readonly account: CardAccount
  readonly bank: Bank
  readonly upcoming: Upcoming<CardBehaviour>
  readonly sessions: Sessions
}

type Params = { order: string; transaction: string }
const paramsOf = (request: FastifyRequest): Params => request.params as Params

/** The provider's REST interface. */
export function cardRoutes(deps: Deps) {
  const { account, bank, sessions } = deps
  const { merchantId } = account
  const expected = Buffer.from(
    `Basic ${Buffer.from(`merchant.${merchantId}:${account.password}`).toString('base64')}`,
  )

  function isAllowed(request: FastifyRequest): boolean {
    const given = Buffer.from(request.headers.authorization ?? '')
    const { merchant } = request.params as { merchant: string }
    return given.length === expected.length && timingSafeEqual(given, expected) && merchant === merchantId
  }

  return async (app: FastifyInstance): Promise<void> => {
    app.get('/information', async () => ({ gatewayVersion: 'simulator', status: 'OPERATING' }))
    app.register(async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        if (!isAllowed(request)) return refuse(reply, 'REQUEST_REJECTED', 'Invalid credentials')
      })
      scope.post('/merchant/:merchant/session', async (request, reply) => {
        const isHosted = HostedSession.safeParse(request.body).success
        return (isHosted ? openHostedSession : openOrder)(deps, request, reply)
      })
      scope.get('/merchant/:merchant/order/:order', async (request, reply) =>
        lookUp(bank, request, reply, (order) => orderReply(merchantId, order)),
      )
      scope.get('/merchant/:merchant/order/:order/transaction/:transaction', async (request, reply) =>
        lookUp(bank, request, reply, (order) => {
          const transaction = order.transactions.find(({ id }) => id === paramsOf(request).transaction)
          return transaction === undefined ? null : transactionReply(merchantId, order, transaction)
        }),
      )
      scope.put('/merchant/:merchant/order/:order/transaction/:transaction', async (request, reply) => {
        const withCard = SessionCall.safeParse(request.body)
        if (withCard.success)
          return callWithCard({ merchantId, bank, sessions }, request, reply, withCard.data)
        return transact(deps, request, reply)
      })
    })
  }
}

/** Opens a session for the fields of the gateway. */
async function openHostedSession(
  { account, upcoming, sessions }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const behaviour = upcoming.take()
  await sleep(behaviour.replyDelayMs ?? 0)
  return answerTransaction(request, reply, behaviour.sessionReply, () => {
    const { id, updateStatus, version } = sessions.open(behaviour)
    return { merchant: account.merchantId, result: 'SUCCESS', session: { id, updateStatus, version } }
  })
}

/** Opens the session of an order, in which the payer enters a card at the gateway's page. */
async function openOrder({ account, bank, upcoming }: Deps, request: FastifyRequest, reply: FastifyReply) {
  const parsed = Checkout.safeParse(request.body)
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.join('.') ?? ''
    return refuse(reply, 'INVALID_REQUEST', `Invalid value for ${field}`, field)
  }
  const { interaction, order } = parsed.data
  const amount = minorOf(order.amount, order.currency)
  if (amount === null) return refuse(reply, 'INVALID_REQUEST', 'Invalid amount or currency', 'order.amount')
  const known = bank.get(order.id)
  if (known !== null) {
    known.requests += 1
    bank.save(known)
    return refuse(reply, 'INVALID_REQUEST', 'An order with this id already exists', 'order.id')
  }
  const behaviour = upcoming.take()
  await sleep(behaviour.replyDelayMs ?? 0)
  return answerTransaction(request, reply, behaviour.sessionReply, () => {
    const opened = bank.open(
      {
        ...amount,
        id: order.id,
        isHosted: false,
        operation: interaction.operation,
        description: order.description,
        shopName: interaction.merchant.name,
        returnUrl: interaction.returnUrl,
        // The payer is led back only when both fields are given.
        failureUrl: interaction.retryAttemptCount === 0 ? (interaction.redirectMerchantUrl ?? null) : null,
        cancelUrl: interaction.cancelUrl ?? null,
        notificationUrl: order.notificationUrl ?? null,
      },
      interaction.timeout * 1000,
      behaviour,
    )
    return {
      checkoutMode: 'WEBSITE',
      merchant: account.merchantId,
      result: 'SUCCESS',
      session: { id: opened.session, updateStatus: 'SUCCESS', version: '1' },
      successIndicator: opened.successIndicator,
    }
  })
}

/** The order for a look-up: it exists once the payer has entered a card. */
function found(bank: Bank, request: FastifyRequest): Order | null {
  const order = bank.get(paramsOf(request).order)
  return order !== null && order.transactions.length > 0 ? order : null
}

function lookUp(
  bank: Bank,
  request: FastifyRequest,
  reply: FastifyReply,
  render: (order: Order) => object | null,
) {
  const order = found(bank, request)
  const body = order === null ? null : render(order)
  const notFound = () => refuse(reply, 'INVALID_REQUEST', 'Unable to find the order or transaction')
  if (order === null || body === null) return notFound()
  const { lookupReply = 'normal', lookupTimes = Number.POSITIVE_INFINITY } = order.behaviour
  order.lookups += 1
  if (lookupReply === 'normal' || order.lookups > lookupTimes) return reply.send(body)
  if (lookupReply === 'not_found') return notFound()
  if (lookupReply === 'busy') return refuse(reply, 'SERVER_BUSY', 'The server is busy')
  return spoil(request, reply, lookupReply)
}

/** A transaction of the merchant under an order. The same id again is the same transaction. */
async function transact(
  { account: { merchantId }, bank }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const order = found(bank, request)
  const parsed = Operation.safeParse(request.body)
  const { transaction: id } = paramsOf(request)
  if (!parsed.success) return refuse(reply, 'INVALID_REQUEST', 'Unsupported operation', 'apiOperation')
  if (order === null) return refuse(reply, 'INVALID_REQUEST', 'Unable to find order')
  const existing = order.transactions.find((transaction) => transaction.id === id)
  if (existing) {
    existing.requests += 1
    bank.save(order)
    return reply.code(201).send(transactionReply(merchantId, order, existing))
  }
  const operation = parsed.data
  if (operation.apiOperation === 'VOID') {
    const { targetTransactionId } = operation.transaction
    const target = bank.voidable(order, targetTransactionId)
    if (target === null) return refuse(reply, 'INVALID_REQUEST', 'The transaction cannot be voided')
    return answerTransaction(request, reply, order.behaviour.voidReply, () =>
      transactionReply(merchantId, order, bank.void(order, id, target)),
    )
  }
  const requested = minorOf(operation.transaction.amount, operation.transaction.currency)
  if (requested === null || requested.currency !== order.currency)
    return refuse(reply, 'INVALID_REQUEST', 'Invalid amount or currency', 'transaction.amount')
  if (operation.apiOperation === 'CAPTURE') {
    if (requested.minor > authorisedOf(order) - capturedOf(order))
      return refuse(reply, 'INVALID_REQUEST', 'The capture exceeds the authorisation', 'transaction.amount')
    return answerTransaction(request, reply, order.behaviour.captureReply, () =>
      transactionReply(merchantId, order, bank.capture(order, id, requested.minor)),
    )
  }
  if (!isPaid(order)) return refuse(reply, 'INVALID_REQUEST', 'Unable to find a captured order')
  if (requested.minor > remainingOf(order))
    return refuse(reply, 'INVALID_REQUEST', 'The refund exceeds the captured amount', 'transaction.amount')
  return answerTransaction(request, reply, order.behaviour.refundReply, () =>
    transactionReply(merchantId, order, bank.refund(order, id, requested.minor)),
  )
}
