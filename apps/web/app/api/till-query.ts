import * as calls from 'virtual:calls/till'
import type { Till } from '@muripo/contract/till'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../session/session.ts'
import { unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

const TODAY_MS = 15_000

/** Apart from the other calls of the till: the loader of the dashboard, which every page has, starts it. */
export const tillQuery = (search = '') =>
  queryOptions({
    queryKey: queryKeys.till(search),
    queryFn: async ({ signal }): Promise<Till> =>
      unwrap(await send(calls.getTill, { query: search === '' ? {} : { search }, signal }), 'loadPayments'),
    refetchInterval: TODAY_MS,
    meta: { quiet: true },
  })
