import { setTimeout as pause } from 'node:timers/promises'
import type { WebhookId } from '@muripo/contract/ids'
import type { Ctx } from '../../../platform/ctx.ts'
import { type RunningTask, repeatTask } from '../../../platform/jobs/periodic-task.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import type { CallableEndpoint } from '../endpoints/store-endpoints.ts'
import type { DeliveryCounts } from '../metrics.ts'
import { DeliverySender } from './delivery-sender.ts'
import { type EndpointProfile, EndpointQueues, type Sending } from './endpoint-queues.ts'
import { dueEndpoints, type LeasedDelivery, relayEvents, releaseLeases, takeDue } from './store-queue.ts'

/** The pause between two reads of the outbox, while events arrive and after some seconds without one. */
const EVENT_PAUSE_MS = 40
const IDLE_EVENT_PAUSE_MS = 200
const IDLE_AFTER_MS = 5000
const MOST_EVENTS = 200
/** The delay of an attempt that was postponed, or that another process left behind. */
const DUE_PAUSE_MS = 500
const STOP_MS = 3000

export interface Relay {
  readonly counts: DeliveryCounts
  /** Stops leasing, waits briefly for answers, and releases the unsent leases. */
  stop(): Promise<void>
}

/**
 * Turns new events into deliveries and sends them. The work is stored in rows, which several processes share. After a crash, another
 * process sends the deliveries whose lease has expired: each event arrives at least once, under the same id.
 * @param ctx with a database pool of its own, so that deliveries do not wait for requests
 */
export const startRelay = (ctx: Ctx, outbound: Outbound, onRound: () => void = () => undefined): Relay =>
  new RunningRelay(ctx, outbound, onRound)

class RunningRelay implements Relay {
  private readonly ctx: Ctx
  private readonly outbound: Outbound
  private readonly sender: DeliverySender
  private readonly queues = new EndpointQueues(bytesOf)
  private readonly tasks: readonly RunningTask[]
  private lastEventAt = Number.NEGATIVE_INFINITY
  private leasing: Promise<void> | null = null
  private isStopping = false

  constructor(ctx: Ctx, outbound: Outbound, onRound: () => void) {
    this.ctx = ctx
    this.outbound = outbound
    this.sender = new DeliverySender(ctx, outbound)
    const { log } = ctx
    const relayEvents = {
      name: 'relay-events',
      pauseMs: () => this.eventPauseMs(),
      run: () => this.relayNew(),
    }
    const findDue = { name: 'due-deliveries', pauseMs: DUE_PAUSE_MS, run: () => this.findDue() }
    this.tasks = [repeatTask(relayEvents, log, onRound), repeatTask(findDue, log)]
  }

  get counts(): DeliveryCounts {
    return this.sender.counts
  }

  async stop(): Promise<void> {
    const { queues, sender, outbound, ctx } = this
    this.isStopping = true
    sender.stop()
    await Promise.all(this.tasks.map((task) => task.stop()))
    await this.leasing
    const unsent = queues.close()
    const deadline = performance.now() + STOP_MS
    while (queues.inFlight > 0 && performance.now() < deadline) await pause(20)
    await outbound.close()
    while (queues.inFlight > 0) await pause(5)
    const interrupted = await sender.drained()
    await releaseLeases(ctx.db, [...unsent, ...interrupted]).catch((error: unknown) =>
      ctx.log.error({ err: error }, 'the leases of deliveries could not be released'),
    )
  }

  private eventPauseMs(): number {
    return performance.now() - this.lastEventAt < IDLE_AFTER_MS ? EVENT_PAUSE_MS : IDLE_EVENT_PAUSE_MS
  }

  private async relayNew(): Promise<void> {
    const { db, clock } = this.ctx
    // The events stay in the outbox while there is no memory for their deliveries.
    for (let more = true; more && !this.isStopping && !this.queues.isFull; ) {
      const relayed = await relayEvents(db, MOST_EVENTS, this.queues.full(), clock.now())
      if (relayed.events > 0) this.lastEventAt = performance.now()
      this.markMore(relayed.waiting)
      await this.enqueue(relayed.leased)
      more = relayed.events === MOST_EVENTS
    }
  }

  private async findDue(): Promise<void> {
    this.markMore(await dueEndpoints(this.ctx.db))
  }

  private markMore(endpoints: Iterable<WebhookId>): void {
    for (const endpointId of endpoints) this.queues.setHasMore(endpointId, true)
    this.lease()
  }

  /** Leases due deliveries in the background, while the queues have room for them. */
  private lease(): void {
    if (this.leasing || this.isStopping || this.queues.capacity().size === 0) return
    this.leasing = this.leaseDue()
      .catch((error: unknown) => this.ctx.log.error({ err: error }, 'deliveries could not be leased'))
      .finally(() => {
        this.leasing = null
      })
  }

  private async leaseDue(): Promise<void> {
    const { queues, ctx } = this
    for (let room = queues.capacity(); room.size > 0 && !this.isStopping; room = queues.capacity()) {
      const leased = await takeDue(ctx.db, room, ctx.clock.now())
      const groups = Map.groupBy(leased, ({ endpointId }) => endpointId)
      for (const [endpointId, most] of room) {
        queues.setHasMore(endpointId, (groups.get(endpointId)?.length ?? 0) >= most)
      }
      await this.enqueue(leased)
    }
  }

  private async enqueue(leased: readonly LeasedDelivery[]): Promise<void> {
    const groups = Map.groupBy(leased, ({ endpointId }) => endpointId)
    await Promise.all(
      groups.values().map(async (group) => {
        const endpoint = await this.sender.endpointOf(group[0] as LeasedDelivery)
        if (endpoint === null) for (const each of group) this.sender.recordNotSent(each)
        else for (const each of group) this.queues.enqueue(endpoint.id, profileOf(endpoint), each)
      }),
    )
    this.start(this.queues.dispatch())
  }

  private start(sendings: readonly Sending<LeasedDelivery>[]): void {
    for (const sending of sendings) void this.deliver(sending)
  }

  private async deliver(sending: Sending<LeasedDelivery>): Promise<void> {
    const result = await this.sender.send(sending.item)
    if (this.queues.wantsMore(sending.item.endpointId)) this.lease()
    this.start(this.queues.finish(sending, result))
  }
}

/** A character takes two bytes at most; the rest of a delivery takes about a thousand. */
const bytesOf = ({ event }: LeasedDelivery): number => 1000 + 2 * event.data.length

const profileOf = ({ merchantId, url, isProven }: CallableEndpoint): EndpointProfile => ({
  merchantId,
  host: new URL(url).hostname,
  isProven,
})
