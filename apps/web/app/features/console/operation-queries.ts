import * as operation from 'virtual:calls/console-operation'
import * as manual from 'virtual:calls/console-refunds'
import * as settings from 'virtual:calls/console-settings'
import * as proposalCalls from 'virtual:calls/proposals'
import type { ConsoleJobs } from '@muripo/contract/console-operation'
import type { EventId, MerchantId, RefundId } from '@muripo/contract/ids'
import type { Proposal } from '@muripo/contract/proposals'
import type { BodyInput, QueryInput, Reply } from '@muripo/contract/route'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { throwIfFailed, unwrap } from '../../api/api-error.ts'
import { sendConsole } from './api.ts'

type RefundFilter = Omit<QueryInput<typeof manual.listManualRefunds>, 'cursor'>

export const useManualRefunds = (filter: RefundFilter) =>
  useInfiniteQuery({
    queryKey: ['manual-refunds', filter],
    queryFn: async ({ pageParam: cursor, signal }): Promise<Reply<typeof manual.listManualRefunds>> =>
      unwrap(
        await sendConsole(manual.listManualRefunds, {
          query: { ...filter, ...(cursor !== null && { cursor }) },
          signal,
        }),
        'loadConsole',
      ),
    initialPageParam: null as RefundId | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  })

export const useWaitingBanking = (enabled: boolean) =>
  useQuery({
    queryKey: ['waiting-banking'],
    queryFn: async ({ signal }) =>
      unwrap(await sendConsole(manual.listWaitingBanking, { signal }), 'loadConsole').banking,
    enabled,
  })

export const takeOut = async (body: BodyInput<typeof manual.takeOutRefunds>) =>
  unwrap(await sendConsole(manual.takeOutRefunds, { body }), 'changeConsole')

/** The open proposals of kinds that begin with one of these. */
export const useOpenProposals = (...kinds: readonly string[]) =>
  useQuery({
    queryKey: ['open-proposals', kinds],
    queryFn: async ({ signal }): Promise<readonly Proposal[]> =>
      unwrap(
        await sendConsole(proposalCalls.listProposals, { query: { state: 'open' }, signal }),
        'loadConsole',
      ).proposals.filter(
        ({ kind, state }) => state === 'open' && kinds.some((each) => kind.startsWith(each)),
      ),
  })

export const useProviders = () =>
  useQuery({
    queryKey: ['providers'],
    queryFn: async ({ signal }): Promise<Reply<typeof operation.listConsoleProviders>> =>
      unwrap(await sendConsole(operation.listConsoleProviders, { signal }), 'loadConsole'),
  })

/** The routes of merchants, of all or with one account. */
export const useRoutes = (account: string | undefined) =>
  useInfiniteQuery({
    queryKey: ['routes', account],
    queryFn: async ({ pageParam: cursor, signal }) =>
      unwrap(
        await sendConsole(operation.listConsoleRoutes, {
          query: { ...(account !== undefined && { account }), ...(cursor !== null && { cursor }) },
          signal,
        }),
        'loadConsole',
      ),
    initialPageParam: null as MerchantId | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const useEndpoints = (query: QueryInput<typeof operation.listConsoleEndpoints>) =>
  useQuery({
    queryKey: ['endpoints', query],
    queryFn: async ({ signal }) =>
      unwrap(await sendConsole(operation.listConsoleEndpoints, { query, signal }), 'loadConsole').endpoints,
  })

type DeliveryStatus = QueryInput<typeof operation.listConsoleDeliveries>['status']

const readDeliveries = async (
  params: { readonly merchantId: string; readonly webhookId: string },
  status: DeliveryStatus,
  cursor: EventId | null,
  signal?: AbortSignal,
) =>
  unwrap(
    await sendConsole(operation.listConsoleDeliveries, {
      params,
      query: { ...(status && { status }), ...(cursor !== null && { cursor }) },
      signal,
    }),
    'loadConsole',
  )

/** One page for a file. */
export async function deliveriesPage(
  merchantId: string,
  webhookId: string,
  status: DeliveryStatus,
  cursor: EventId | null,
) {
  const { deliveries: rows, nextCursor } = await readDeliveries({ merchantId, webhookId }, status, cursor)
  return { rows, nextCursor }
}

export const useDeliveries = (merchantId: string, webhookId: string, status: DeliveryStatus) =>
  useInfiniteQuery({
    queryKey: ['deliveries', merchantId, webhookId, status],
    queryFn: ({ pageParam, signal }) => readDeliveries({ merchantId, webhookId }, status, pageParam, signal),
    initialPageParam: null as EventId | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export const resend = async (merchantId: string, webhookId: string, eventId: string) =>
  unwrap(
    await sendConsole(operation.resendConsoleDelivery, { params: { merchantId, webhookId, eventId } }),
    'changeConsole',
  )

export const useJobs = () =>
  useQuery({
    queryKey: ['jobs'],
    queryFn: async ({ signal }): Promise<ConsoleJobs> =>
      unwrap(await sendConsole(operation.getConsoleJobs, { signal }), 'loadConsole'),
  })

export const retryJobs = async (kind: string): Promise<number> =>
  unwrap(await sendConsole(operation.retryConsoleJobs, { body: { kind } }), 'changeConsole').retried

export const useOperators = () =>
  useQuery({
    queryKey: ['operators'],
    queryFn: async ({ signal }) =>
      unwrap(await sendConsole(settings.listOperators, { signal }), 'loadConsole').operators,
  })

export const useIncidents = () =>
  useQuery({
    queryKey: ['incidents'],
    queryFn: async ({ signal }) =>
      unwrap(await sendConsole(settings.listConsoleIncidents, { signal }), 'loadConsole').incidents,
  })

export const announce = async (body: BodyInput<typeof settings.openConsoleIncident>) =>
  unwrap(await sendConsole(settings.openConsoleIncident, { body }), 'changeConsole')

export const updateIncident = async (
  incidentId: string,
  body: BodyInput<typeof settings.updateConsoleIncident>,
): Promise<void> =>
  throwIfFailed(
    await sendConsole(settings.updateConsoleIncident, { params: { incidentId }, body }),
    'changeConsole',
  )
