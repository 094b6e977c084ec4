import { activityGroups } from './enums.ts'

/** The groups of the audit log: with those of the company alone. */
export const auditGroups = [
  ...activityGroups,
  'operator',
  'proposal',
  'provider',
  'jobs',
  'incident',
  'statement',
  'master_key',
] as const
export type AuditGroup = (typeof auditGroups)[number]
