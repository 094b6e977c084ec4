import { setTimeout as pause } from 'node:timers/promises'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { MerchantId, PaymentId } from '@muripo/contract/ids'
import type { LiveNews } from '@muripo/contract/live'
import { liveSessions } from '../identity/index.ts'
import { type PaymentsCtx, showPayments } from '../payments/index.ts'
import type { Audience, Listener } from './audience.ts'
import type { News, RecentNews } from './news.ts'

/** More than this is not named: whoever listens asks its lists again. */
const MOST_NAMED = 50
interface Gathered {
  readonly paymentIds: Set<PaymentId>
  more: boolean
  /** Those who are also told what was told just before they came. */
  readonly newcomers: Set<Listener>
}

const nothing = (): Gathered => ({ paymentIds: new Set(), more: false, newcomers: new Set() })
const isNothing = ({ paymentIds, more, newcomers }: Gathered) =>
  paymentIds.size === 0 && !more && newcomers.size === 0

/** Tells each merchant's listeners what happened: one read for all of them, in order, and what came meanwhile in one go. */
export class Teller {
  private readonly ctx: PaymentsCtx
  private readonly audience: Audience
  private readonly recent: RecentNews
  private readonly pauseMs: number
  private readonly gathered = new Map<MerchantId, Gathered>()
  private readonly stopping = new AbortController()

  /** However much happens, there are `pauseMs` between what a merchant's listeners are told. */
  constructor(ctx: PaymentsCtx, audience: Audience, recent: RecentNews, pauseMs: number) {
    this.ctx = ctx
    this.audience = audience
    this.recent = recent
    this.pauseMs = pauseMs
  }

  tell({ merchantId, paymentIds, more }: News): void {
    if (this.audience.of(merchantId).length === 0) return
    this.gather(merchantId, (gathered) => {
      for (const id of paymentIds) gathered.paymentIds.add(id)
      gathered.more ||= more
    })
  }

  welcome(newcomer: Listener): void {
    this.gather(newcomer.merchantId, ({ newcomers }) => newcomers.add(newcomer))
  }

  stop(): void {
    this.stopping.abort()
  }

  private gather(merchantId: MerchantId, put: (gathered: Gathered) => void): void {
    const underWay = this.gathered.get(merchantId)
    const gathered = underWay ?? nothing()
    put(gathered)
    if (underWay) return
    this.gathered.set(merchantId, gathered)
    this.ctx.backgroundTasks.start('tell news', this.tellAll(merchantId))
  }

  private async tellAll(merchantId: MerchantId): Promise<void> {
    const { signal } = this.stopping
    for (;;) {
      const gathered = this.gathered.get(merchantId)
      if (!gathered || isNothing(gathered) || signal.aborted) break
      this.gathered.set(merchantId, nothing())
      await this.deliver(merchantId, gathered)
      await pause(this.pauseMs, undefined, { signal }).catch(() => undefined)
    }
    this.gathered.delete(merchantId)
  }

  private async deliver(merchantId: MerchantId, { newcomers, ...gathered }: Gathered): Promise<void> {
    const listeners = this.audience.of(merchantId)
    const notice = bounded(gathered)
    const welcome = newcomers.size === 0 ? notice : bounded(both(gathered, this.recent.of(merchantId)))
    const noticeFor = (listener: Listener) => (newcomers.has(listener) ? welcome : notice)
    try {
      const named = [...notice.paymentIds.union(welcome.paymentIds)]
      const [payments, live] = await Promise.all([
        named.length === 0 ? [] : showPayments(this.ctx, merchantId, named),
        liveSessions(this.ctx, listeners),
      ])
      for (const listener of listeners) {
        if (live.has(listener.sessionId)) say(listener, noticeFor(listener), payments)
        else listener.dismiss()
      }
    } catch (error) {
      this.ctx.log.warn({ err: error, merchantId }, 'news could not be told')
      for (const listener of listeners) say(listener, unnamed, [])
    }
  }
}

interface Notice {
  readonly paymentIds: ReadonlySet<PaymentId>
  readonly more: boolean
}

const unnamed: Notice = { paymentIds: new Set(), more: true }

const bounded = (notice: Notice): Notice =>
  notice.more || notice.paymentIds.size > MOST_NAMED ? unnamed : notice

const both = (one: Notice, other: News): Notice => ({
  paymentIds: one.paymentIds.union(new Set(other.paymentIds)),
  more: one.more || other.more,
})

function say(
  { stream }: Listener,
  { paymentIds, more }: Notice,
  payments: readonly DashboardPayment[],
): void {
  const news: LiveNews = { payments: payments.filter((payment) => paymentIds.has(payment.paymentId)), more }
  if (news.more || news.payments.length > 0) stream.event('payments', JSON.stringify(news))
}
