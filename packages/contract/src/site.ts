import { z } from 'zod'
import { contactFields } from './contact-fields.ts'
import { route } from './route.ts'
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

export const getStatus = route({
  method: 'GET',
  path: '/status',
  summary: 'The state of the API, the worker, the database and each provider',
  reply: {
    200: z.object({ status: z.enum(['operational', 'degraded']), components: z.array(Component) }),
  },
  errors: [],
})
