import type { MerchantId, WebhookId } from '@muripo/contract/ids'

/** Limits of concurrent requests. */
export const limits = {
  /** To an endpoint that has never answered with a 2xx: it may belong to somebody who did not ask for events. */
  unproven: 1,
  /** To an endpoint whose speed is unknown, and to one that answers slowly. */
  first: 2,
  /** To an endpoint that has answered fast for a while. */
  endpoint: 64,
  /** To all endpoints of one merchant, and to all endpoints on one host. */
  merchant: 128,
  host: 128,
  /** To endpoints whose last delivery attempt failed. */
  failing: 256,
  all: 1024,
  /** A reserve beyond `all`, for merchants without a request in flight. */
  reserved: 128,
} as const

/**
 * The size of the leased deliveries from which an endpoint with leased ones gets no more, and twice of which nothing is leased. The others
 * wait in the database, so that endpoints that answer slowly do not fill the memory.
 */
const MOST_BYTES = 16 * 1024 * 1024
/** Deliveries that are leased in one statement. */
const MOST_LEASED = 1000

/** Idle endpoints whose answers are remembered, so that a failing one is still a failing one at its next delivery. */
const MOST_IDLE = 10_000

/** A fast answer is a 2xx within two seconds; a slow one is a 2xx that took longer. */
export type Result = 'fast' | 'slow' | 'failed'

/** The facts about an endpoint that limit its requests, beside its answers. */
export interface EndpointProfile {
  /** The live and test endpoints of one merchant count together. */
  readonly merchantId: MerchantId
  readonly host: string
  /** Whether it has ever answered with a 2xx. */
  readonly isProven: boolean
}

interface EndpointQueue<Item> {
  readonly endpointId: WebhookId
  profile: EndpointProfile | null
  /** Leased by this process and not sent. */
  readonly waiting: Item[]
  inFlight: number
  /** The number of concurrent requests that the endpoint's answers so far allow. */
  concurrency: number
  isFailing: boolean
  /** Whether the database may have more due deliveries. */
  hasMore: boolean
}

/** A delivery that is being sent, with what its end restores. */
export interface Sending<Item> {
  readonly item: Item
  readonly queue: EndpointQueue<Item>
  readonly profile: EndpointProfile
  readonly wasFailing: boolean
}

/**
 * Decides which delivery is sent next, and sends none: its caller sends what `dispatch` and `finish` return, and calls `finish` with the
 * result. The concurrency of an endpoint grows with each fast answer and shrinks with slow answers and
 * failures: its limit shows in its latency, not in its success. Limits for each merchant, for each host and for failing endpoints reserve
 * sockets for all others.
 */
export class EndpointQueues<Item> {
  private readonly queues = new Map<WebhookId, EndpointQueue<Item>>()
  /** Without work: each round walks `queues` alone. The endpoint that became idle first comes first. */
  private readonly idle = new Map<WebhookId, EndpointQueue<Item>>()
  private readonly merchants = new Counts()
  private readonly hosts = new Counts()
  private readonly bytesOf: (item: Item) => number
  private bytes = 0
  private total = 0
  private failing = 0
  private isClosed = false

  /** @param bytesOf the memory of an item */
  constructor(bytesOf: (item: Item) => number) {
    this.bytesOf = bytesOf
  }

  /** Records whether the database may have more due deliveries for an endpoint. */
  setHasMore(endpointId: WebhookId, hasMore: boolean): void {
    const queue = this.queue(endpointId)
    queue.hasMore = hasMore
    this.retireIfIdle(queue)
  }

  /** Endpoints with more leased deliveries than concurrent requests. */
  full(): WebhookId[] {
    return [...this.queues.values()]
      .filter((queue) => queue.waiting.length >= this.capacityOf(queue))
      .map(({ endpointId }) => endpointId)
  }

  /** The number of deliveries that can be leased now for each endpoint that may have more. */
  capacity(): Map<WebhookId, number> {
    const capacity = new Map<WebhookId, number>()
    let left = MOST_LEASED
    for (const queue of this.queues.values()) {
      if (left === 0) break
      if (!this.canLease(queue)) continue
      const room = Math.min(left, this.capacityOf(queue) - queue.waiting.length)
      capacity.set(queue.endpointId, room)
      left -= room
    }
    return capacity
  }

  wantsMore(endpointId: WebhookId): boolean {
    const queue = this.queues.get(endpointId)
    return queue !== undefined && this.canLease(queue)
  }

  /** Whether the leased deliveries take as much memory as they may. */
  get isFull(): boolean {
    return this.bytes >= 2 * MOST_BYTES
  }

  enqueue(endpointId: WebhookId, profile: EndpointProfile, item: Item): void {
    const queue = this.queue(endpointId)
    queue.profile = profile
    if (profile.isProven && queue.concurrency === limits.unproven && !queue.isFailing)
      queue.concurrency = limits.first
    queue.waiting.push(item)
    this.bytes += this.bytesOf(item)
  }

