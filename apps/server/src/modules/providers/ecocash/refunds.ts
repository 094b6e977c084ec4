import type { NotFound, RefundLookupRequest, RefundRequest, Reply } from '../connector.ts'
import { refundBody } from './bodies.ts'
import { lookupTransaction, moveMoney } from './charges.ts'
import type { EcocashAccount } from './client.ts'
import type { EcocashConfig } from './settings.ts'

export async function refundCharge(account: EcocashAccount, request: RefundRequest): Promise<Reply> {
  const body = refundBody(account.config, request)
  const call = { call: 'refund', path: '/transactions/refund', body, state: {} } as const
  return asRefund(account.config, await moveMoney(account, request, call))
}

export const lookupRefund = async (
  account: EcocashAccount,
  request: RefundLookupRequest,
): Promise<Reply | NotFound> => asRefund(account.config, await lookupTransaction(account, request))

/** A refund that is done is completed, whichever status the gateway uses for it. A refund that is itself reversed is not done. */
function asRefund<T extends Reply | NotFound>({ refundType }: EcocashConfig, reply: T): T {
  if (reply.kind !== 'reply') return reply
  const isDone = reply.outcome === 'refunded' || (reply.outcome === 'reversed' && refundType === 'REV')
  return isDone ? { ...reply, outcome: 'completed' } : reply
}
