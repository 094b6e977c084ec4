import type { ProposalState } from '@muripo/contract/console-permissions'
import {
  type AccountId,
  type MerchantId,
  type OperatorId,
  type PaymentId,
  ProposalId,
  type RefundId,
} from '@muripo/contract/ids'
import { PROPOSAL_HOURS } from '@muripo/contract/proposals'
import { type RawBuilder, sql } from 'kysely'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import type { EntityOf } from '../../../platform/db/table.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { proposals } from '../tables.ts'

export type Proposal = EntityOf<typeof proposals>
export type NewProposal = Pick<
  Proposal,
  'kind' | 'subject' | 'accountId' | 'payload' | 'version' | 'about' | 'diff' | 'reason' | 'proposedBy'
>

/** Null when the subject has an open proposal of this kind already. */
export async function insertProposal(ctx: Ctx, tx: Tx, proposal: NewProposal): Promise<Proposal | null> {
  const row = await tx
    .insertInto('proposals')
    .values({
      ...proposals.row({ ...proposal, id: ctx.ids.next(ProposalId) }),
      // The driver would write a list as an array of PostgreSQL.
      payload: JSON.stringify(proposal.payload),
      diff: JSON.stringify(proposal.diff),
      proposed_at: sql<Date>`muripo_now()`,
      expires_at: sql<Date>`muripo_now() + ${PROPOSAL_HOURS} * interval '1 hour'`,
    })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'subject']).where(sql<boolean>`state = 'open'`).doNothing(),
    )
    .returning(proposals.names)
    .executeTakeFirst()
  return row ? proposals.read(row) : null
}

export async function findProposal(q: Queryable, id: ProposalId): Promise<Proposal | null> {
  const row = await q
    .selectFrom('proposals')
    .select(proposals.names)
    .where('id', '=', uuidOf(id))
    .executeTakeFirst()
  return row ? proposals.read(row) : null
}

/** The newest first. */
export async function selectProposals(
  q: Queryable,
  {
    state,
    accountId,
    merchantId,
    paymentId,
    subjects,
    before,
    limit,
  }: {
    readonly state?: ProposalState | undefined
    readonly accountId?: AccountId
    /** Also those about test payments of the merchant. */
    readonly merchantId?: MerchantId
    readonly paymentId?: PaymentId
    readonly subjects?: readonly string[]
    readonly before?: ProposalId | undefined
    readonly limit: number
  },
): Promise<Proposal[]> {
  let query = q.selectFrom('proposals').select(proposals.names)
  if (state) query = query.where('state', '=', state)
  if (accountId) query = query.where('account_id', '=', uuidOf(accountId))
  if (merchantId)
    query = query.where(({ or, eb }) =>
      or([eb('account_id', '=', uuidOf(merchantId)), eb('subject', '=', merchantId)]),
    )
  if (paymentId) query = query.where(sql<boolean>`payload ->> 'paymentId' = ${paymentId}`)
  if (subjects) query = query.where('subject', 'in', [...subjects])
  if (before) query = query.where('id', '<', uuidOf(before))
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(proposals.read)
}

type Decision =
  | { readonly state: 'approved' | 'withdrawn'; readonly by: OperatorId }
  | { readonly state: 'rejected'; readonly by: OperatorId; readonly reason: string }
  | { readonly state: 'stale'; readonly reason: string }

/** Closes an open proposal. Null when it is closed already, or has expired. */
export async function closeProposal(tx: Tx, id: ProposalId, decision: Decision): Promise<Proposal | null> {
  const now = sql<Date>`muripo_now()`
  const row = await tx
    .updateTable('proposals')
    .set({
      state: decision.state,
      decided_at: now,
      decided_by: 'by' in decision ? uuidOf(decision.by) : null,
      decision_reason: 'reason' in decision ? decision.reason : null,
      ...(decision.state === 'approved' && { executed_at: now }),
    })
    .where('id', '=', uuidOf(id))
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .returning(proposals.names)
    .executeTakeFirst()
  return row ? proposals.read(row) : null
}

/** Withdraws the open proposals of an operator, and returns them. */
export async function withdrawAllOf(tx: Tx, id: OperatorId): Promise<Proposal[]> {
  const rows = await tx
    .updateTable('proposals')
    .set({ state: 'withdrawn', decided_at: sql<Date>`muripo_now()`, decided_by: uuidOf(id) })
    .where('proposed_by', '=', uuidOf(id))
    .where('state', '=', 'open')
    .returning(proposals.names)
    .execute()
  return rows.map(proposals.read)
}

/** Closes the open proposals that a condition names as stale, and returns them. */
export async function closeAllAbout(tx: Tx, about: RawBuilder<boolean>, reason: string): Promise<Proposal[]> {
  const rows = await tx
    .updateTable('proposals')
    .set({ state: 'stale', decided_at: sql<Date>`muripo_now()`, decision_reason: reason })
    .where('state', '=', 'open')
    .where(about)
    .returning(proposals.names)
    .execute()
  return rows.map(proposals.read)
}

/** Blanks the closed proposals that a condition names: a trigger replaces their texts and payloads. */
export async function eraseClosed(tx: Tx, about: RawBuilder<boolean>): Promise<void> {
  await tx
    .updateTable('proposals')
    .set({ erased_at: sql<Date>`muripo_now()` })
    .where('state', '<>', 'open')
    .where('erased_at', 'is', null)
    .where(about)
    .execute()
}

/** Closes proposals whose time is over. @param about one subject, or all */
export async function expireProposals(
  q: Queryable,
  about?: Pick<Proposal, 'kind' | 'subject'>,
): Promise<void> {
  await q
    .updateTable('proposals')
    .set({ state: 'expired', decided_at: sql<Date>`muripo_now()` })
    .where('state', '=', 'open')
    .where('expires_at', '<=', sql<Date>`muripo_now()`)
    .$if(about !== undefined, (query) =>
      query.where('kind', '=', about?.kind ?? '').where('subject', '=', about?.subject ?? ''),
    )
    .execute()
}

/** The number of open proposals that others than this operator have made, and the time of the oldest. */
export async function countOpen(
  q: Queryable,
  except: OperatorId,
): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
  const row = await q
    .selectFrom('proposals')
    .select([sql<number>`count(*)::int`.as('count'), sql<Date | null>`min(proposed_at)`.as('oldest_at')])
    .where('state', '=', 'open')
    .where('expires_at', '>', sql<Date>`muripo_now()`)
    .where('proposed_by', '<>', uuidOf(except))
    .executeTakeFirstOrThrow()
  return { count: row.count, oldestAt: row.oldest_at }
}

/** The refunds that open proposals name, or those of some refunds, each with its proposal. */
export async function openRefundProposals(
  q: Queryable,
  refunds: readonly RefundId[] | null,
): Promise<ReadonlyMap<RefundId, ProposalId>> {
  const { rows } = await sql<{ id: RefundId; proposal: string }>`
    select coalesce(each ->> 'refundId', payload ->> 'refundId') as id, proposals.id as proposal
    from proposals left join lateral jsonb_array_elements(payload -> 'refunds') as each on true
    where state = 'open' and expires_at > muripo_now() and kind in ('refund.batch', 'refund.resolve', 'refund.settle')
      and (${refunds}::text[] is null or coalesce(each ->> 'refundId', payload ->> 'refundId') = any(${refunds}::text[]))`.execute(
    q,
  )
  return new Map(rows.map(({ id, proposal }) => [id, idFrom(ProposalId, proposal)]))
}
