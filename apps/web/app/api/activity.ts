import * as calls from 'virtual:calls/activity'
import type { Activity, listActivity } from '@muripo/contract/activity'
import type { AuditId } from '@muripo/contract/ids'
import type { QueryInput, Reply } from '@muripo/contract/route'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ActivityFilters } from '../lib/activity-filters.ts'
import { send } from '../session/session.ts'
import { unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

export type { Activity }

type Page = Reply<typeof listActivity>

const PAGE_SIZE = 50
const LARGEST_PAGE = 100

async function fetchPage(
  filters: ActivityFilters,
  cursor: AuditId | null,
  limit: number,
  signal?: AbortSignal,
): Promise<Page> {
  const query = { ...filters, limit, ...(cursor && { cursor }) } as QueryInput<typeof listActivity>
  return unwrap(await send(calls.listActivity, { query, signal }), 'loadActivity')
}

/** The actions in the account, the newest first. */
export const useActivity = (filters: ActivityFilters) =>
  useInfiniteQuery({
    queryKey: queryKeys.activity(filters),
    queryFn: ({ pageParam, signal }) => fetchPage(filters, pageParam, PAGE_SIZE, signal),
    initialPageParam: null as AuditId | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    meta: { quiet: true },
  })

/** The entries from the newest on, at most this many, and whether there are older ones. */
export async function fetchActivity(
  filters: ActivityFilters,
  most: number,
): Promise<{ readonly entries: Activity[]; readonly isCut: boolean }> {
  const found: Activity[] = []
  let cursor: AuditId | null = null
  do {
    const page: Page = await fetchPage(filters, cursor, LARGEST_PAGE)
    found.push(...page.activity)
    cursor = page.nextCursor
  } while (cursor !== null && found.length < most)
  return { entries: found, isCut: cursor !== null }
}
