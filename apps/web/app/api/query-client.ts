import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { logProblem } from '../lib/log.ts'
import { isRefetchedSilently } from '../lib/refetch-silently.ts'
import { session } from '../session/session.ts'
import type { SessionStore } from '../session/store.ts'
import { hasCode } from './api-error.ts'
import { queryBehaviour } from './query-behaviour.ts'
import { queryKeys } from './query-keys.ts'

/** Whether something may be typed that a navigation would lose. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null

/** @param onLoadError receives each failed load for a toast, beside its place on the page; a missing second factor also from the quiet ones */
export function createQueryClient(onLoadError: (error: Error) => void): QueryClient {
  /** The role has changed. Typed text in an open dialog stays: there the screens follow at the next visit of a page. */
  function noteRefusal(error: Error): void {
    if (!hasCode(error, 'not_permitted')) return
    void client.invalidateQueries({
      queryKey: queryKeys.account,
      exact: true,
      refetchType: isDialogOpen() ? 'none' : 'active',
    })
  }
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({ onError: noteRefusal }),
    queryCache: new QueryCache({
      onError: (error, query) => {
        noteRefusal(error)
        if (hasCode(error, 'second_factor_required')) return onLoadError(error)
        if (isRefetchedSilently(query)) return
        const { quiet, log } = query.meta ?? {}
        // The page says what its role may not do.
        if (quiet !== true && !hasCode(error, 'not_permitted')) onLoadError(error)
        if (typeof log === 'string') logProblem(log, error)
      },
    }),
    defaultOptions: queryBehaviour,
  })
  return client
}

/**
 * The query client of the present session. The end of a session cancels its requests and clears its data, and the next session has another
 * client: nothing that one merchant loaded is shown to the next one.
 */
export function createSessionQueries(store: Pick<SessionStore, 'ended' | 'subscribe'>) {
  let session = store.ended()
  /** Null until the dashboard can show an error. */
  let show: ((error: Error) => void) | null = null
  let unshown: Error[] = []
  const create = () =>
    createQueryClient((error) => {
      if (show) show(error)
      else unshown.push(error)
    })
  let client = create()
  store.subscribe(() => {
    if (session === store.ended()) return
    session = store.ended()
    client.clear()
    client = create()
    unshown = []
  })
  return {
    client: () => client,
    /** Keeps the next failures until a listener is added. */
    holdErrors() {
      show = null
    },
    /** Shows failed loads, and the ones before. Returns a function that stops. */
    onLoadError(listener: (error: Error) => void) {
      show = listener
      for (const error of unshown.splice(0)) listener(error)
      return () => {
        if (show === listener) show = null
      }
    },
  }
}

export const sessionQueries = createSessionQueries(session)

/** Options of a query that `shell/dashboard/page-queries.ts` starts on each visit of its page: the page neither fetches nor retries it when it appears. */
export const startedByLoader = { refetchOnMount: false, retryOnMount: false } as const
