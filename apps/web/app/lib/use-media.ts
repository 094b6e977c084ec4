import { useCallback, useSyncExternalStore } from 'react'
import { eventOf } from './signals.ts'

/** Whether the window matches a media query. On the server it does not. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => eventOf(matchMedia(query), 'change')(listener),
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  )
}
