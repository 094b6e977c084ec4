import type { RefundRequest, Reply } from '../connector.ts'
import { hasBody, isSuccess } from '../json.ts'
import { referenceOf, refundBody } from './bodies.ts'
import type { EcocashOpenAccount } from './client.ts'
import { accepted, toRefundReply } from './mapping.ts'
import { callError } from './refusals.ts'
import { Transaction } from './wire.ts'

export async function refundCharge(
  { config, client }: EcocashOpenAccount,
  request: RefundRequest,
): Promise<Reply> {
  const body = refundBody(config, request)
  const answer = await client.refund(request.accountId, body)
  if (isSuccess(answer) && answer.isEmpty) return accepted
  if (!hasBody(answer)) throw callError(answer, 'refund')
  return toRefundReply(Transaction.parse(answer.body), body.refundCorelator, referenceOf(request.originalKey))
}

/** No look-up of refunds is documented: the outcome stays open until an operator finds it out. */
export const lookupRefund = async (): Promise<Reply> => ({
  ...accepted,
  outcome: 'held',
  providerStatus: 'refunds have no look-up',
})
