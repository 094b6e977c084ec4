import { type ApplicationId, EventId, type Id, type MerchantId } from '@muripo/contract/ids'
import type { EventType, TEST_EVENT } from '@muripo/contract/words'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { insertEvent } from '../store.ts'

export interface NewEvent {
  readonly type: EventType | typeof TEST_EVENT
  readonly applicationId: ApplicationId
  readonly subject: Id<string>
  /** The subject's own count of its events, one more than the last: a receiver can tell old news from new. */
  readonly sequence: number
  readonly data: unknown
}

/** Writes what happened in the transaction in which it happens: no event without its change and no change without its event. */
export async function recordEvent(
  ctx: Ctx,
  tx: Tx,
  merchantId: MerchantId,
  event: NewEvent,
): Promise<EventId> {
  const id = ctx.ids.next(EventId)
  await insertEvent(tx, { ...event, merchantId, id, createdAt: ctx.clock.now() })
  return id
}
