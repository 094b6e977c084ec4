import { type AccountId, EventId } from '@muripo/contract/ids'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { insertEvent, type NewEvent } from '../store-events.ts'

/** Inserts an event in the transaction of its change: neither is committed without the other. */
export async function recordEvent(ctx: Ctx, tx: Tx, accountId: AccountId, event: NewEvent): Promise<EventId> {
  const id = ctx.ids.next(EventId)
  await insertEvent(tx, { ...event, accountId, id, createdAt: ctx.clock.now() })
  return id
}
