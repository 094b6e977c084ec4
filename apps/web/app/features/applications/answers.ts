import type { Application } from '@muripo/contract/applications'

/** A plain array, or an object with the array. */
export function listIn(body: unknown): Application[] {
  const list = Array.isArray(body) ? body : (body as { applications?: unknown } | null)?.applications
  return Array.isArray(list) ? list : []
}

/** An application, or an object with one; without an _id it is none. */
export function applicationIn(body: unknown): Application {
  const { application = body } = body as { application?: unknown }
  if (!(application as Partial<Application> | null)?._id) throw new Error('Invalid application data received')
  return application as Application
}

export function newKeyIn(body: unknown): string {
  const { newApplicationKey } = body as { newApplicationKey?: unknown }
  if (typeof newApplicationKey === 'string' && newApplicationKey !== '') return newApplicationKey
  throw new Error('Failed to get new application key from response')
}
