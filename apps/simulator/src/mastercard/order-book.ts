import { type Journal, openJournal } from '../journal.ts'
import { createTimers } from '../timers.ts'
import type { GatewayCode } from './cards.ts'
import type { Order } from './orders.ts'

interface OrderBookOptions {
  readonly folder: string
  readonly keep: number
  readonly speed: number
  readonly now: () => number
  /** Applies a planned change, whose time has come. */
  readonly onDue: (order: Order, planned: Planned) => void
}

type Planned = NonNullable<Order['planned']>

/** The stored orders, each with at most one change that is planned for later. */
export class OrderBook {
  private readonly options: OrderBookOptions
  private readonly orders: Journal<Order>
  private readonly timers = createTimers()

  constructor(options: OrderBookOptions) {
    this.options = options
    this.orders = openJournal<Order>({
      folder: options.folder,
      file: 'mastercard.jsonl',
      keep: options.keep,
      idOf: ({ id }) => id,
      isRecord: ({ id, session }) => typeof id === 'string' && typeof session === 'string',
    })
  }

  get(id: string): Order | null {
    return this.orders.get(id)
  }

  all(): Order[] {
    return this.orders.all()
  }

  save(order: Order): void {
    for (const { id } of this.orders.save(order)) this.timers.cancel(id)
  }

  plan(order: Order, code: GatewayCode, afterMs: number, refund?: string): void {
    const { now, speed } = this.options
    order.planned = { code, at: now() + afterMs / speed, ...(refund !== undefined && { refund }) }
  }

  /** Waits for the planned change of a stored order. */
  schedule(order: Order): void {
    this.timers.cancel(order.id)
    if (order.planned === null) return
    const waitMs = Math.max(0, order.planned.at - this.options.now())
    this.timers.set(order.id, waitMs, () => this.apply(order))
  }

  /** Applies the changes whose time passed while the simulator was down. */
  resume(): void {
    for (const order of this.all()) this.schedule(order)
  }

  stop(): void {
    this.timers.stop()
    this.orders.close()
  }

  private apply(order: Order): void {
    const { planned } = order
    order.planned = null
    if (planned !== null) this.options.onDue(order, planned)
  }
}
