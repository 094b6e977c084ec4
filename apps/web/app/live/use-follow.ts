import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askQuietly } from '../lib/ask-quietly.ts'
import { throttled } from '../lib/timing.ts'

/** However much happens, what follows it is asked for this seldom. */
const FOLLOW_EVERY_MS = 1500

/** Brings what is on the screen under a key up to date, quietly, as often as it is called but not more often than is good. */
export function useFollow(queryKey: QueryKey): () => void {
  const cache = useQueryClient()
  const [follow] = useState(() => throttled(() => void askQuietly(cache, { queryKey }), FOLLOW_EVERY_MS))
  return follow
}
