import { AccountId, type MerchantId, PersonId } from '@muripo/contract/ids'
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { idFrom } from '../../../../platform/ids.ts'
import { closeAllAbout, eraseClosed } from '../store-proposals.ts'
import { auditClosed } from './audit-closed.ts'

/** Everything whose proposals name a merchant: its environments, and the persons who are deleted with it. */
export interface Erased {
  readonly merchantId: MerchantId
  readonly environments: readonly string[]
  readonly persons: readonly string[]
}

/** Closes the open proposals about a merchant, and blanks the texts and payloads of all of them. */
export async function eraseProposals(
  ctx: Ctx,
  tx: Tx,
  actor: Actor,
  { merchantId, environments, persons }: Erased,
): Promise<void> {
  const subjects = [merchantId, ...persons.map((each) => idFrom(PersonId, each))]
  const batches = environments.map((each) =>
    JSON.stringify({ refunds: [{ accountId: idFrom(AccountId, each) }] }),
  )
  const about: RawBuilder<boolean> = sql<boolean>`(account_id = any(${[...environments]}::uuid[]) or subject = any(${subjects}::text[])
    or (kind = 'refund.batch' and payload @> any(${batches}::jsonb[])))`
  for (const closed of await closeAllAbout(tx, about, 'The merchant was erased'))
    await auditClosed(ctx, tx, actor, 'proposal.closed', closed)
  await eraseClosed(tx, about)
}
