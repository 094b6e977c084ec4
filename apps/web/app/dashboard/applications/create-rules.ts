import { CreateApplication } from '@muripo/contract/applications'
import { DEFAULT_CATEGORY } from '@muripo/contract/words'

export const blankApplication = {
  applicationName: '',
  description: '',
  category: DEFAULT_CATEGORY as string,
}

/** The first field that does not hold, in the order of the contract: name, description, category. */
export function firstError(values: typeof blankApplication): Record<string, string> {
  const issue = CreateApplication.safeParse(values).error?.issues[0]
  return issue ? { [String(issue.path[0])]: issue.message } : {}
}
