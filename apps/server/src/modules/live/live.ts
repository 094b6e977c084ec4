import type { Readable } from 'node:stream'
import { LIVE_BEAT_MS } from '@muripo/contract/constants'
import { type Listener as Channel, listen } from '../../platform/db/listen.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'
import { AppError } from '../../platform/errors.ts'
import { liveSessions, type SessionCaller } from '../identity/index.ts'
import type { PaymentsCtx } from '../payments/index.ts'
import { Broadcaster } from './broadcaster.ts'
import { type Carrier, type Subscriber, Subscribers } from './subscribers.ts'
import { parseUpdate, RecentUpdates } from './updates.ts'

/** The streams of this process. Each process receives new and changed payments on a channel, after their commit. */
export interface Live {
  /** Subscribes to the notification channel. */
  connect(databaseUrl: string): Promise<void>
  /** Opens the stream of a merchant's updates, which stays open as long as the caller's session. */
  open(caller: SessionCaller, carrier: Carrier): Readable
  /** Ends every stream. */
  close(): Promise<void>
}

/** A person who has lost access sees nothing more after this time. */
const CHECK_MS = 1500

export function createLive(
  ctx: PaymentsCtx,
  { beatMs = LIVE_BEAT_MS, checkMs = CHECK_MS, pauseMs = 250 } = {},
): Live {
  const subscribers = new Subscribers(ctx.clock)
  const recent = new RecentUpdates(ctx.clock)
  const broadcaster = new Broadcaster(ctx, subscribers, recent, pauseMs)
  let channel: Channel | null = null
  const timers: NodeJS.Timeout[] = []
  let closed = false

  function onNotification(text: string): void {
    const update = parseUpdate(text)
    if (update === null) {
      ctx.log.warn({ channel: channels.paymentsChanged }, 'a notification could not be parsed')
      return
    }
    recent.keep(update)
    broadcaster.publish(update)
  }

  /** Notifications are lost while the channel is disconnected. */
  function missed(): void {
    recent.clear()
    // A lost connection usually means that the database is unreachable, where a refetch would fail.
    if (!channel?.live()) return
    for (const accountId of subscribers.merchants())
      broadcaster.publish({ accountId, paymentIds: [], more: true })
  }

  return {
    async connect(databaseUrl) {
      channel = await listen(
        databaseUrl,
        channels.paymentsChanged,
        { onMessage: onNotification, missed },
        ctx.log,
      )
      timers.push(
        setInterval(() => beat(subscribers.all()), beatMs),
        setInterval(() => ctx.backgroundTasks.start('check', endStale(ctx, subscribers.all())), checkMs),
      )
    },
    open(caller, carrier) {
      if (closed) throw new AppError('service_unavailable', { headers: { 'retry-after': '1' } })
      const subscriber = subscribers.admit(caller, carrier)
      broadcaster.sendRecent(subscriber)
      return subscriber.stream
    },
    async close() {
      closed = true
      for (const timer of timers) clearInterval(timer)
      broadcaster.stop()
      for (const subscriber of subscribers.all()) subscriber.dismiss()
      await channel?.close()
    },
  }
}

function beat(subscribers: readonly Subscriber[]): void {
  for (const { stream } of subscribers) stream.beat()
}

/** Ends the streams whose session or membership has ended. */
async function endStale(ctx: PaymentsCtx, subscribers: readonly Subscriber[]): Promise<void> {
  if (subscribers.length === 0) return
  try {
    const live = await liveSessions(ctx, subscribers)
    for (const subscriber of subscribers) if (!live.has(subscriber.sessionId)) subscriber.dismiss()
  } catch (error) {
    ctx.log.warn({ err: error }, 'the sessions of the open streams could not be looked up')
  }
}
