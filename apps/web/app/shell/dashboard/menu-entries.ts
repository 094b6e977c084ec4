import {
  IconApps,
  IconArrowsExchange,
  IconCreditCard,
  IconLayoutDashboard,
  IconSettings,
} from '../../components/icons.ts'
import { paths } from '../../lib/paths.ts'

export const entries = [
  { label: 'Dashboard', to: paths.dashboard, icon: IconLayoutDashboard },
  { label: 'Payments', to: paths.payments, icon: IconCreditCard },
  { label: 'Applications', to: paths.applications, icon: IconApps },
  { label: 'Reconciliations', to: paths.reconciliations, icon: IconArrowsExchange },
  { label: 'Settings', to: paths.settings, icon: IconSettings },
] as const

/** By prefix, so that an application's own page keeps its entry lit; the dashboard is the prefix of all, so only itself. */
export const isActive = (to: string, pathname: string): boolean => {
  const here = pathname.replace(/\/+$/, '')
  return here === to || (to !== paths.dashboard && here.startsWith(`${to}/`))
}
