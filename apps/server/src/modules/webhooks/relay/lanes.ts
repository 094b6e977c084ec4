import type { WebhookId } from '@muripo/contract/ids'

/** So many requests at once go to an endpoint that nothing is known of, and to one that has answered well for a while. */
const FIRST_WIDTH = 2
const MOST_WIDTH = 64
/** So many go out at once altogether, and so many of these to endpoints whose last answer was a bad one or none. */
const MOST_RUNNING = 1024
const MOST_TROUBLED = 256

export interface Lane<Item> {
  readonly endpointId: WebhookId
  /** What this process has taken and not sent. */
  readonly waiting: Item[]
  running: number
  width: number
  troubled: boolean
  /** Whether the database may have more that is due. */
  hasMore: boolean
}

/**
 * Who may send next. Each endpoint has a lane of its own, as wide as its receiver has shown itself able to bear: a lane widens with
 * each good answer and narrows with each bad one, so that receivers that hang or refuse keep few sockets and others have the rest.
 */
export class Lanes<Item> {
  private readonly lanes = new Map<WebhookId, Lane<Item>>()
  private readonly send: (item: Item) => Promise<'good' | 'bad'>
  private running = 0
  private troubled = 0
  private closed = false

  constructor(send: (item: Item) => Promise<'good' | 'bad'>) {
    this.send = send
  }

  lane(endpointId: WebhookId): Lane<Item> {
    const known = this.lanes.get(endpointId)
    if (known) return known
    const lane: Lane<Item> = {
      endpointId,
      waiting: [],
      running: 0,
      width: FIRST_WIDTH,
      troubled: false,
      hasMore: false,
    }
    this.lanes.set(endpointId, lane)
    return lane
  }

  /** Endpoints to which more was taken than goes out at once. */
  busy(): WebhookId[] {
    return [...this.lanes.values()]
      .filter((lane) => lane.waiting.length >= roomOf(lane))
      .map(({ endpointId }) => endpointId)
  }

  /** How much could be taken for each endpoint that may have more. */
  room(): Map<WebhookId, number> {
    const hungry = [...this.lanes.values()].filter(isHungry)
    return new Map(hungry.map((lane) => [lane.endpointId, roomOf(lane) - lane.waiting.length]))
  }

  isHungry(endpointId: WebhookId): boolean {
    const lane = this.lanes.get(endpointId)
    return lane !== undefined && isHungry(lane)
  }

  push(endpointId: WebhookId, item: Item): void {
    this.lane(endpointId).waiting.push(item)
  }

  /** Sends as much as may go now. */
  pump(): void {
    for (const lane of this.lanes.values()) this.pumpOne(lane)
  }

  /** Sends nothing more, and hands out what was not sent. */
  close(): Item[] {
    this.closed = true
    return [...this.lanes.values()].flatMap((lane) => lane.waiting.splice(0))
  }

  get inFlight(): number {
    return this.running
  }

  private pumpOne(lane: Lane<Item>): void {
    let started = false
    while (!this.closed && lane.waiting.length > 0 && this.mayStart(lane)) {
      const item = lane.waiting.shift()
      if (item === undefined) break
      void this.start(lane, item)
      started = true
    }
    if (!started) return
    // When sockets are few, whoever has had some comes after all others.
    this.lanes.delete(lane.endpointId)
    this.lanes.set(lane.endpointId, lane)
  }

  private mayStart(lane: Lane<Item>): boolean {
    return (
      lane.running < lane.width &&
      this.running < MOST_RUNNING &&
      (!lane.troubled || this.troubled < MOST_TROUBLED)
    )
  }

  private async start(lane: Lane<Item>, item: Item): Promise<void> {
    const wasTroubled = lane.troubled
    lane.running += 1
    this.running += 1
    if (wasTroubled) this.troubled += 1
    const result = await this.send(item)
    const wasFull = this.running >= MOST_RUNNING || this.troubled >= MOST_TROUBLED
    lane.running -= 1
    this.running -= 1
    if (wasTroubled) this.troubled -= 1
    lane.troubled = result === 'bad'
    lane.width = result === 'good' ? Math.min(MOST_WIDTH, lane.width + 1) : Math.max(1, lane.width >> 1)
    if (wasFull) this.pump()
    else this.pumpOne(lane)
  }
}

const isHungry = <Item>({ hasMore, waiting, width, troubled }: Lane<Item>): boolean =>
  hasMore && waiting.length < (troubled ? 1 : width)

/** Twice what goes out at once, so that the next is there when an answer comes. */
const roomOf = <Item>({ width }: Lane<Item>): number => 2 * width
