import { setTimeout as pause } from 'node:timers/promises'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { MerchantId, PaymentId } from '@muripo/contract/ids'
import type { LiveNews } from '@muripo/contract/live'
import { liveSessions } from '../identity/index.ts'
import { type PaymentsCtx, showPayments } from '../payments/index.ts'
import type { Subscriber, Subscribers } from './subscribers.ts'
import type { PaymentUpdate, RecentUpdates } from './updates.ts'

/** An update of more payments names none, and its subscribers fetch their lists again. */
const MAX_NAMED_PAYMENTS = 50
interface Pending {
  readonly paymentIds: Set<PaymentId>
  more: boolean
  /** They also receive the updates from before they subscribed. */
  readonly newSubscribers: Set<Subscriber>
}

const noUpdates = (): Pending => ({ paymentIds: new Set(), more: false, newSubscribers: new Set() })
const isEmpty = ({ paymentIds, more, newSubscribers }: Pending) =>
  paymentIds.size === 0 && !more && newSubscribers.size === 0

/** Publishes updates to the subscribers of each merchant: one read for all of them, in order. Updates during a read are combined. */
export class Broadcaster {
  private readonly ctx: PaymentsCtx
  private readonly subscribers: Subscribers
  private readonly recent: RecentUpdates
  private readonly pauseMs: number
  private readonly pending = new Map<MerchantId, Pending>()
  private readonly stopping = new AbortController()

  /** @param pauseMs the least time between two events of a merchant */
  constructor(ctx: PaymentsCtx, subscribers: Subscribers, recent: RecentUpdates, pauseMs: number) {
    this.ctx = ctx
    this.subscribers = subscribers
    this.recent = recent
    this.pauseMs = pauseMs
  }

  publish({ merchantId, paymentIds, more }: PaymentUpdate): void {
    if (this.subscribers.of(merchantId).length === 0) return
    this.enqueue(merchantId, (pending) => {
      for (const id of paymentIds) pending.paymentIds.add(id)
      pending.more ||= more
    })
  }

  sendRecent(subscriber: Subscriber): void {
    this.enqueue(subscriber.merchantId, ({ newSubscribers }) => newSubscribers.add(subscriber))
  }

  stop(): void {
    this.stopping.abort()
  }

  private enqueue(merchantId: MerchantId, put: (pending: Pending) => void): void {
    const underWay = this.pending.get(merchantId)
    const pending = underWay ?? noUpdates()
    put(pending)
    if (underWay) return
    this.pending.set(merchantId, pending)
    this.ctx.backgroundTasks.start('publish updates', this.publishAll(merchantId))
  }

  private async publishAll(merchantId: MerchantId): Promise<void> {
    const { signal } = this.stopping
    for (;;) {
      const pending = this.pending.get(merchantId)
      if (!pending || isEmpty(pending) || signal.aborted) break
      this.pending.set(merchantId, noUpdates())
      await this.deliver(merchantId, pending)
      await pause(this.pauseMs, undefined, { signal }).catch(() => undefined)
    }
    this.pending.delete(merchantId)
  }

  private async deliver(merchantId: MerchantId, { newSubscribers, ...pending }: Pending): Promise<void> {
    const ofMerchant = this.subscribers.of(merchantId)
    const message = bounded(pending)
    const withRecent =
      newSubscribers.size === 0 ? message : bounded(both(pending, this.recent.of(merchantId)))
    const messageFor = (subscriber: Subscriber) => (newSubscribers.has(subscriber) ? withRecent : message)
    try {
      const named = [...message.paymentIds.union(withRecent.paymentIds)]
      const [payments, live] = await Promise.all([
        named.length === 0 ? [] : showPayments(this.ctx, merchantId, named),
        liveSessions(this.ctx, ofMerchant),
      ])
      for (const subscriber of ofMerchant) {
        if (live.has(subscriber.sessionId)) push(subscriber, messageFor(subscriber), payments)
        else subscriber.dismiss()
      }
    } catch (error) {
      this.ctx.log.warn({ err: error, merchantId }, 'updates could not be published')
      for (const subscriber of ofMerchant) push(subscriber, unnamed, [])
    }
  }
}

interface Message {
  readonly paymentIds: ReadonlySet<PaymentId>
  readonly more: boolean
}

const unnamed: Message = { paymentIds: new Set(), more: true }

const bounded = (message: Message): Message =>
  message.more || message.paymentIds.size > MAX_NAMED_PAYMENTS ? unnamed : message

const both = (one: Message, other: PaymentUpdate): Message => ({
  paymentIds: one.paymentIds.union(new Set(other.paymentIds)),
  more: one.more || other.more,
})

function push(
  { stream }: Subscriber,
  { paymentIds, more }: Message,
  payments: readonly DashboardPayment[],
): void {
  const update: LiveNews = { payments: payments.filter((payment) => paymentIds.has(payment.paymentId)), more }
  if (update.more || update.payments.length > 0) stream.event('payments', JSON.stringify(update))
}
