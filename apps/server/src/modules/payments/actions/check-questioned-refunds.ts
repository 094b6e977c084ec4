import { RefundId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import type { Reply } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { isBooked } from '../payment/moves.ts'
import type { Attempt } from '../payment/payment.ts'
import { checkRefund } from './check-refund.ts'

/** The most refunds of one charge that a reply about the charge looks up, the latest first. */
const MOST_CHECKED = 10

/**
 * Looks up the refunds that a reply about their booked charge calls into question, before the reply is compared with the records: a refused
 * refund that may have been paid, when the provider has returned an amount, and each completed one, when it has returned less than all of them.
 */
export async function checkQuestionedRefunds(ctx: PaymentsCtx, charge: Attempt, reply: Reply): Promise<void> {
  const { accountId, id, provider, status } = charge
  const isReturned = reply.outcome === 'refunded' || reply.outcome === 'reversed'
  const isTotal = ctx.providers.returnedEcho(provider) === 'total'
  const isAbout = isReturned || (reply.outcome === 'completed' && isTotal)
  if (!isBooked(status) || !isAbout || !ctx.providers.canLookUpRefund(provider)) return
  const total = isReturned ? (reply.echo?.minor ?? null) : 0n
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, status, next_watch_at, sum(amount_minor) filter (where status = 'completed') over () as done
      from refunds where account_id = ${uuidOf(accountId)} and attempt_id = ${uuidOf(id)}
    ) as refund
    where (status = 'failed' and next_watch_at is not null and ${isReturned})
      or (status = 'completed' and ${isTotal} and done > ${total}::bigint)
    order by id desc limit ${MOST_CHECKED}`.execute(ctx.db.kysely)
  for (const row of rows) await checkRefund(ctx, accountId, idFrom(RefundId, row.id), { cause: 'callback' })
}
