import type { Account } from '@muripo/contract/account'
import type { Permission } from '@muripo/contract/permissions'
import { may } from '../../api/may.ts'
import {
  IconApps,
  IconArrowsExchange,
  IconCreditCard,
  IconLayoutDashboard,
  IconSettings,
} from '../../components/icons.ts'
import { paths } from '../../lib/paths.ts'

interface Entry {
  readonly needs?: Permission | undefined
}

/** The entries of the menu. A role sees those that it may open. */
export const navigationEntries = [
  { label: 'dashboardPage', to: paths.dashboard, icon: IconLayoutDashboard, needs: 'stats.read' },
  { label: 'paymentsPage', to: paths.payments, icon: IconCreditCard, needs: 'payments.read' },
  { label: 'applicationsPage', to: paths.applications, icon: IconApps, needs: 'applications.read' },
  {
    label: 'reconciliationsPage',
    to: paths.reconciliations,
    icon: IconArrowsExchange,
    needs: 'balance.read',
  },
  { label: 'settingsPage', to: paths.settings, icon: IconSettings, needs: undefined },
] as const

/** Until the account is loaded every entry is open. */
export const isOpenTo = (account: Account | undefined, { needs }: Entry): boolean =>
  account === undefined || needs === undefined || may(account, needs)

/** The address of the first page that the role may open. A role for the counter has the till. */
export function firstPageOf(account: Account): string {
  const open = navigationEntries.find((entry) => isOpenTo(account, entry))
  if (open && open.to !== paths.settings) return open.to
  return may(account, 'till.read') ? paths.till : paths.settings
}
