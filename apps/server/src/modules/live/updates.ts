import { LIVE_RETOLD_MS } from '@muripo/contract/constants'
import { AccountId, PaymentId } from '@muripo/contract/ids'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { idFrom } from '../../platform/ids.ts'

/** New and changed payments of one account; with `more`, others that the update does not list have changed too. */
export interface PaymentUpdate {
  readonly accountId: AccountId
  readonly paymentIds: readonly PaymentId[]
  readonly more: boolean
}

const Notification = z.object({ accountId: z.uuid(), paymentIds: z.array(z.uuid()), more: z.boolean() })

/** A notification of the channel; null for a text that the aggregator does not send. */
export function parseUpdate(text: string): PaymentUpdate | null {
  try {
    const { accountId, paymentIds, more } = Notification.parse(JSON.parse(text))
    return {
      accountId: idFrom(AccountId, accountId),
      paymentIds: paymentIds.map((id) => idFrom(PaymentId, id)),
      more,
    }
  } catch {
    return null
  }
}

const ENTRIES_MAX = 5000

/** The updates of the last seconds, for a client that opens a stream after it fetched its lists. */
export class RecentUpdates {
  private readonly clock: Clock
  private stored: { readonly at: Date; readonly update: PaymentUpdate }[] = []
  private completeSince: Date

  constructor(clock: Clock) {
    this.clock = clock
    this.completeSince = clock.now()
  }

  keep(update: PaymentUpdate): void {
    const at = this.clock.now()
    const stale = this.stored.findIndex((entry) => this.isRecent(entry.at))
    this.stored.splice(0, stale === -1 ? this.stored.length : stale)
    if (this.stored.length >= ENTRIES_MAX) this.clear()
    this.stored.push({ at, update })
  }

  /** Deletes all updates, so that new subscribers fetch their lists. */
  clear(): void {
    this.stored = []
    this.completeSince = this.clock.now()
  }

  of(accountId: AccountId): PaymentUpdate {
    const entries = this.stored.filter(
      ({ at, update }) => update.accountId === accountId && this.isRecent(at),
    )
    return {
      accountId,
      paymentIds: [...new Set(entries.flatMap(({ update }) => update.paymentIds))],
      more: this.isRecent(this.completeSince) || entries.some(({ update }) => update.more),
    }
  }

  private isRecent(at: Date): boolean {
    return this.clock.now().getTime() - at.getTime() < LIVE_RETOLD_MS
  }
}
