import type { LiveNews } from '@muripo/contract/live'
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { browserClock } from '../../lib/session/clock.ts'
import { createLiveStore, type LiveStore } from './live-store.ts'
import { startLive } from './start.ts'
import type { MarkStage } from './updated.ts'

const LiveContext = createContext<LiveStore | null>(null)

function useLiveStore(): LiveStore {
  const store = use(LiveContext)
  if (store === null) throw new Error('outside of the dashboard nothing is live')
  return store
}

interface LiveProviderProps {
  /** Null while the session cannot be read: then nothing comes by itself. */
  readonly merchantId: string | null
  readonly children: ReactNode
}

/** Everything inside hears what happens to the merchant's payments. */
export function LiveProvider({ merchantId, children }: LiveProviderProps) {
  const [store] = useState(() => createLiveStore(browserClock))
  useEffect(() => (merchantId === null ? undefined : startLive(merchantId, store.hear)), [merchantId, store])
  return <LiveContext value={store}>{children}</LiveContext>
}

/** What is known of the stream. */
export function useLive() {
  const store = useLiveStore()
  return useSyncExternalStore(store.subscribe, store.get, store.get)
}

/**
 * Payments that are new or have changed, as they come. With `more` there are others, which are not named: whoever shows payments asks
 * for them again.
 */
export function useLiveNews(hear: (news: LiveNews) => void): void {
  const store = useLiveStore()
  const heard = useEffectEvent(hear)
  useEffect(() => store.onNews((news) => heard(news)), [store])
}

/** Whether a payment changed, or appeared, by itself a moment ago. */
export function useUpdatedRecently(paymentId: string): MarkStage | null {
  const { updated } = useLiveStore()
  const stage = () => updated.stage(paymentId)
  return useSyncExternalStore(updated.subscribe, stage, stage)
}
