import { QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { logProblem } from '../../lib/log.ts'
import { isRefetchedSilently } from '../../lib/refetch-silently.ts'
import { jittered } from '../../lib/timing.ts'

/** For reads only: after a lost response it is unknown whether a write took place. */
const READ_RETRIES = 2
const FIRST_RETRY_MS = 500

/** @param onLoadError shows a failed load in a toast; the page also shows it in its place */
export const createQueryClient = (onLoadError: (error: Error) => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isRefetchedSilently(query)) return
        const { quiet, log } = query.meta ?? {}
        if (quiet !== true) onLoadError(error)
        if (typeof log === 'string') logProblem(log, error)
      },
    }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < READ_RETRIES && error instanceof ApiError && error.isTemporary,
        retryDelay: (failures) => jittered(FIRST_RETRY_MS * 2 ** failures),
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
