import { z } from 'zod'
import { auditGroups } from './audit-groups.ts'
import { NOTE_MAX_LENGTH } from './console-permissions.ts'
import { filterText } from './filters.ts'
import { AuditId } from './ids.ts'
import { route } from './route.ts'
import { bounded, PathId, personText, Timestamp } from './text.ts'

/** The records that the console keeps for later readers: notes to merchants, and the audit log. */

export const MerchantNote = z.object({
  id: AuditId,
  at: Timestamp,
  by: z.string(),
  note: z.string().meta({ description: 'Masked like the personal data of the merchant until its reveal' }),
})
export type MerchantNote = z.infer<typeof MerchantNote>

const MerchantParams = z.object({ merchantId: PathId })

export const listMerchantNotes = route({
  method: 'GET',
  path: '/merchants/:merchantId/notes',
  access: 'console.merchants.read',
  summary: 'The notes of operators to a merchant, the newest first',
  params: MerchantParams,
  query: z.strictObject({ cursor: AuditId.optional() }),
  reply: { 200: z.object({ notes: z.array(MerchantNote), nextCursor: AuditId.nullable() }) },
  errors: ['validation_failed', 'rate_limited'],
})

export const writeMerchantNote = route({
  method: 'POST',
  path: '/merchants/:merchantId/notes',
  access: 'console.notes.write',
  summary: 'Write a note to a merchant, which operators read; it stays in the audit log and never changes',
  params: MerchantParams,
  body: z.strictObject({ note: personText(NOTE_MAX_LENGTH, 'Please write the note') }),
  reply: { 204: z.undefined() },
  errors: ['validation_failed', 'rate_limited'],
})

export const ConsoleAuditEntry = z.object({
  id: AuditId,
  at: Timestamp,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  address: z
    .string()
    .nullable()
    .meta({ description: 'Masked until the merchant or the subject is revealed' }),
  requestId: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).meta({ description: 'Masked like the address' }),
})
export type ConsoleAuditEntry = z.infer<typeof ConsoleAuditEntry>

const Instant = bounded(24).check(z.iso.datetime())

const AuditFilter = z.strictObject({
  about: filterText(64).optional().meta({ description: 'The id of a merchant or of an object' }),
  group: z.enum(auditGroups).optional(),
  from: Instant.optional(),
  before: Instant.optional(),
})

export const listConsoleAudit = route({
  method: 'GET',
  path: '/audit',
  access: 'console.audit.read',
  summary: 'The audit log, the newest entry first, of all, of one merchant or of one object',
  query: AuditFilter.extend({ cursor: AuditId.optional() }),
  reply: { 200: z.object({ entries: z.array(ConsoleAuditEntry), nextCursor: AuditId.nullable() }) },
  errors: ['validation_failed', 'search_too_broad', 'rate_limited'],
})

export const exportConsoleAudit = route({
  method: 'GET',
  path: '/audit/export',
  access: 'console.audit.read',
  summary: 'The same entries as a file for spreadsheets, masked like the list; the export is an entry itself',
  query: AuditFilter,
  reply: { 200: z.string() },
  file: 'text/csv',
  errors: ['validation_failed', 'search_too_broad', 'rate_limited'],
})
