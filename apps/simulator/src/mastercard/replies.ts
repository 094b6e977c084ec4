import { money, toDecimal } from '@muripo/contract/money'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { answerCall } from '../spoil.ts'
import type { Reply } from './behaviour.ts'
import {
  authorisedOf,
  type CardTransaction,
  capturedOf,
  chargedBackOf,
  isCancelled,
  type Order,
  refundedOf,
} from './orders.ts'

const refusals = {
  INVALID_REQUEST: 400,
  REQUEST_REJECTED: 401,
  SERVER_BUSY: 503,
  SERVER_FAILED: 500,
} as const

export const refuse = (
  reply: FastifyReply,
  cause: keyof typeof refusals,
  explanation: string,
  field?: string,
): FastifyReply =>
  reply.code(refusals[cause]).send({
    error: { cause, explanation, ...(field && { field, validationType: 'INVALID' }) },
    result: 'ERROR',
  })

/** The gateway sends amounts as JSON numbers. */
const major = ({ currency }: Order, minor: number): number =>
  Number(toDecimal(money(BigInt(minor), currency)))

function statusOf(order: Order): string {
  const [captured, refunded] = [capturedOf(order), refundedOf(order)]
  if (chargedBackOf(order) > 0) return 'CHARGEBACK_PROCESSED'
  if (captured > 0)
    return refunded === 0 ? 'CAPTURED' : refunded < captured ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
  if (isCancelled(order)) return 'CANCELLED'
  if (authorisedOf(order) > 0) return 'AUTHORIZED'
  const last = order.transactions.at(-1)
  if (last?.type !== 'AUTHENTICATION') return last?.result === 'PENDING' ? 'INITIATED' : 'FAILED'
  return last.result === 'PENDING' ? 'AUTHENTICATION_INITIATED' : 'AUTHENTICATION_UNSUCCESSFUL'
}

function orderFields(merchant: string, order: Order) {
  const { echoAmount } = order.behaviour
  const echoed = (minor: number) => (minor > 0 && echoAmount !== undefined ? echoAmount : major(order, minor))
  return {
    amount: major(order, order.minor),
    chargeback: { amount: major(order, chargedBackOf(order)), currency: order.currency },
    creationTime: new Date(order.createdAt).toISOString(),
    currency: order.currency,
    description: order.description,
    id: order.id,
    merchantCategoryCode: '7399',
    status: statusOf(order),
    totalAuthorizedAmount: echoed(authorisedOf(order)),
    totalCapturedAmount: echoed(capturedOf(order)),
    totalDisbursedAmount: 0,
    totalRefundedAmount: major(order, refundedOf(order)),
    merchant,
  }
}

const sourceOfFunds = ({ masked }: CardTransaction) =>
  masked === null
    ? {}
    : {
        sourceOfFunds: {
          provided: { card: { number: masked, storedOnFile: 'NOT_STORED' } },
          type: 'CARD',
        },
      }

const recommendationOf = ({ type, result }: CardTransaction): string => {
  if (result === 'FAILURE') return 'DO_NOT_PROCEED'
  return type === 'AUTHENTICATION' ? 'PROCEED' : 'NO_ACTION'
}

/** A transaction as the gateway words it, alone and in its order. */
export function transactionReply(merchant: string, order: Order, transaction: CardTransaction): object {
  const { id, type, target, minor, receipt, at, result, gatewayCode, csc, authenticationStatus } = transaction
  return {
    merchant,
    order: orderFields(merchant, order),
    response: {
      gatewayCode,
      gatewayRecommendation: recommendationOf(transaction),
      ...(csc && { cardSecurityCode: { gatewayCode: csc } }),
    },
    result,
    ...sourceOfFunds(transaction),
    timeOfRecord: new Date(at).toISOString(),
    transaction: {
      acquirer: { id: 'SIMULATOR', merchantId: merchant },
      amount: type === 'REFUND' ? major(order, minor) : (order.behaviour.echoAmount ?? major(order, minor)),
      ...(authenticationStatus && { authenticationStatus }),
      currency: order.currency,
      id,
      receipt,
      source: 'INTERNET',
      ...(target !== null && { targetTransactionId: target }),
      type,
    },
    version: '100',
  }
}

export function orderReply(merchant: string, order: Order): object {
  const last = order.transactions.at(-1)
  return {
    ...orderFields(merchant, order),
    ...(last && sourceOfFunds(last)),
    result: authorisedOf(order) > 0 ? 'SUCCESS' : (last?.result ?? 'PENDING'),
    transaction: order.transactions.map((transaction) => transactionReply(merchant, order, transaction)),
  }
}

/** Sends the transaction of a call unless the behaviour spoils its response. */
export async function answerTransaction(
  request: FastifyRequest,
  reply: FastifyReply,
  word: z.infer<typeof Reply> | undefined,
  process: () => object,
): Promise<unknown> {
  if (word === 'busy') return refuse(reply, 'SERVER_BUSY', 'The server is busy')
  return answerCall({ request, reply, word }, () => {
    const body = process()
    return () => reply.code(201).send(body)
  })
}
