import english from 'virtual:texts/activity/en'
import type { ActivityGroup } from '@muripo/contract/enums'
import type { activity } from '@muripo/locales/activity'
import type { Translate } from '@muripo/locales/translator'
import { usePageText } from '../../../lib/page-text.ts'

export type ActivityText = Translate<typeof activity>

export const useActivityText = (): ActivityText => usePageText<typeof activity>(english)

type ActionKey = Extract<keyof typeof activity, `${string}.${string}`>

/** The words for an action; its name where the page has none. */
export const actionText = (action: string, t: ActivityText): string =>
  action in english ? t(action as ActionKey) : action

export const groupTexts = {
  team: 'group_team',
  account: 'group_account',
  session: 'group_session',
  document: 'group_document',
  application: 'group_application',
  webhook: 'group_webhook',
  payment: 'group_payment',
  refund: 'group_refund',
  customer: 'group_customer',
  ledger: 'group_ledger',
  merchant: 'group_merchant',
} as const satisfies Readonly<Record<ActivityGroup, keyof typeof activity>>