  /** Starts deliveries up to the limits. */
  dispatch(): Sending<Item>[] {
    return [...this.queues.values()].flatMap((queue) => this.dispatchOne(queue))
  }

  /** Ends a delivery, and starts the ones that waited for it. */
  finish(sending: Sending<Item>, result: Result): Sending<Item>[] {
    const { queue, profile } = sending
    const wasShared = this.isAtSharedLimit(profile)
    this.count(sending, -1)
    this.bytes -= this.bytesOf(sending.item)
    queue.isFailing = result === 'failed'
    queue.concurrency = concurrencyAfter(result, queue.concurrency)
    const started = wasShared ? this.dispatch() : this.dispatchOne(queue)
    this.retireIfIdle(queue)
    return started
  }

  /** Starts no more, and returns the unsent deliveries. */
  close(): Item[] {
    this.isClosed = true
    return [...this.queues.values()].flatMap((queue) => queue.waiting.splice(0))
  }

  get inFlight(): number {
    return this.total
  }

  /** The endpoints that each round walks. */
  get active(): number {
    return this.queues.size
  }

  private canLease(queue: EndpointQueue<Item>): boolean {
    const { hasMore, waiting, concurrency, isFailing } = queue
    return hasMore && waiting.length < Math.min(isFailing ? 1 : concurrency, this.capacityOf(queue))
  }

  /** Twice the concurrency, so that the next delivery is leased when an answer arrives. */
  private capacityOf({ concurrency, waiting, inFlight }: EndpointQueue<Item>): number {
    if (this.bytes < MOST_BYTES) return 2 * concurrency
    return this.isFull || waiting.length + inFlight > 0 ? 0 : 1
  }

  private queue(endpointId: WebhookId): EndpointQueue<Item> {
    const known = this.queues.get(endpointId)
    if (known) return known
    const queue: EndpointQueue<Item> = this.idle.get(endpointId) ?? {
      endpointId,
      profile: null,
      waiting: [],
      inFlight: 0,
      concurrency: limits.unproven,
      isFailing: false,
      hasMore: false,
    }
    this.idle.delete(endpointId)
    this.queues.set(endpointId, queue)
    return queue
  }

  private retireIfIdle(queue: EndpointQueue<Item>): void {
    if (queue.hasMore || queue.inFlight > 0 || queue.waiting.length > 0) return
    this.queues.delete(queue.endpointId)
    this.idle.set(queue.endpointId, queue)
    const [oldest] = this.idle.keys()
    if (this.idle.size > MOST_IDLE && oldest !== undefined) this.idle.delete(oldest)
  }

  private dispatchOne(queue: EndpointQueue<Item>): Sending<Item>[] {
    const { profile } = queue
    const started: Sending<Item>[] = []
    while (profile && !this.isClosed && this.maySend(queue, profile)) {
      const item = queue.waiting.shift()
      if (item === undefined) break
      const sending = { item, queue, profile, wasFailing: queue.isFailing }
      this.count(sending, 1)
      started.push(sending)
    }
    if (started.length > 0) {
      // Endpoints take turns: one that has just sent moves behind all others, which get the next free sockets.
      this.queues.delete(queue.endpointId)
      this.queues.set(queue.endpointId, queue)
    }
    return started
  }

  private maySend(queue: EndpointQueue<Item>, { merchantId, host }: EndpointProfile): boolean {
    const ofMerchant = this.merchants.of(merchantId)
    const all = ofMerchant === 0 ? limits.all + limits.reserved : limits.all
    return (
      queue.inFlight < queue.concurrency &&
      ofMerchant < limits.merchant &&
      this.hosts.of(host) < limits.host &&
      this.total < all &&
      (!queue.isFailing || this.failing < limits.failing)
    )
  }

  private count({ queue, profile, wasFailing }: Sending<Item>, by: 1 | -1): void {
    queue.inFlight += by
    this.total += by
    this.merchants.add(profile.merchantId, by)
    this.hosts.add(profile.host, by)
    if (wasFailing) this.failing += by
  }

  /** Whether other endpoints may wait for this request to end. */
  private isAtSharedLimit({ merchantId, host }: EndpointProfile): boolean {
    return (
      this.total >= limits.all ||
      this.failing >= limits.failing ||
      this.merchants.of(merchantId) >= limits.merchant ||
      this.hosts.of(host) >= limits.host
    )
  }
}

function concurrencyAfter(result: Result, before: number): number {
  if (result === 'fast') return Math.min(limits.endpoint, Math.max(limits.first, before + 1))
  return Math.max(result === 'slow' ? limits.first : 1, before >> 1)
}

/** Concurrent requests by name; a name without requests takes no memory. */
class Counts {
  private readonly counts = new Map<string, number>()

  of(name: string): number {
    return this.counts.get(name) ?? 0
  }

  add(name: string, by: number): void {
    const count = this.of(name) + by
    if (count === 0) this.counts.delete(name)
    else this.counts.set(name, count)
  }
}
