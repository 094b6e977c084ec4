import { QueryCache, QueryClient } from '@tanstack/react-query'
import { toastError } from '../../components/toast.ts'
import { logProblem } from '../../lib/log.ts'
import { isRefetchedSilently } from '../../lib/refetch-silently.ts'

/** A failed load is said as a toast here, once, and stays on the page in the screen's own place. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isRefetchedSilently(query)) return
        const { quiet, log } = query.meta ?? {}
        if (quiet !== true) toastError(error)
        if (typeof log === 'string') logProblem(log, error)
      },
    }),
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: true, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
