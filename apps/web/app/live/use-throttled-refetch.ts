import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refetchSilently } from '../lib/refetch-silently.ts'
import { throttled } from '../lib/timing.ts'

/** However much happens, what follows it is asked for this seldom. */
const FOLLOW_EVERY_MS = 1500

/** Brings what is on the screen under a key up to date, quietly, as often as it is called but not more often than is good. */
export function useThrottledRefetch(queryKey: QueryKey): () => void {
  const cache = useQueryClient()
  const [follow] = useState(() => throttled(() => void refetchSilently(cache, { queryKey }), FOLLOW_EVERY_MS))
  return follow
}
