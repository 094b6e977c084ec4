import { LIVE_RETOLD_MS } from '@muripo/contract/constants'
import type { LiveUpdate } from '@muripo/contract/live'
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { useDashboardText } from '../lib/dashboard-text.ts'
import { anyOf, elapsed, eventOf } from '../lib/signals.ts'
import { browserClock } from '../lib/timing.ts'
import { ACTIVITY_EVENTS } from '../session/inactivity.ts'
import { idleMs, refresh, session } from '../session/session.ts'
import { keepConnected, readStream } from './connection.ts'
import styles from './live.module.css'
import { createLiveStore, type LiveStore } from './live-store.ts'

const LiveContext = createContext<LiveStore | null>(null)

function useLiveStore(): LiveStore {
  const store = use(LiveContext)
  if (store === null) throw new Error('there is no LiveProvider around this component')
  return store
}

interface LiveProviderProps {
  /** Null while the session cannot be read: then there are no updates. */
  readonly merchantId: string | null
  readonly children: ReactNode
}

/** Provides the updates of the merchant's payments to all components inside. */
export function LiveProvider({ merchantId, children }: LiveProviderProps) {
  const [store] = useState(() => createLiveStore(browserClock))
  useEffect(() => (merchantId === null ? undefined : startLive(store)), [merchantId, store])
  return <LiveContext value={store}>{children}</LiveContext>
}

/** The state of the stream. */
export function useLive() {
  const store = useLiveStore()
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}

/** New and changed payments, as they arrive. With `more` there are others, which are not listed: lists are then refetched. */
export function usePaymentUpdates(onMessage: (update: LiveUpdate) => void): void {
  const store = useLiveStore()
  const listener = useEffectEvent(onMessage)
  useEffect(() => store.onUpdate((update) => listener(update)), [store])
}

/** Whether a payment was updated or created a moment ago. */
export function useUpdatedRecently(paymentId: string): boolean {
  const { updated } = useLiveStore()
  const isUpdated = () => updated.has(paymentId)
  return useSyncExternalStore(updated.subscribe, isUpdated, isUpdated)
}

const unnamed: LiveUpdate = { payments: [], more: true }

/** Receives the merchant's updates while the page is open and visible; returns a function that stops. */
function startLive({ noteState, publish }: LiveStore): () => void {
  const leaving = new AbortController()
  void keepConnected(
    {
      read: readStream,
      tokens: session.tokens,
      refresh,
      idleMs,
      isVisible: () => document.visibilityState === 'visible',
      visibility: eventOf(document, 'visibilitychange'),
      isOnline: () => navigator.onLine,
      online: eventOf(window, 'online'),
      offline: eventOf(window, 'offline'),
      activity: anyOf(eventOf(window, ...ACTIVITY_EVENTS), eventOf(window, 'storage')),
      clock: browserClock,
      elapsed,
      chance: Math.random,
    },
    {
      signal: leaving.signal,
      onState: noteState,
      onUpdate: publish,
      // The server repeats the updates of the last moments. After a longer gap the lists are refetched.
      onOpen: (missedMs) => missedMs >= LIVE_RETOLD_MS && publish(unnamed),
    },
  )
  // A page that the browser had suspended may have missed updates.
  const stop = eventOf(document, 'resume')(() => publish(unnamed))
  return () => {
    leaving.abort()
    stop()
  }
}

const texts = { reconnecting: 'reconnecting', paused: 'livePaused' } as const

/** A notice below the page's actions while no updates arrive; empty otherwise. */
export function ConnectionStatus() {
  const t = useDashboardText()
  const { loss } = useLive()
  return (
    <p className={styles.status} role="status">
      {loss && t(texts[loss])}
    </p>
  )
}

interface UpdatedBadgeProps {
  readonly paymentId: string
  /** The position of the badge, in an otherwise empty place: the badge appears and disappears. */
  readonly className?: string | undefined
}

/** Marks a payment that was updated a moment ago. */
export function UpdatedBadge({ paymentId, className = '' }: UpdatedBadgeProps) {
  const t = useDashboardText()
  const isUpdated = useUpdatedRecently(paymentId)
  return isUpdated && <span className={`${styles.badge} ${className}`}>{t('updated')}</span>
}
