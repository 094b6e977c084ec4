import { z } from 'zod'
import { activityGroups } from './enums.ts'
import { idFilter } from './filters.ts'
import { AuditId, PersonId } from './ids.ts'
import { route } from './route.ts'
import { Day, Timestamp } from './text.ts'

export const Activity = z.object({
  id: AuditId,
  at: Timestamp,
  by: z.object({
    kind: z.enum(['person', 'key', 'operator', 'visitor', 'system']),
    name: z
      .string()
      .nullable()
      .meta({ description: 'Of a person; null for a person who has left, and for others' }),
    id: z.string().nullable().meta({ description: 'The id of the person or the key' }),
  }),
  action: z.string(),
  subject: z.string(),
  address: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type Activity = z.infer<typeof Activity>

export const listActivity = route({
  method: 'GET',
  path: '/activity',
  access: 'audit.read',
  summary: 'What was done in the account, the newest first',
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(50),
    cursor: AuditId.optional(),
    person: idFilter(PersonId).optional(),
    group: z.enum(activityGroups).optional(),
    from: Day.optional(),
    to: Day.optional(),
  }),
  reply: { 200: z.object({ activity: z.array(Activity), nextCursor: AuditId.nullable() }) },
  errors: ['session_invalid', 'validation_failed'],
})
