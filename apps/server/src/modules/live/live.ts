import type { Readable } from 'node:stream'
import { LIVE_BEAT_MS } from '@muripo/contract/constants'
import { type Listener as Channel, listen } from '../../platform/db/listen.ts'
import { channels } from '../../platform/db/locks-and-channels.ts'
import { AppError } from '../../platform/errors.ts'
import { liveSessions, type SessionCaller } from '../identity/index.ts'
import type { PaymentsCtx } from '../payments/index.ts'
import { Audience, type Carrier } from './audience.ts'
import { newsIn, RecentNews } from './news.ts'
import { Teller } from './teller.ts'

/** The channel on which every process is told of new and changed payments, after they are committed. */

export interface Live {
  /** Listens to what the processes tell each other. */
  connect(databaseUrl: string): Promise<void>
  /** Opens the stream of a merchant's news, for as long as the caller's session lives. */
  open(caller: SessionCaller, carrier: Carrier): Readable
  /** Ends every stream. */
  close(): Promise<void>
}

export function createLive(ctx: PaymentsCtx, { beatMs = LIVE_BEAT_MS, pauseMs = 250 } = {}): Live {
  const audience = new Audience(ctx.clock)
  const recent = new RecentNews(ctx.clock)
  const teller = new Teller(ctx, audience, recent, pauseMs)
  let channel: Channel | null = null
  let beating: NodeJS.Timeout | undefined
  let closed = false

  function heard(text: string): void {
    const news = newsIn(text)
    if (news === null) {
      ctx.log.warn({ channel: channels.paymentsChanged }, 'news that cannot be read')
      return
    }
    recent.keep(news)
    teller.tell(news)
  }

  /** Nobody knows what happened while the channel was away. */
  function missed(): void {
    recent.forget()
    // While it still is away there is nothing to ask a list of either.
    if (!channel?.live()) return
    for (const merchantId of audience.merchants()) teller.tell({ merchantId, paymentIds: [], more: true })
  }

  async function beat(): Promise<void> {
    const listeners = audience.everyone()
    try {
      const live = await liveSessions(ctx, listeners)
      for (const listener of listeners) {
        if (live.has(listener.sessionId)) listener.stream.beat()
        else listener.dismiss()
      }
    } catch (error) {
      ctx.log.warn({ err: error }, 'the sessions of the open streams could not be looked up')
      for (const { stream } of listeners) stream.beat()
    }
  }

  return {
    async connect(databaseUrl) {
      channel = await listen(databaseUrl, channels.paymentsChanged, { heard, missed }, ctx.log)
      beating = setInterval(() => ctx.backgroundTasks.start('beat', beat()), beatMs)
    },
    open(caller, carrier) {
      if (closed) throw new AppError('service_unavailable', { headers: { 'retry-after': '1' } })
      const listener = audience.admit(caller, carrier)
      teller.welcome(listener)
      return listener.stream
    },
    async close() {
      closed = true
      clearInterval(beating)
      teller.stop()
      for (const listener of audience.everyone()) listener.dismiss()
      await channel?.close()
    },
  }
}
