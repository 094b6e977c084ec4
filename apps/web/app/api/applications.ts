import * as calls from 'virtual:calls/applications'
import type { Application, BankingDetails, Brand, CreateApplication } from '@muripo/contract/applications'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { send } from '../session/session.ts'
import { applicationIn, applicationsIn, newestFirst } from './answers.ts'
import { Failure, read } from './api-error.ts'
import { startedByLoader } from './query-client.ts'
import { queryKeys } from './query-keys.ts'

/** From an application, or an object with one. An object without an _id is refused. */
function wrappedApplicationIn(body: unknown): Application {
  const { application = body } = (body ?? {}) as { application?: unknown }
  const found = applicationIn(application)
  if (found === null) throw new Failure('applicationInvalid')
  return found
}

export async function fetchApplications(signal?: AbortSignal): Promise<Application[]> {
  const result = await send(calls.listApplications, { signal })
  return newestFirst(read(result, 'loadApplications', applicationsIn))
}

export async function fetchApplication(applicationId: string, signal?: AbortSignal): Promise<Application> {
  const result = await send(calls.getApplication, {
    params: { applicationId },
    signal,
  })
  return read(result, 'loadApplication', wrappedApplicationIn)
}

export async function createApplication(input: z.input<typeof CreateApplication>): Promise<Application> {
  return read(await send(calls.createApplication, { body: input }), 'createApplication', wrappedApplicationIn)
}

/** Returns the new key. */
export async function regenerateApplicationKey(applicationId: string): Promise<string> {
  const result = await send(calls.regenerateKey, {
    params: { applicationId },
  })
  return read(result, 'regenerateKey', newKeyIn, { network: 'regenerateKeyNetwork' })
}

function newKeyIn(body: unknown): string {
  const { newApplicationKey } = (body ?? {}) as { newApplicationKey?: unknown }
  if (typeof newApplicationKey === 'string' && newApplicationKey !== '') return newApplicationKey
  throw new Failure('noNewKey')
}

export async function updateApplicationStatus(
  applicationId: string,
  status: Application['status'],
): Promise<Application> {
  const result = await send(calls.setApplicationStatus, {
    params: { applicationId },
    body: { status },
  })
  const failure = status === 'active' ? 'activateApplication' : 'deactivateApplication'
  return read(result, failure, wrappedApplicationIn)
}

export async function updateBankingDetails(
  applicationId: string,
  details: BankingDetails,
): Promise<Application> {
  const result = await send(calls.updateBanking, {
    params: { applicationId },
    body: details,
  })
  return read(result, 'updateBanking', wrappedApplicationIn)
}

export async function updateBrand(applicationId: string, brand: Brand): Promise<Application> {
  const result = await send(calls.updateBrand, {
    params: { applicationId },
    body: brand,
  })
  return read(result, 'updateBrand', wrappedApplicationIn)
}

export const applicationsQuery = queryOptions({
  queryKey: queryKeys.applications,
  queryFn: ({ signal }) => fetchApplications(signal),
})

export const useApplications = () => useQuery({ ...applicationsQuery, ...startedByLoader })

/** For a list of choices beside other content: a failure is only logged in the console. */
export const useApplicationChoices = (enabled = true) =>
  useQuery({
    ...applicationsQuery,
    enabled,
    meta: { quiet: true, log: 'The applications for the filter could not be read' },
  })

/** The time for which an application, which contains its keys, stays in memory without its page. */
const UNTIL_SHOWN_MS = 30_000

const applicationQuery = (applicationId: string) =>
  queryOptions({
    queryKey: queryKeys.application(applicationId),
    queryFn: ({ signal }) => fetchApplication(applicationId, signal),
    gcTime: UNTIL_SHOWN_MS,
    refetchOnReconnect: false,
    // The page leaves, and shows the failure in a toast that does not leave with it.
    meta: { quiet: true },
    ...startedByLoader,
  })

/** Fetches it anew for each visit: a failure leaves the page, so that a later refetch must not close a form. */
export function prefetchApplication(client: QueryClient, applicationId: string): Promise<void> {
  const query = applicationQuery(applicationId)
  client.removeQueries({ queryKey: query.queryKey, exact: true })
  return client.prefetchQuery(query)
}

export const useApplication = (applicationId: string) => useQuery(applicationQuery(applicationId))

/** Puts a changed application into the cache. The server masks the live key in its response; the cache keeps the whole key. */
export function setApplicationInCache(cache: QueryClient, application: Application): void {
  const { _id } = application
  cache.setQueryData<Application>(
    queryKeys.application(_id),
    (known) => known && withWholeKey(application, known),
  )
  cache.setQueryData<Application[]>(queryKeys.applications, (known) =>
    known?.map((each) => (each._id === _id ? application : each)),
  )
}

const isMasked = (key: string | null): boolean => key?.includes('…') ?? false

const withWholeKey = (answered: Application, known: Application): Application =>
  isMasked(answered.applicationKey) ? { ...answered, applicationKey: known.applicationKey } : answered
