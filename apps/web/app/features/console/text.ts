import english from 'virtual:texts/console/en'
import type { OperatorRole } from '@muripo/contract/console-permissions'
import type { console } from '@muripo/locales/console'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../lib/page-text.ts'

export type ConsoleText = Translate<typeof console>
/** The key of the title of a page. */
export type ConsoleTitle = Extract<keyof typeof console, `${string}Page`>

export const useConsoleText = (): ConsoleText => usePageText<typeof console>(english)

const roleNames = {
  support: 'consoleSupport',
  risk: 'consoleRisk',
  finance: 'consoleFinance',
  admin: 'consoleAdmin',
} as const satisfies Readonly<Record<OperatorRole, keyof typeof console>>

export const roleText = (role: OperatorRole, t: ConsoleText): string => t(roleNames[role])
