import { QueryCache, QueryClient } from '@tanstack/react-query'
import { sayFailure } from '../../components/toast.ts'

/** A failed load is said as a toast here, once, and stays on the page in the screen's own place. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (query.meta?.quiet !== true) sayFailure(error)
      },
    }),
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: true, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
