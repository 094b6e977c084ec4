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

export interface Receivers {
  /** An endpoint as it was at most a second ago. */
  find(merchantId: MerchantId, id: WebhookId): Promise<Receiver | null>
  /** Lets the next find read the endpoint anew. */
  expire(id: WebhookId): void
}

/** Finds endpoints by their ids, many at once, and caches them for a moment. */
export function createReceivers({ db, clock }: Pick<Ctx, 'db' | 'clock'>): Receivers {
  const known = new Map<WebhookId, Known>()
  const read = createBatcher<{ merchantId: MerchantId; id: WebhookId }, Receiver | null>({
    maxCalls: 200,
    maxRunning: 1,
    mostWaiting: MOST_KEPT,
    write(keys) {
      const found = findReceivers(db.kysely, keys, clock.now()).then(
        (receivers) => new Map(receivers.map((receiver) => [receiver.id, receiver])),
      )
      return keys.map(async ({ id }) => (await found).get(id) ?? null)
    },
  })

  return {
    find(merchantId, id) {
      const now = clock.now().getTime()
      const last = known.get(id)
      if (last && Math.abs(now - last.at) < FRESH_MS) return last.receiver
      if (known.size >= MOST_KEPT) known.clear()
      const receiver = read({ merchantId, id })
      known.set(id, { receiver, at: now })
      receiver.catch(() => known.delete(id))
      return receiver
    },
    expire: (id) => void known.delete(id),
  }
}
