import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { mailEndingKeys } from './actions/mail-ending-keys.ts'

export const applicationTasks = (ctx: Ctx): PeriodicTask[] => [
  { name: 'mail-ending-keys', pauseMs: 600_000, isSlow: true, run: () => mailEndingKeys(ctx) },
]
