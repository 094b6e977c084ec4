import type {
  Application,
  BankingDetails,
  Brand,
  CreateApplication,
  createApplication as createRoute,
  getApplication,
  listApplications,
  regenerateKey,
  setApplicationStatus,
  updateBanking,
  updateBrand as updateBrandRoute,
} from '@muripo/contract/applications'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { send } from '../session/session.ts'
import { Failure, unwrap } from './api-error.ts'
import { queryKeys } from './query-keys.ts'

/** Dates that cannot be read compare as equal, so that those rows keep their order. */
const byAge = (a: { createdAt: string }, b: { createdAt: string }): number => {
  const difference = Date.parse(b.createdAt) - Date.parse(a.createdAt)
  return Number.isNaN(difference) ? 0 : difference
}

export const newestFirst = <T extends { readonly createdAt: string }>(applications: readonly T[]): T[] =>
  applications.toSorted(byAge)

/** From a plain array, or an object with the array. */
function applicationsIn(body: unknown): Application[] {
  const list = Array.isArray(body) ? body : (body as { applications?: unknown } | null)?.applications
  return Array.isArray(list) ? list : []
}

/** From an application, or an object with one. An object without an _id is refused. */
function applicationIn(body: unknown): Application {
  const { application = body } = body as { application?: unknown }
  if (!(application as Partial<Application> | null)?._id) throw new Failure('applicationInvalid')
  return application as Application
}

export async function fetchApplications(signal?: AbortSignal): Promise<Application[]> {
  const result = await send<typeof listApplications>('GET', '/applications/all', { signal })
  return newestFirst(applicationsIn(unwrap(result, 'loadApplications')))
}

export async function fetchApplication(applicationId: string, signal?: AbortSignal): Promise<Application> {
  const result = await send<typeof getApplication>('GET', '/applications/:applicationId', {
    params: { applicationId },
    signal,
  })
  return applicationIn(unwrap(result, 'loadApplication'))
}

export async function createApplication(input: z.input<typeof CreateApplication>): Promise<Application> {
  const result = await send<typeof createRoute>('POST', '/applications/create', { body: input })
  return applicationIn(unwrap(result, 'createApplication'))
}

/** Returns the new key. */
export async function regenerateApplicationKey(applicationId: string): Promise<string> {
  const result = await send<typeof regenerateKey>('PATCH', '/applications/:applicationId/regenerate-key', {
    params: { applicationId },
  })
  const { newApplicationKey } = unwrap(result, 'regenerateKey', {
    network: 'regenerateKeyNetwork',
  }) as { newApplicationKey?: unknown }
  if (typeof newApplicationKey === 'string' && newApplicationKey !== '') return newApplicationKey
  throw new Failure('noNewKey')
}

export async function updateApplicationStatus(
  applicationId: string,
  status: Application['status'],
): Promise<Application> {
  const result = await send<typeof setApplicationStatus>('PATCH', '/applications/:applicationId/status', {
    params: { applicationId },
    body: { status },
  })
  const failure = status === 'active' ? 'activateApplication' : 'deactivateApplication'
  return applicationIn(unwrap(result, failure))
}

export async function updateBankingDetails(
  applicationId: string,
  details: BankingDetails,
): Promise<Application> {
  const result = await send<typeof updateBanking>('PUT', '/applications/:applicationId/banking', {
    params: { applicationId },
    body: details,
  })
  return applicationIn(unwrap(result, 'updateBanking'))
}

export async function updateBrand(applicationId: string, brand: Brand): Promise<Application> {
  const result = await send<typeof updateBrandRoute>('PUT', '/applications/:applicationId/brand', {
    params: { applicationId },
    body: brand,
  })
  return applicationIn(unwrap(result, 'updateBrand'))
}

const applicationsQuery = queryOptions({
  queryKey: queryKeys.applications,
  queryFn: ({ signal }) => fetchApplications(signal),
})

export const useApplications = () => useQuery(applicationsQuery)

/** For a list of choices beside other content: a failure is only logged in the console. */
export const useApplicationChoices = (enabled = true) =>
  useQuery({
    ...applicationsQuery,
    enabled,
    meta: { quiet: true, log: 'The applications for the filter could not be read' },
  })

/** Fetched once for each visit: a failure leaves the page, so that a later refetch must not close a form. */
export const useApplication = (applicationId: string) =>
  useQuery({
    queryKey: queryKeys.application(applicationId),
    queryFn: ({ signal }) => fetchApplication(applicationId, signal),
    gcTime: 0,
    refetchOnReconnect: false,
  })

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
