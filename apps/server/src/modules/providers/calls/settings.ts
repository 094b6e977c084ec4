import { z } from 'zod'
import type { Environment } from '../../../platform/settings.ts'
import { accountNamed } from '../account-name.ts'
import type { CallLimits } from './provider-calls.ts'

const NO_LIMIT = 'none'
const PREFIX = 'CALLS_PER_MINUTE_'

/** CALLS_PER_MINUTE_PAYNOW_SHOP belongs to the account `paynow-shop`. */
const accountOf = (variable: string): string =>
  variable.slice(PREFIX.length).toLowerCase().replaceAll('_', '-')

/** The number of calls a minute that a provider allows an account, instead of the one in the provider's documents. */
export const callLimitSettings = z
  .custom<Environment>()
  .transform((env, { addIssue }): { callLimits: CallLimits } => {
    const limits = new Map<string, number | null>()
    for (const [variable, text = ''] of Object.entries(env)) {
      if (!variable.startsWith(PREFIX)) continue
      const isRight = text === NO_LIMIT || /^[1-9]\d{0,6}$/.test(text)
      const issue = (message: string) => addIssue({ code: 'custom', path: [variable], message })
      if (accountNamed(accountOf(variable)) === null) issue('names no account at a provider')
      else if (!isRight) issue(`must be a number of calls a minute, or ${NO_LIMIT}`)
      else limits.set(accountOf(variable), text === NO_LIMIT ? null : Number(text))
    }
    return { callLimits: limits }
  })
