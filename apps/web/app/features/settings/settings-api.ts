import type {
  Account,
  AccountSession,
  changeAccount,
  changePassword,
  endAllSessions,
  endSession,
  listSessions,
} from '@muripo/contract/account'
import { useQuery } from '@tanstack/react-query'
import { CallError, dataOf } from '../../api/errors.ts'
import type { ApiResult } from '../../lib/http.ts'
import { send } from '../../session/session.ts'

export const sessionsKey = ['account', 'sessions'] as const

export async function saveTimeZone(timeZone: string): Promise<Account> {
  const result = await send<typeof changeAccount>('PATCH', '/account', { body: { timeZone } })
  return dataOf(result, 'Failed to save the time zone')
}

export const setPassword = (passwords: { currentPassword: string; newPassword: string }) =>
  send<typeof changePassword>('POST', '/account/password', { body: passwords })

/** A fault that stays on the page needs no toast. */
export const useSessions = () =>
  useQuery({
    queryKey: sessionsKey,
    queryFn: async (): Promise<AccountSession[]> =>
      dataOf(
        await send<typeof listSessions>('GET', '/account/sessions'),
        'Failed to load where you are signed in',
      ).sessions,
    meta: { quiet: true },
  })

/** One that has ended meanwhile is ended, too. */
export async function end(sessionId: string): Promise<void> {
  const result = await send<typeof endSession>('DELETE', '/account/sessions/:sessionId', {
    params: { sessionId },
  })
  if (result.status !== 404) done(result, 'Failed to end the session')
}

export async function endAll(): Promise<void> {
  done(await send<typeof endAllSessions>('DELETE', '/account/sessions'), 'Failed to sign you out everywhere')
}

function done(result: ApiResult<unknown>, fallback: string): void {
  if (result.error !== null) throw new CallError(result, fallback)
}
