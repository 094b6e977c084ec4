import * as calls from 'virtual:calls/console'
import * as signIn from 'virtual:calls/console-sign-in'
import type { Me, Today } from '@muripo/contract/console'
import type { ConsolePermission } from '@muripo/contract/console-permissions'
import type { MadePasskey, MakeOptions, ShownPasskey } from '@muripo/contract/passkeys'
import { MutationCache, QueryCache, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError, throwIfFailed, unwrap } from '../../api/api-error.ts'
import { queryBehaviour } from '../../api/query-behaviour.ts'
import { addressOf, exchange, requestInit, type Send } from '../../lib/http.ts'
import { consoleSession } from './session.ts'

/** Sends a call of the console. The browser adds the cookie of its session. */
export const sendConsole: Send = (route, { params, query, body, signal = null } = {}) => {
  consoleSession.noteCall()
  return exchange(addressOf(route, params as object, query as object, '/console/api'), {
    ...requestInit(route.method, body),
    signal,
  })
}

/** Nothing expires while the page is open: typed text waits behind the sign-in for a page that is still there. */
export const consoleKeys = {
  me: ['me'] as const,
  today: ['today'] as const,
}

const meQuery = queryOptions({
  queryKey: consoleKeys.me,
  queryFn: async ({ signal }): Promise<Me> =>
    unwrap(await sendConsole(calls.getMe, { signal }), 'loadConsole'),
  staleTime: Number.POSITIVE_INFINITY,
})

export const useMe = () => useQuery(meQuery)

/** Whether the operator may do it. Until the operator is loaded nothing is open. */
export function useConsoleMay(permission: ConsolePermission): boolean {
  return useMe().data?.permissions.includes(permission) ?? false
}

const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && (error.result.status === 401 || error.result.status === 404)

/** A missing object is answered like a missing session. The operator's own call tells them apart. */
export function createConsoleQueries(): QueryClient {
  const onError = (error: Error) => {
    if (!isUnknown(error)) return
    client.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => undefined)
  }
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({ onError }),
    queryCache: new QueryCache({
      onError(error, { queryKey }) {
        if (queryKey[0] !== consoleKeys.me[0]) onError(error)
        else if (isUnknown(error)) consoleSession.end()
      },
    }),
    defaultOptions: {
      ...queryBehaviour,
      queries: { ...queryBehaviour.queries, gcTime: Number.POSITIVE_INFINITY },
    },
  })
  return client
}

/** The pages have the same counts for this time, unless a decision changes them. */
const FRESH_MS = 30_000

export const useToday = (enabled = true) =>
  useQuery({
    queryKey: consoleKeys.today,
    queryFn: async ({ signal }): Promise<Today> =>
      unwrap(await sendConsole(calls.getToday, { signal }), 'loadConsole'),
    staleTime: FRESH_MS,
    enabled,
  })

export const startEnrolment = async (token: string): Promise<MakeOptions> =>
  unwrap(await sendConsole(signIn.startEnrolment, { body: { token } }), 'changeConsole')

export const finishEnrolment = async (token: string, passkey: MadePasskey) =>
  unwrap(await sendConsole(signIn.finishEnrolment, { body: { token, passkey } }), 'changeConsole')

export const startSignIn = async () => unwrap(await sendConsole(signIn.startConsoleSignIn), 'changeConsole')

export const finishSignIn = async (passkey: ShownPasskey): Promise<Me> =>
  unwrap(await sendConsole(signIn.consoleSignIn, { body: { passkey } }), 'changeConsole')

export const signOut = async (): Promise<void> =>
  throwIfFailed(await sendConsole(signIn.consoleSignOut), 'changeConsole')
