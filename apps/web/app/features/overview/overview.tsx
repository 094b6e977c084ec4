import { useStats } from '../../api/stats.ts'
import { ErrorBoundary } from '../../components/error-boundary.tsx'
import { QueryError } from '../../components/ui/empty-state.tsx'
import { PageHeader, RefreshButton } from '../../components/ui/page-header.tsx'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { ConnectionStatus } from '../../live/live.tsx'
import { MethodPie } from './method-pie.tsx'
import styles from './overview.module.css'
import { RecentTransactions } from './recent-transactions.tsx'
import { RevenueOrSteps } from './revenue-or-steps.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { useOverviewText } from './text.ts'

export const handle: DashboardHandle = { title: 'dashboardPage', needs: 'stats.read' }

export default function Overview() {
  const query = useStats()
  const { data: stats, error, isFetching, refetch } = query
  const dashboard = useDashboardText()
  const t = useOverviewText()
  return (
    <>
      <PageHeader title={dashboard('dashboardPage')} subtitle={t('overviewIntro')}>
        <ConnectionStatus />
        <RefreshButton loading={isFetching} onClick={refetch} />
      </PageHeader>
      {error && (
        <div className={styles.error}>
          <QueryError query={query} />
        </div>
      )}
      {(stats || !error) && (
        <div className={styles.figures}>
          <ErrorBoundary>
            <SummaryCards stats={stats} />
          </ErrorBoundary>
          <div className={styles.charts}>
            <ErrorBoundary>
              <RevenueOrSteps stats={stats} />
            </ErrorBoundary>
            <ErrorBoundary>
              <MethodPie methods={stats?.topPaymentMethods} />
            </ErrorBoundary>
          </div>
          <ErrorBoundary>
            <RecentTransactions stats={stats} />
          </ErrorBoundary>
        </div>
      )}
    </>
  )
}
