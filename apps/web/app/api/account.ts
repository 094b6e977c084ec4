import type { getAccount } from '@muripo/contract/account'
import { useQuery } from '@tanstack/react-query'
import { send } from '../session/session.ts'
import { dataOf } from './errors.ts'

export const accountKey = ['account'] as const

/** Whose dashboard it is. That it could not be read is said where it is shown, and nowhere else. */
export const useAccount = () =>
  useQuery({
    queryKey: accountKey,
    queryFn: async () =>
      dataOf(await send<typeof getAccount>('GET', '/account'), 'Failed to load your account'),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  })

/** Where the account's days begin at midnight; until that is known, and where the browser knows of no such place, its own. */
export function useTimeZone(): string | undefined {
  const { data: account } = useAccount()
  return account && isKnown(account.timeZone) ? account.timeZone : undefined
}

function isKnown(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone }))
  } catch {
    return false
  }
}
