import { z } from 'zod'
import { contactFields } from './contact-fields.ts'
import { IncidentId } from './ids.ts'
import { incidentStatuses } from './incident-statuses.ts'
import { type Reply, route } from './route.ts'
import { Email, fieldText, Timestamp } from './text.ts'

/** A message from a visitor of the public site. */
export const Contact = z.strictObject({
  name: fieldText(contactFields.name),
  email: Email,
  message: fieldText(contactFields.message),
})

export const sendContact = route({
  method: 'POST',
  path: '/contact',
  access: 'anyone',
  summary: 'Send a message to the operators of this gateway',
  body: Contact,
  reply: { 202: z.object({ message: z.string() }) },
  errors: ['validation_failed', 'rate_limited'],
})

const ComponentStatus = z.enum(['operational', 'degraded', 'down'])
export type ComponentStatus = z.infer<typeof ComponentStatus>

const Component = z.object({
  id: z.string(),
  name: z.string(),
  status: ComponentStatus,
  checkedAt: Timestamp,
})
export type Component = z.infer<typeof Component>

export const IncidentStatus = z.enum(incidentStatuses)
export type IncidentStatus = z.infer<typeof IncidentStatus>

/** An announcement of the operators of this gateway. Its updates are newest first, and the first one has its present status. */
export const Incident = z.object({
  id: IncidentId,
  title: z.string(),
  openedAt: Timestamp,
  resolvedAt: Timestamp.nullable(),
  updates: z.array(z.object({ status: IncidentStatus, message: z.string(), at: Timestamp })),
})
export type Incident = z.infer<typeof Incident>

export const getStatus = route({
  method: 'GET',
  path: '/status',
  access: 'anyone',
  summary:
    'The state of the API, the worker, the database and each provider, and the incidents of the last days',
  reply: {
    200: z.object({
      status: z.enum(['operational', 'degraded']),
      components: z.array(Component),
      /** The open ones first, then those that were resolved in the last 14 days. */
      incidents: z.array(Incident),
    }),
  },
  errors: [],
})
export type Status = Reply<typeof getStatus>
