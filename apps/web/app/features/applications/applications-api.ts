import type {
  Application,
  BankingDetails,
  CreateApplication,
  createApplication,
  getApplication,
  listApplications,
  regenerateKey,
  setApplicationStatus,
  updateBanking,
} from '@muripo/contract/applications'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { dataOf } from '../../api/errors.ts'
import { send } from '../../session/session.ts'
import { applicationIn, listIn, newKeyIn } from './answers.ts'
import { newestFirst } from './application-list.ts'

export const applicationsKey = ['applications'] as const
const applicationKey = (applicationId: string) => [...applicationsKey, applicationId] as const

export async function list(): Promise<Application[]> {
  const result = await send<typeof listApplications>('GET', '/applications/all')
  return newestFirst(listIn(dataOf(result, 'Failed to fetch applications')))
}

export async function find(applicationId: string): Promise<Application> {
  const result = await send<typeof getApplication>('GET', '/applications/:applicationId', {
    params: { applicationId },
  })
  return applicationIn(dataOf(result, 'Failed to fetch application'))
}

export async function create(input: z.input<typeof CreateApplication>): Promise<Application> {
  const result = await send<typeof createApplication>('POST', '/applications/create', { body: input })
  return applicationIn(dataOf(result, 'Failed to create application'))
}

/** Answers the new key. */
export async function regenerate(applicationId: string): Promise<string> {
  const result = await send<typeof regenerateKey>('PATCH', '/applications/:applicationId/regenerate-key', {
    params: { applicationId },
  })
  return newKeyIn(
    dataOf(result, 'Failed to regenerate application key', 'Network error occurred while regenerating key'),
  )
}

export async function setStatus(applicationId: string, status: Application['status']): Promise<Application> {
  const result = await send<typeof setApplicationStatus>('PATCH', '/applications/:applicationId/status', {
    params: { applicationId },
    body: { status },
  })
  const verb = status === 'active' ? 'activate' : 'deactivate'
  return applicationIn(dataOf(result, `Failed to ${verb} application`))
}

export async function saveBanking(applicationId: string, details: BankingDetails): Promise<Application> {
  const result = await send<typeof updateBanking>('PUT', '/applications/:applicationId/banking', {
    params: { applicationId },
    body: details,
  })
  return applicationIn(dataOf(result, 'Failed to update banking details'))
}

export const useApplications = () => useQuery({ queryKey: applicationsKey, queryFn: list })

/** Fetched for each visit, and by nothing else: whatever fails leads away, and must not lead away from a form. */
export const useApplication = (applicationId: string) =>
  useQuery({
    queryKey: applicationKey(applicationId),
    queryFn: () => find(applicationId),
    gcTime: 0,
    refetchOnReconnect: false,
  })

/** Puts what a call has answered where the screens look. A change answers a live key masked, and the whole one stays shown. */
export function keep(cache: QueryClient, application: Application): void {
  const { _id } = application
  cache.setQueryData<Application>(applicationKey(_id), (known) => known && withWholeKey(application, known))
  cache.setQueryData<Application[]>(applicationsKey, (known) =>
    known?.map((each) => (each._id === _id ? application : each)),
  )
}

const isMasked = (key: string | null): boolean => key?.includes('…') ?? false

const withWholeKey = (answered: Application, known: Application): Application =>
  isMasked(answered.applicationKey) ? { ...answered, applicationKey: known.applicationKey } : answered
