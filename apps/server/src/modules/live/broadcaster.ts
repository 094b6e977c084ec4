import { setTimeout as pause } from 'node:timers/promises'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { LiveUpdate } from '@muripo/contract/live'
import { liveSessions } from '../identity/index.ts'
import { type PaymentsCtx, showPayments } from '../payments/index.ts'
import type { Subscriber, Subscribers } from './subscribers.ts'
import type { PaymentUpdate, RecentUpdates } from './updates.ts'

/** An update of more payments lists none of them, and the subscribers refetch their lists. */
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
  private readonly pending = new Map<AccountId, Pending>()
  private readonly stopping = new AbortController()

  /** @param pauseMs the least time between two events of a merchant */
  constructor(ctx: PaymentsCtx, subscribers: Subscribers, recent: RecentUpdates, pauseMs: number) {
    this.ctx = ctx
    this.subscribers = subscribers
    this.recent = recent
    this.pauseMs = pauseMs
  }

  publish({ accountId, paymentIds, more }: PaymentUpdate): void {
    if (this.subscribers.of(accountId).length === 0) return
    this.enqueue(accountId, (pending) => {
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

  private enqueue(accountId: AccountId, put: (pending: Pending) => void): void {
    const underWay = this.pending.get(accountId)
    const pending = underWay ?? noUpdates()
    put(pending)
    if (underWay) return
    this.pending.set(accountId, pending)
    this.ctx.backgroundTasks.start('publish updates', this.publishAll(accountId))
  }

  private async publishAll(accountId: AccountId): Promise<void> {
    const { signal } = this.stopping
    for (;;) {
      const pending = this.pending.get(accountId)
      if (!pending || isEmpty(pending) || signal.aborted) break
      this.pending.set(accountId, noUpdates())
      await this.deliver(accountId, pending)
      await pause(this.pauseMs, undefined, { signal }).catch(() => undefined)
    }
    this.pending.delete(accountId)
  }

  private async deliver(accountId: AccountId, { newSubscribers, ...pending }: Pending): Promise<void> {
    const ofMerchant = this.subscribers.of(accountId)
    const message = bounded(pending)
    const withRecent = newSubscribers.size === 0 ? message : bounded(both(pending, this.recent.of(accountId)))
    const messageFor = (subscriber: Subscriber) => (newSubscribers.has(subscriber) ? withRecent : message)
    try {
      const named = [...message.paymentIds.union(withRecent.paymentIds)]
      const [payments, live] = await Promise.all([
        named.length === 0 ? [] : showPayments(this.ctx, accountId, named),
        liveSessions(this.ctx, ofMerchant),
      ])
      for (const subscriber of ofMerchant) {
        if (live.has(subscriber.sessionId)) push(subscriber, messageFor(subscriber), payments)
        else subscriber.dismiss()
      }
    } catch (error) {
      this.ctx.log.warn({ err: error, accountId }, 'updates could not be published')
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
  { stream, applications }: Subscriber,
  { paymentIds, more }: Message,
  payments: readonly DashboardPayment[],
): void {
  const update: LiveUpdate = {
    payments: payments.filter(
      ({ paymentId, applicationId }) =>
        paymentIds.has(paymentId) && (applications?.includes(applicationId) ?? true),
    ),
    more,
  }
  if (update.more || update.payments.length > 0) stream.event('payments', JSON.stringify(update))
}
