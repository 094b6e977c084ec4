import type { WebhookId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { startSweeper } from '../../../platform/jobs/sweeper.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { CallableEndpoint } from '../endpoints/store-endpoints.ts'
import { createDeliveryCounts, type DeliveryCounts } from './delivery-counts.ts'
import { createEndpointCache } from './endpoint-cache.ts'
import { type EndpointProfile, EndpointQueues } from './endpoint-queues.ts'
import { createRecorder } from './recorder.ts'
import { LEASE_MS } from './schedule.ts'
import { send } from './send.ts'
import { dueEndpoints, type LeasedDelivery, relayEvents, releaseLeases, takeDue } from './store-queue.ts'

/** A delivery whose lease ends sooner than this is not sent any more. */
const SEND_BEFORE_MS = 20_000
/** The longest time until the relay sees a new event, while events arrive and after a while without one. */
const EVENT_PAUSE_MS = 40
const IDLE_EVENT_PAUSE_MS = 200
const IDLE_AFTER_MS = 5000
const MOST_EVENTS = 200
/** An endpoint that answers within this time can take more concurrent requests. */
const FAST_MS = 2000
/** The delay of an attempt that was postponed, or that another process left behind. */
const DUE_PAUSE_MS = 500
const STOP_MS = 3000

export interface Relay {
  readonly counts: DeliveryCounts
  /** Leases no more, waits briefly for answers, and releases the other leases. */
  stop(): Promise<void>
}

/**
 * Turns new events into deliveries and sends them. The work is stored in rows, so that several processes share it, and the deliveries of a
 * process that dies are sent by another one after their lease: at least once, under the same id.
 * @param ctx with a database pool of its own, so that deliveries do not wait for requests
 */
export function startRelay(ctx: Ctx, outbound: Outbound, onRound: () => void = () => undefined): Relay {
  const { db, clock, log } = ctx
  const endpoints = createEndpointCache(ctx)
  const recorder = createRecorder(ctx)
  const counts = createDeliveryCounts()
  const interrupted: LeasedDelivery[] = []
  let stopping = false

  const queues = new EndpointQueues<LeasedDelivery>(async (leased) => {
    // A delivery that waited for too long may be leased by another process by now.
    if (clock.now() > plusMs(leased.takenAt, LEASE_MS - SEND_BEFORE_MS)) return 'failed'
    try {
      const endpoint = await endpoints.find(leased.accountId, leased.endpointId)
      if (!isOn(endpoint)) {
        recorder.notSent(leased)
        return 'slow'
      }
      const sent = await send(ctx, outbound, leased, endpoint)
      if (stopping && sent.outcome.attempt?.responseStatus === null) {
        // This process's own stop may have interrupted the request, which is no failure of the endpoint.
        interrupted.push(leased)
        return 'failed'
      }
      counts.note(endpoint, sent.verdict)
      const written = recorder.sent(sent, endpoint)
      if (!endpoint.isProven) {
        // The next delivery waits, because this answer may have proven or disabled the endpoint.
        await written
        endpoints.expire(endpoint.id)
      }
      if (sent.verdict !== 'succeeded') return 'failed'
      return (sent.outcome.attempt?.durationMs ?? 0) < FAST_MS ? 'fast' : 'slow'
    } catch (error) {
      // The lease expires, and the delivery is sent again.
      log.error({ err: error, eventId: leased.event.id }, 'a delivery could not be sent')
      return 'failed'
    } finally {
      if (queues.wantsMore(leased.endpointId)) refill()
    }
  })

  async function enqueue(leased: readonly LeasedDelivery[]): Promise<void> {
    const groups = Map.groupBy(leased, ({ endpointId }) => endpointId)
    await Promise.all(
      groups.values().map(async (group) => {
        const [{ accountId, endpointId }] = group as [LeasedDelivery]
        const endpoint = await endpoints.find(accountId, endpointId)
        if (!isOn(endpoint)) for (const each of group) recorder.notSent(each)
        else {
          const profile = profileOf(endpoint)
          for (const each of group) queues.enqueue(endpointId, profile, each)
        }
      }),
    )
    queues.dispatch()
  }

  let lastEventAt = Number.NEGATIVE_INFINITY
  const eventPauseMs = () =>
    performance.now() - lastEventAt < IDLE_AFTER_MS ? EVENT_PAUSE_MS : IDLE_EVENT_PAUSE_MS

  async function relayNew(): Promise<void> {
    for (let more = true; more && !stopping; ) {
      const relayed = await relayEvents(db, MOST_EVENTS, queues.full(), LEASE_MS, clock.now())
      if (relayed.events > 0) lastEventAt = performance.now()
      markMore(relayed.waiting)
      await enqueue(relayed.leased)
      more = relayed.events === MOST_EVENTS
    }
  }

  function markMore(endpoints: Iterable<WebhookId>): void {
    for (const endpointId of endpoints) queues.setHasMore(endpointId, true)
    refill()
  }

  let refilling: Promise<void> | null = null
  function refill(): void {
    if (refilling || stopping || queues.capacity().size === 0) return
    refilling = takeMore()
      .catch((error: unknown) => log.error({ err: error }, 'deliveries could not be taken'))
      .finally(() => {
        refilling = null
      })
  }

  async function takeMore(): Promise<void> {
    for (let room = queues.capacity(); room.size > 0 && !stopping; room = queues.capacity()) {
      const taken = await takeDue(db, room, LEASE_MS, clock.now())
      const counts = Map.groupBy(taken, ({ endpointId }) => endpointId)
      for (const [endpointId, most] of room) {
        queues.setHasMore(endpointId, (counts.get(endpointId)?.length ?? 0) >= most)
      }
      await enqueue(taken)
    }
  }

  const sweepers = [
    startSweeper('relay-events', eventPauseMs, relayNew, log, onRound),
    startSweeper('due-deliveries', DUE_PAUSE_MS, async () => markMore(await dueEndpoints(db)), log),
  ]

  return {
    counts,
    async stop() {
      stopping = true
      await Promise.all(sweepers.map((sweeper) => sweeper.stop()))
      await refilling
      const unsent = queues.close()
      const deadline = performance.now() + STOP_MS
      while (queues.inFlight > 0 && performance.now() < deadline) await pause(20)
      await outbound.close()
      while (queues.inFlight > 0) await pause(5)
      await recorder.drained()
      await releaseLeases(db, [...unsent, ...interrupted]).catch((error: unknown) =>
        log.error({ err: error }, 'deliveries could not be given back'),
      )
    },
  }
}

const isOn = (endpoint: CallableEndpoint | null): endpoint is CallableEndpoint =>
  endpoint !== null && !endpoint.deleted && endpoint.status !== 'disabled'

const profileOf = ({ merchantId, url, isProven }: CallableEndpoint): EndpointProfile => ({
  merchantId,
  host: new URL(url).hostname,
  isProven,
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
