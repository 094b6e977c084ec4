import { QueryCache, QueryClient } from '@tanstack/react-query'
import { CallError } from '../../lib/call-error.ts'
import { dashboardToast } from '../../ui/toast.ts'

/** A failed load is said as a toast here, once, and stays on the page in the screen's own place. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        const leaving = error instanceof CallError && error.sessionEnded
        if (query.meta?.quiet !== true && !leaving) dashboardToast.error(error.message)
      },
    }),
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: true, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
