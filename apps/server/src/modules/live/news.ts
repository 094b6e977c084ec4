import { LIVE_RETOLD_MS } from '@muripo/contract/constants'
import { MerchantId, PaymentId } from '@muripo/contract/ids'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { idFrom } from '../../platform/ids.ts'

/** Payments of one merchant that are new or have changed; with `more` there are others. */
export interface News {
  readonly merchantId: MerchantId
  readonly paymentIds: readonly PaymentId[]
  readonly more: boolean
}

const Told = z.object({ merchantId: z.uuid(), paymentIds: z.array(z.uuid()), more: z.boolean() })

/** What was said on the channel; null for what nobody who knows the channel would say. */
export function newsIn(text: string): News | null {
  try {
    const { merchantId, paymentIds, more } = Told.parse(JSON.parse(text))
    return {
      merchantId: idFrom(MerchantId, merchantId),
      paymentIds: paymentIds.map((id) => idFrom(PaymentId, id)),
      more,
    }
  } catch {
    return null
  }
}

const MOST_KEPT = 5000

/** What was told a moment ago, for who opens a stream after asking the lists: in between something may have happened. */
export class RecentNews {
  private readonly clock: Clock
  private kept: { readonly at: Date; readonly news: News }[] = []
  private knowsSince: Date

  constructor(clock: Clock) {
    this.clock = clock
    this.knowsSince = clock.now()
  }

  keep(news: News): void {
    const at = this.clock.now()
    const stale = this.kept.findIndex((entry) => this.isRecent(entry.at))
    this.kept.splice(0, stale === -1 ? this.kept.length : stale)
    if (this.kept.length >= MOST_KEPT) this.forget()
    this.kept.push({ at, news })
  }

  /** What is told next is all that it knows. */
  forget(): void {
    this.kept = []
    this.knowsSince = this.clock.now()
  }

  of(merchantId: MerchantId): News {
    const entries = this.kept.filter(({ at, news }) => news.merchantId === merchantId && this.isRecent(at))
    return {
      merchantId,
      paymentIds: [...new Set(entries.flatMap(({ news }) => news.paymentIds))],
      more: this.isRecent(this.knowsSince) || entries.some(({ news }) => news.more),
    }
  }

  private isRecent(at: Date): boolean {
    return this.clock.now().getTime() - at.getTime() < LIVE_RETOLD_MS
  }
}
