import { CALL_MAX_MS } from '../calls/deadlines.ts'
import {
  type NotFound,
  ProviderError,
  type RefundLookupRequest,
  type RefundRequest,
  type Reply,
} from '../connector.ts'
import { REQUEST_TIMEOUT_MS } from '../http-transport.ts'
import { hasBody } from '../json.ts'
import { refundBody } from './bodies.ts'
import { type MastercardAccount, orderPath, transactionPath } from './client.ts'
import { refundReply, VOID } from './mapping.ts'
import { isNotFound, lookupError, refundError } from './refusals.ts'
import { voidIdOf, voidStep } from './steps.ts'
import { Order, Transaction } from './wire.ts'

const refundOf = (key: string) => ({ id: key, type: /^REFUND$/ })
const voidOf = (key: string) => ({ id: voidIdOf(key), type: VOID })

/** Refunds a charge, by a void where the card has not been debited. */
export async function refundCharge(account: MastercardAccount, request: RefundRequest): Promise<Reply> {
  const { client, clock } = account
  const { accountId, key, originalKey } = request
  const start = clock.now().getTime()
  const voided = await voidPayment(account, request)
  if (voided !== null) return voided
  // A call has to end within its time: a refund that is not sent any more has moved nothing.
  if (clock.now().getTime() - start > CALL_MAX_MS - REQUEST_TIMEOUT_MS)
    throw new ProviderError('unavailable', 'The Mastercard Gateway refused the void too late for a refund')
  const answer = await client.send(accountId, 'PUT', transactionPath(originalKey, key), refundBody(request))
  if (!hasBody(answer)) throw refundError(answer)
  return refundReply(Transaction.parse(answer.body), { originalKey, ...refundOf(key) })
}

/** The outcome of a void in place of a refund; null when the gateway refuses it, so that no money has moved. */
async function voidPayment(
  { client, clock }: MastercardAccount,
  request: RefundRequest,
): Promise<Reply | null> {
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

/**
 * The transaction of the refund has the answer. A void in the portal, which returns the amount before the acquirer has paid it, is another
 * transaction of the order.
 */
export async function lookupRefund(
  account: MastercardAccount,
  { accountId, key, originalKey, state }: RefundLookupRequest,
): Promise<Reply | NotFound> {
  const { client } = account
  for (const requested of [refundOf(key), voidOf(key)]) {
    const answer = await client.get(accountId, transactionPath(originalKey, requested.id))
    if (isNotFound(answer)) continue
    if (!hasBody(answer)) throw lookupError(answer)
    const reply = refundReply(Transaction.parse(answer.body), { originalKey, ...requested })
    if (reply.outcome === 'completed' && requested.type !== VOID) {
      const order = await client.get(accountId, orderPath(originalKey))
      if (!hasBody(order)) throw lookupError(order)
      if (isVoided(Order.parse(order.body), requested.id))
        return { ...reply, outcome: 'failed', providerStatus: 'VOID_REFUND', reason: 'declined' }
    }
    // Without a stored reply, the refund after a refused void may still be on its way.
    if (requested.type !== VOID || reply.outcome !== 'failed' || state !== null) return reply
  }
  return { kind: 'not_found' }
}

const isVoided = ({ transaction }: Order, refund: string): boolean =>
  transaction.some(
    ({ result, transaction: each }) =>
      each?.type === 'VOID_REFUND' && each.targetTransactionId === refund && result === 'SUCCESS',
  )
