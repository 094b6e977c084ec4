import { CreateApplication, type createApplication } from '@muripo/contract/applications'
import type { BodyInput } from '@muripo/contract/route'

export type ApplicationDraft = BodyInput<typeof createApplication>

/** The first field that does not hold, in the order of the contract: name, description, category. */
export function firstError(draft: ApplicationDraft): Record<string, string> {
  const issue = CreateApplication.safeParse(draft).error?.issues[0]
  return issue ? { [String(issue.path[0])]: issue.message } : {}
}
