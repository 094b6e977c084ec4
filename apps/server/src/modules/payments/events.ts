import type { EventType } from '@muripo/contract/words'
import type { Tx } from '../../platform/db/database.ts'
import { recordEvent } from '../webhooks/index.ts'
import type { PaymentsCtx } from './context.ts'
import type { LockedPayment, Payment } from './payment.ts'
import { type PaymentChange, updatePayment } from './store.ts'
import { toPublic } from './wire.ts'

/**
 * Updates a locked payment and emits its event, in one commit.
 * @param besides fields of the event beside the payment
 */
export async function updateAndEmit(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  change: PaymentChange,
  type: EventType,
  besides: object = {},
): Promise<Payment> {
  const sequence = payment.lastEvent + 1
  const changed = await updatePayment(tx, payment, { ...change, lastEvent: sequence }, payment.lockedAt)
  await recordEvent(ctx, tx, payment.accountId, {
    type,
    applicationId: payment.applicationId,
    subject: payment.id,
    sequence,
    data: { ...toPublic(ctx, changed), ...besides },
  })
  return changed
}
