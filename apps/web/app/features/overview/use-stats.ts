import type { getDashboardStats } from '@muripo/contract/stats'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dataOf } from '../../api/errors.ts'
import { useLiveNews } from '../../live/live.tsx'
import { useFollow } from '../../live/use-follow.ts'
import { send } from '../../session/session.ts'

export const statsKey = ['stats'] as const

/** Figures that are fetched again by themselves change in place; `loading` is about the first time and about who asked. */
export function useStats() {
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: statsKey,
    queryFn: async () =>
      dataOf(
        await send<typeof getDashboardStats>('GET', '/stats/dashboard'),
        'Failed to load dashboard stats',
      ).data,
  })
  useLiveNews(useFollow(statsKey))
  const [asked, setAsked] = useState(false)
  const reload = async () => {
    setAsked(true)
    await refetch()
    setAsked(false)
  }
  return { stats: data, error, loading: isLoading || asked, reload }
}
