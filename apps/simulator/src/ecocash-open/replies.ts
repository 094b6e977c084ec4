import { money, toMajor } from '@muripo/contract/money'
import type { FastifyReply } from 'fastify'
import type { Transaction } from '../ledger.ts'
import { inHarare } from '../reference.ts'

/** 2026-11-20 09:15:41, without a time zone. */
const timeOf = (at: number): string => inHarare(at).slice(0, 19).replace('T', ' ')

/** A failed charge has a status without a reason; only a cancellation by the payer has a status of its own. */
function wordOf({ kind, status, message }: Transaction): string {
  switch (status) {
    case 'pending':
      return 'PENDING_VALIDATION'
    case 'failed':
      return /cancel/i.test(message ?? '') ? 'CANCELLED' : 'FAILED'
    case 'completed':
      return kind === 'refund' ? 'COMPLETED' : 'SUCCESS'
    case 'refunded':
    case 'reversed':
      return 'SUCCESS'
  }
}

const factsOf = (transaction: Transaction) => {
  const { minor, currency, behaviour, status, reference } = transaction
  return {
    amount: behaviour.echoAmount ?? toMajor(money(BigInt(minor), currency)),
    currency: behaviour.echoCurrency ?? currency,
    ecocashReference: status === 'pending' || status === 'failed' ? null : reference,
  }
}

/** The reply to a look-up. */
export function found(transaction: Transaction): object {
  const { amount, currency, ecocashReference } = factsOf(transaction)
  return {
    amount: { amount, currency },
    customerMsisdn: transaction.number,
    reference: transaction.correlator,
    ecocashReference,
    status: wordOf(transaction),
    transactionDateTime: timeOf(transaction.endedAt ?? transaction.createdAt),
  }
}

/** The reply to a refund, and to a payment as some integrations receive it; others receive an empty one. The odd casing is the provider's. */
export const paid = (transaction: Transaction): object => ({
  sourceReference: transaction.correlator,
  transactionEndTime: transaction.endedAt === null ? null : timeOf(transaction.endedAt),
  callbackUrl: null,
  sourceMobileNumber: transaction.number,
  transactionStatus: wordOf(transaction),
  clienttransactionDate: null,
  description: transaction.remarks,
  responseMessage: null,
  paymentAmount: null,
  transactionstartTime: timeOf(transaction.createdAt),
  ...factsOf(transaction),
})

export const refuse = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ message })

/** An answer of 200 without a body. */
export const nothing = (reply: FastifyReply): FastifyReply => reply.type('application/json').send('')
