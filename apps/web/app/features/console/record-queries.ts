import * as operation from 'virtual:calls/console-operation'
import * as records from 'virtual:calls/console-records'
import type { AuditId } from '@muripo/contract/ids'
import type { QueryInput } from '@muripo/contract/route'
import { useInfiniteQuery } from '@tanstack/react-query'
import { throwIfFailed, unwrap } from '../../api/api-error.ts'
import { addressOf } from '../../lib/http.ts'
import { sendConsole } from './api.ts'

const readNotes = async (merchantId: string, cursor: AuditId | null, signal?: AbortSignal) =>
  unwrap(
    await sendConsole(records.listMerchantNotes, {
      params: { merchantId },
      query: { ...(cursor !== null && { cursor }) },
      signal,
    }),
    'loadConsole',
  )

export const useNotes = (merchantId: string) =>
  useInfiniteQuery({
    queryKey: ['notes', merchantId],
    queryFn: ({ pageParam, signal }) => readNotes(merchantId, pageParam, signal),
    initialPageParam: null as AuditId | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** One page for a file. */
export async function notesPage(merchantId: string, cursor: AuditId | null) {
  const { notes: rows, nextCursor } = await readNotes(merchantId, cursor)
  return { rows, nextCursor }
}

export const writeNote = async (merchantId: string, note: string): Promise<void> =>
  throwIfFailed(
    await sendConsole(records.writeMerchantNote, { params: { merchantId }, body: { note } }),
    'changeConsole',
  )

type AuditFilter = QueryInput<typeof records.exportConsoleAudit>

export const useAudit = (filter: AuditFilter) =>
  useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: async ({ pageParam: cursor, signal }) =>
      unwrap(
        await sendConsole(records.listConsoleAudit, {
          query: { ...filter, ...(cursor !== null && { cursor }) },
          signal,
        }),
        'loadConsole',
      ),
    initialPageParam: null as AuditId | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** The address of the file with the same entries. */
export const auditFile = (filter: AuditFilter): string =>
  addressOf(records.exportConsoleAudit, {}, filter, '/console/api')

type RunFilter = Pick<QueryInput<typeof operation.listJobRuns>, 'name' | 'outcome'>

const readRuns = async (filter: RunFilter, cursor: string | null, signal?: AbortSignal) =>
  unwrap(
    await sendConsole(operation.listJobRuns, {
      query: { ...filter, ...(cursor !== null && { cursor }) },
      signal,
    }),
    'loadConsole',
  )

export const useRuns = (filter: RunFilter) =>
  useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam, signal }) => readRuns(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** One page for a file. */
export async function runsPage(filter: RunFilter, cursor: string | null) {
  const { runs: rows, nextCursor } = await readRuns(filter, cursor)
  return { rows, nextCursor }
}
