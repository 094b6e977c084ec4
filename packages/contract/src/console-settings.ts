import { z } from 'zod'
import { operatorRoles } from './console-permissions.ts'
import { IncidentId, OperatorId } from './ids.ts'
import { route } from './route.ts'
import { Incident, IncidentStatus } from './site.ts'
import { PathId, personText, Timestamp } from './text.ts'

/** The console's settings: operators, and the incidents of the status page. Operators are changed by proposals. */

export const ListedOperator = z.object({
  id: OperatorId,
  email: z.string(),
  name: z.string(),
  role: z.enum(operatorRoles),
  hasPasskey: z.boolean(),
  lastSeenAt: Timestamp.nullable(),
})
export type ListedOperator = z.infer<typeof ListedOperator>

export const listOperators = route({
  method: 'GET',
  path: '/operators',
  access: 'console.settings.read',
  summary: 'The operators, the longest known first',
  reply: { 200: z.object({ operators: z.array(ListedOperator) }) },
  errors: ['rate_limited'],
})

export const listConsoleIncidents = route({
  method: 'GET',
  path: '/incidents',
  access: 'console.settings.read',
  summary: 'The incidents of the status page, the open ones first',
  reply: { 200: z.object({ incidents: z.array(Incident) }) },
  errors: ['rate_limited'],
})

const text = personText(1000, 'Please write what people read')

export const openConsoleIncident = route({
  method: 'POST',
  path: '/incidents',
  access: 'console.incidents.write',
  summary: 'Announce an incident on the status page',
  body: z.strictObject({ title: personText(120, 'Please give a title'), text }),
  reply: { 201: z.object({ id: IncidentId }) },
  errors: ['validation_failed', 'rate_limited'],
})

export const updateConsoleIncident = route({
  method: 'POST',
  path: '/incidents/:incidentId/updates',
  access: 'console.incidents.write',
  summary: 'Announce the progress of an open incident, or its end',
  params: z.object({ incidentId: PathId }),
  body: z.strictObject({ status: IncidentStatus, text }),
  reply: { 204: z.undefined() },
  errors: ['validation_failed', 'rate_limited'],
})
