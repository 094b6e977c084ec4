import type {
  Application,
  CreateApplication,
  createApplication,
  getApplication,
  listApplications,
  regenerateKey,
} from '@muripo/contract/applications'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { CallError, dataOf } from '../../lib/call-error.ts'
import { failureText } from '../../lib/messages.ts'
import { send } from '../../lib/session/session.ts'
import { newestFirst } from './application-list.ts'

export const applicationsKey = ['applications'] as const
export const applicationKey = (applicationId: string) => [...applicationsKey, applicationId] as const

const INVALID = 'Invalid application data received'
const invalidShape = () => new CallError({ status: 200, message: null, error: INVALID }, INVALID)

/** A plain array, or an object with the array. */
const listIn = (body: unknown): Application[] => {
  const list = Array.isArray(body) ? body : (body as { applications?: unknown } | null)?.applications
  return Array.isArray(list) ? list : []
}

export const useApplications = () =>
  useQuery({
    queryKey: applicationsKey,
    queryFn: async () =>
      newestFirst(
        listIn(
          dataOf(
            await send<typeof listApplications>('GET', '/applications/all'),
            'Failed to fetch applications',
          ),
        ),
      ),
  })

export const useApplication = (applicationId: string) =>
  useQuery({
    queryKey: applicationKey(applicationId),
    queryFn: async () => {
      const body: unknown = dataOf(
        await send<typeof getApplication>('GET', '/applications/:applicationId', {
          params: { applicationId },
        }),
        'Failed to fetch application',
      )
      const wrapped = body as { application?: Application }
      const application = wrapped.application ?? (body as Application)
      if (!application._id) throw invalidShape()
      return application
    },
  })

export async function create(input: z.input<typeof CreateApplication>): Promise<Application> {
  const application = dataOf(
    await send<typeof createApplication>('POST', '/applications/create', { body: input }),
    'Failed to create application',
  )
  if (!application._id) throw invalidShape()
  return application
}

/** Answers the new key. */
export async function regenerate(applicationId: string): Promise<string> {
  const result = await send<typeof regenerateKey>('PATCH', '/applications/:applicationId/regenerate-key', {
    params: { applicationId },
  })
  if (result.error !== null) {
    throw new Error(
      failureText(
        result,
        'Failed to regenerate application key',
        'Network error occurred while regenerating key',
      ),
    )
  }
  if (!result.data?.newApplicationKey) throw new Error('Failed to get new application key from response')
  return result.data.newApplicationKey
}
