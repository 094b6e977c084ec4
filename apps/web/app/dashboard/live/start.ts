import { LIVE_RETOLD_MS } from '@muripo/contract/constants'
import { ACTIVITY_EVENTS } from '../../lib/session/activity.ts'
import { browserClock } from '../../lib/session/clock.ts'
import { idleMs, refresh, session } from '../../lib/session/session.ts'
import { anyOf, elapsed, eventOf } from '../../lib/signals.ts'
import { keepConnected } from './connection.ts'
import { readStream } from './stream.ts'
import { joinTabs, type LiveEvent, type Turn } from './tabs.ts'

const unnamed: LiveEvent = { kind: 'news', news: { payments: [], more: true } }

/** Reads the stream for all tabs that are open. */
const listen = ({ signal, since, say }: Turn) =>
  keepConnected(
    {
      read: readStream,
      tokens: session.tokens,
      refresh,
      idleMs,
      isOnline: () => navigator.onLine,
      online: eventOf(window, 'online'),
      offline: eventOf(window, 'offline'),
      activity: anyOf(eventOf(window, ...ACTIVITY_EVENTS), eventOf(window, 'storage')),
      clock: browserClock,
      elapsed,
      chance: Math.random,
    },
    {
      signal,
      since,
      onState: (state, heardAt) => say({ kind: 'state', state, heardAt }),
      onNews: (news) => say({ kind: 'news', news }),
      // The server tells again what it told a moment ago. What is older only the lists know.
      onOpen: (missedMs) => missedMs >= LIVE_RETOLD_MS && say(unnamed),
    },
  )

/** Hears a merchant's news for as long as the page is open; answers how to stop. */
export function startLive(merchantId: string, hear: (event: LiveEvent) => void): () => void {
  const leave = joinTabs({
    name: `muripo-live-${merchantId}`,
    locks: navigator.locks ?? null,
    clock: browserClock,
    elapsed,
    isVisible: () => document.visibilityState === 'visible',
    visibility: eventOf(document, 'visibilitychange'),
    hear,
    listen,
  })
  // A page that the browser had put to sleep does not know what it slept through.
  const stop = eventOf(document, 'resume')(() => hear(unnamed))
  return () => {
    leave()
    stop()
  }
}
