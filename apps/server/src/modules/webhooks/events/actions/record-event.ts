import { type AccountId, EventId } from '@muripo/contract/ids'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { insertEvent, type NewEvent, type WrittenEvent } from '../store-events.ts'

/** Inserts an event in the transaction of its change: neither is committed without the other. */
export async function recordEvent(ctx: Ctx, tx: Tx, accountId: AccountId, event: NewEvent): Promise<EventId> {
  const written = newEvent(ctx, accountId, event)
  await insertEvent(tx, written)
  return written.id
}

export const newEvent = (
  ctx: Pick<Ctx, 'clock' | 'ids'>,
  accountId: AccountId,
  event: NewEvent,
): WrittenEvent => ({ ...event, accountId, id: ctx.ids.next(EventId), createdAt: ctx.clock.now() })
