import type { MerchantId, WebhookId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { createBatcher } from '../../../platform/db/batcher.ts'
import { findReceivers, type Receiver } from '../store-endpoints.ts'

/** So old may be what is known of an endpoint when something is sent to it. */
const FRESH_MS = 1000
const MOST_KEPT = 10_000

interface Known {
  readonly receiver: Promise<Receiver | null>
  readonly at: number
}

/** Finds endpoints by their ids, many at once, and remembers them for a moment. */
export function createReceivers({ db, clock }: Pick<Ctx, 'db' | 'clock'>) {
  const known = new Map<WebhookId, Known>()
  const find = createBatcher<{ merchantId: MerchantId; id: WebhookId }, Receiver | null>({
    mostCalls: 200,
    mostFlights: 1,
    mostWaiting: MOST_KEPT,
    write(keys) {
      const found = findReceivers(db.kysely, keys, clock.now()).then(
        (receivers) => new Map(receivers.map((receiver) => [receiver.id, receiver])),
      )
      return keys.map(async ({ id }) => (await found).get(id) ?? null)
    },
  })

  return (merchantId: MerchantId, id: WebhookId): Promise<Receiver | null> => {
    const now = clock.now().getTime()
    const last = known.get(id)
    if (last && Math.abs(now - last.at) < FRESH_MS) return last.receiver
    if (known.size >= MOST_KEPT) known.clear()
    const receiver = find({ merchantId, id })
    known.set(id, { receiver, at: now })
    receiver.catch(() => known.delete(id))
    return receiver
  }
}
