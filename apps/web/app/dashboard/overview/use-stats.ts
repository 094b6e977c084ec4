import type { getDashboardStats } from '@muripo/contract/stats'
import { useQuery } from '@tanstack/react-query'
import { dataOf } from '../../lib/call-error.ts'
import { send } from '../../lib/session/session.ts'

export const useStats = () =>
  useQuery({
    queryKey: ['stats'],
    queryFn: async () =>
      dataOf(
        await send<typeof getDashboardStats>('GET', '/stats/dashboard'),
        'Failed to load dashboard stats',
      ).data,
  })
