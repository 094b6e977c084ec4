import * as calls from 'virtual:calls/team'
import type { MerchantOfPerson } from '@muripo/contract/team'
import { useQuery } from '@tanstack/react-query'
import { send } from '../session/session.ts'
import { read } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

/** The merchants of the person, for a choice beside other content: none while they are not loaded. */
export function useMerchants(): readonly MerchantOfPerson[] {
  const { data } = useQuery({
    queryKey: queryKeys.merchants,
    queryFn: async ({ signal }) =>
      read(await send(calls.listMerchants, { signal }), 'switchMerchant', (body) => body?.merchants),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { quiet: true },
  })
  return data ?? []
}
