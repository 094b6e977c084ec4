import type { AccountId, WebhookId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { createBatcher } from '../../../platform/db/batcher.ts'
import { type CallableEndpoint, findCallableEndpoints } from '../endpoints/store-endpoints.ts'

/** The greatest age of a cached endpoint. */
const FRESH_MS = 1000
/** Of about 3 KB: an address of up to 2 KB and two secrets. */
const ENTRIES_MAX = 10_000

interface Known {
  readonly endpoint: Promise<CallableEndpoint | null>
  readonly at: number
}

export interface EndpointCache {
  /** Returns an endpoint that was read at most a second ago. */
  find(accountId: AccountId, id: WebhookId): Promise<CallableEndpoint | null>
  /** Makes the next find read the endpoint again. */
  expire(id: WebhookId): void
}

/** Finds endpoints by their ids, many in one statement, and caches them for a moment. */
export function createEndpointCache({ db, clock }: Pick<Ctx, 'db' | 'clock'>): EndpointCache {
  const known = new Map<WebhookId, Known>()
  const read = createBatcher<{ accountId: AccountId; id: WebhookId }, CallableEndpoint | null>({
    name: 'endpoints',
    maxCalls: 200,
    maxRunning: 1,
    mostWaiting: ENTRIES_MAX,
    write(keys) {
      const found = findCallableEndpoints(db.kysely, keys, clock.now()).then(
        (endpoints) => new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
      )
      return keys.map(async ({ id }) => (await found).get(id) ?? null)
    },
  })

  function evict(now: number): void {
    for (const [id, { at }] of known) {
      if (Math.abs(now - at) < FRESH_MS && known.size < ENTRIES_MAX) return
      known.delete(id)
    }
  }

  return {
    find(accountId, id) {
      const now = clock.now().getTime()
      const last = known.get(id)
      if (last && Math.abs(now - last.at) < FRESH_MS) return last.endpoint
      evict(now)
      const endpoint = read({ accountId, id })
      // The order of the entries is that of their times.
      known.delete(id)
      known.set(id, { endpoint, at: now })
      endpoint.catch(() => known.delete(id))
      return endpoint
    },
    expire: (id) => void known.delete(id),
  }
}
