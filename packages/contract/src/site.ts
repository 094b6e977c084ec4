import { z } from 'zod'
import { route } from './route.ts'
import { bounded, Email, personText, Timestamp } from './text.ts'

export const CONTACT_NAME_MAX_LENGTH = 200
export const CONTACT_MESSAGE_MAX_LENGTH = 5000

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')
const typedLines = (text: string): string => text.replace(/\r\n?/g, '\n').replaceAll('\t', '  ')

/** A message from a visitor of the public site. */
export const Contact = z.strictObject({
  name: bounded(4 * CONTACT_NAME_MAX_LENGTH, { missing: 'Name is required' })
    .transform(oneLine)
    .pipe(personText(CONTACT_NAME_MAX_LENGTH, 'Name is required')),
  email: Email,
  message: bounded(4 * CONTACT_MESSAGE_MAX_LENGTH, { missing: 'Message is required' })
    .transform(typedLines)
    .pipe(personText(CONTACT_MESSAGE_MAX_LENGTH, 'Message is required')),
})

export const sendContact = route({
  method: 'POST',
  path: '/contact',
  summary: 'Send a message to the people who run this gateway',
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
  summary: 'How the API, the worker, the database and each provider are doing',
  reply: {
    200: z.object({ status: z.enum(['operational', 'degraded']), components: z.array(Component) }),
  },
  errors: [],
})
