import type { EventId, MerchantId } from '@muripo/contract/ids'
import type { Tx } from '../../platform/db/database.ts'
import { uuidOf } from '../../platform/ids.ts'
import type { NewEvent } from './actions/record-event.ts'

export async function insertEvent(
  tx: Tx,
  merchantId: MerchantId,
  id: EventId,
  event: NewEvent,
  createdAt: Date,
): Promise<void> {
  await tx
    .insertInto('events')
    .values({
      merchant_id: uuidOf(merchantId),
      id: uuidOf(id),
      application_id: uuidOf(event.applicationId),
      type: event.type,
      subject_id: uuidOf(event.subject),
      sequence: event.sequence,
      data: JSON.stringify(event.data),
      created_at: createdAt,
    })
    .execute()
}
