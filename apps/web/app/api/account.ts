import * as calls from 'virtual:calls/account'
import * as passkeyCalls from 'virtual:calls/passkeys'
import type { Account, AccountSession } from '@muripo/contract/account'
import type { Locale } from '@muripo/contract/enums'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { errorCode } from '../lib/http.ts'
import { send } from '../session/session.ts'
import { read, throwIfFailed, unwrap } from './api-error.ts'
import { startedByLoader } from './query-client.ts'
import { queryKeys } from './query-keys.ts'

/** For queries whose screens show a failure in its place, without a toast. */
const quiet = { quiet: true } as const

export const accountQuery = queryOptions({
  queryKey: queryKeys.account,
  queryFn: async ({ signal }): Promise<Account> =>
    unwrap(await send(calls.getAccount, { signal }), 'loadAccount'),
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
  return unwrap(await send(calls.changeAccount, { body: { timeZone } }), 'saveTimeZone')
}

export async function updateLanguage(locale: Locale | null): Promise<Account> {
  return unwrap(await send(calls.changeAccount, { body: { locale } }), 'saveLanguage')
}

export async function updatePassword(passwords: {
  currentPassword: string
  newPassword: string
}): Promise<void> {
  throwIfFailed(await send(calls.changePassword, { body: passwords }), 'changePassword')
}

export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: async ({ signal }): Promise<AccountSession[]> =>
    read(await send(calls.listSessions, { signal }), 'loadSessions', (body) => body?.sessions),
  meta: quiet,
  ...startedByLoader,
})

export const useSessions = () => useQuery(sessionsQuery)

export const passkeysQuery = queryOptions({
  queryKey: queryKeys.passkeys,
  queryFn: async ({ signal }) =>
    read(await send(passkeyCalls.listPasskeys, { signal }), 'loadPasskeys', (body) => body?.passkeys),
  meta: quiet,
  ...startedByLoader,
})

export const usePasskeys = () => useQuery(passkeysQuery)

/** A session that no longer exists has ended, too. */
export async function endAccountSession(sessionId: string): Promise<void> {
  const result = await send(calls.endSession, {
    params: { sessionId },
  })
  if (errorCode(result) !== 'not_found') throwIfFailed(result, 'endSession')
}

export async function endAllAccountSessions(): Promise<void> {
  throwIfFailed(await send(calls.endAllSessions), 'endAllSessions')
}
