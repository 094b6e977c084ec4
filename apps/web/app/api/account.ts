import type {
  Account,
  AccountSession,
  changeAccount,
  changePassword,
  endAllSessions,
  endSession,
  getAccount,
  listSessions,
} from '@muripo/contract/account'
import type { Locale } from '@muripo/contract/enums'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { errorCode } from '../lib/http.ts'
import { send } from '../session/session.ts'
import { throwIfFailed, unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

/** For queries whose screens show a failure in its place, without a toast. */
const quiet = { quiet: true } as const

const accountQuery = queryOptions({
  queryKey: queryKeys.account,
  queryFn: async ({ signal }): Promise<Account> =>
    unwrap(await send<typeof getAccount>('GET', '/account', { signal }), 'loadAccount'),
  staleTime: Number.POSITIVE_INFINITY,
  meta: quiet,
})

export const useAccount = () => useQuery(accountQuery)

/** The account's time zone; undefined until it is loaded, and where the browser does not support it. */
export function useAccountTimeZone(): string | undefined {
  const timeZone = useAccount().data?.timeZone
  return useMemo(() => (isSupported(timeZone) ? timeZone : undefined), [timeZone])
}

function isSupported(timeZone: string | undefined): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone }))
  } catch {
    return false
  }
}

export async function updateTimeZone(timeZone: string): Promise<Account> {
  const result = await send<typeof changeAccount>('PATCH', '/account', { body: { timeZone } })
  return unwrap(result, 'saveTimeZone')
}

export async function updateLanguage(locale: Locale | null): Promise<Account> {
  const result = await send<typeof changeAccount>('PATCH', '/account', { body: { locale } })
  return unwrap(result, 'saveLanguage')
}

export async function updatePassword(passwords: {
  currentPassword: string
  newPassword: string
}): Promise<{ readonly message: string }> {
  const result = await send<typeof changePassword>('POST', '/account/password', { body: passwords })
  return unwrap(result, 'changePassword')
}

const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: async ({ signal }): Promise<AccountSession[]> =>
    unwrap(await send<typeof listSessions>('GET', '/account/sessions', { signal }), 'loadSessions').sessions,
  meta: quiet,
})

export const useSessions = () => useQuery(sessionsQuery)

/** A session that no longer exists has ended, too. */
export async function endAccountSession(sessionId: string): Promise<void> {
  const result = await send<typeof endSession>('DELETE', '/account/sessions/:sessionId', {
    params: { sessionId },
  })
  if (errorCode(result) !== 'not_found') throwIfFailed(result, 'endSession')
}

export async function endAllAccountSessions(): Promise<void> {
  const result = await send<typeof endAllSessions>('DELETE', '/account/sessions')
  throwIfFailed(result, 'endAllSessions')
}
