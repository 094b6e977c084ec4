import type { getAccount } from '@muripo/contract/account'
import { useQuery } from '@tanstack/react-query'
import { dataOf } from '../lib/call-error.ts'
import { send } from '../lib/session/session.ts'

export const accountKey = ['account'] as const

/** Whose dashboard it is. That it could not be read is said where it is shown, and nowhere else. */
export const useAccount = () =>
  useQuery({
    queryKey: accountKey,
    queryFn: async () =>
      dataOf(await send<typeof getAccount>('GET', '/account'), 'Failed to load your account'),
    meta: { quiet: true },
  })
