import { LoadError } from '../../ui/message.tsx'
import { PageHead, RefreshButton } from '../../ui/page-head.tsx'
import { RecentTransactions } from './recent-transactions.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { useStats } from './use-stats.ts'

export const meta = () => [{ title: 'Dashboard · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function Overview() {
  const stats = useStats()
  const reload = () => void stats.refetch()
  return (
    <>
      <PageHead title="Dashboard" subtitle="Welcome back! Here's an overview of your payments metrics.">
        <RefreshButton loading={stats.isFetching} onClick={reload} />
      </PageHead>
      {stats.error ? (
        <LoadError onRetry={reload} retrying={stats.isFetching}>
          {stats.error.message}
        </LoadError>
      ) : (
        <>
          <SummaryCards stats={stats.data} />
          <RecentTransactions payments={stats.data?.recentPayments} />
        </>
      )}
    </>
  )
}
