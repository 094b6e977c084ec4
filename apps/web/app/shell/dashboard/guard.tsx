import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { Navigate, useMatches } from 'react-router'
import { useAccount } from '../../api/account.ts'
import { PageSpinner } from '../../components/page-spinner.tsx'
import type { DashboardHandle } from '../../lib/dashboard-text.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { paths } from '../../lib/paths.ts'
import { firstPageOf, isOpenTo } from './entries.ts'

/**
 * The page, or the reason why the role may not open it. The start of the dashboard leads to the first page that it may. A role for the counter has
 * no page of the dashboard: every address leads to the till.
 */
export function Guard({ children }: { readonly children: ReactNode }) {
  const { data: account } = useAccount()
  const { pathname, handle } = useMatches().at(-1) ?? {}
  const page = (handle ?? {}) as Partial<DashboardHandle>
  if (account === undefined) return children
  const first = firstPageOf(account)
  const isOpen = isOpenTo(account, page)
  const isStart = pathname?.replace(/\/+$/, '') === paths.dashboard
  if ((first === paths.till && !page.isOwn) || (isStart && !isOpen)) return <Navigate to={first} replace />
  if (isOpen) return children
  return <NotAllowed title={page.title ?? 'dashboardPage'} />
}

/** Few people see it: its code is loaded when it is needed. */
function NotAllowed({ title }: Pick<DashboardHandle, 'title'>) {
  const { module, load } = useLazyModule(() => import('./not-allowed.tsx'))
  const loadOnce = useEffectEvent(load)
  useEffect(() => void loadOnce(), [])
  return module ? <module.NotAllowed title={title} /> : <PageSpinner isPart />
}
