import { Button } from '@mantine/core'
import { hasCode, useErrorText } from '../../api/api-error.ts'
import type { PaymentList } from '../../api/payment-list.ts'
import { EmptyState, HowToPay, LoadingRows, QueryError } from '../../components/empty-state.tsx'
import { IconCreditCard, IconFilterOff } from '../../components/icons.ts'
import { PageHeader, RefreshButton } from '../../components/page-header.tsx'
import panel from '../../components/panel.module.css'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { countText } from '../../lib/format.ts'
import { countFilters, type Filters, isFiltered } from '../../lib/payment-filters.ts'
import { ConnectionStatus } from '../../live/live.tsx'
import { PaymentDialog } from './details/payment-dialog.tsx'
import { useOpenPayment } from './details/payment-link.ts'
import { ExportButton, ExportPanel } from './export/export-panel.tsx'
import { useExport } from './export/export-run.ts'
import { FilterBar } from './filter-bar.tsx'
import { PaymentGrid } from './payment-grid.tsx'
import styles from './payments.module.css'
import { usePaymentsText } from './text.ts'
import { useFilters } from './use-filters.ts'
import { type MorePayments, usePaymentListUpdates, usePayments } from './use-payments.ts'

export const handle: DashboardHandle = { title: 'paymentsPage' }

export default function Payments() {
  const { filters, address, change, clear, clears } = useFilters()
  usePaymentListUpdates(filters)
  const payments = usePayments(filters, address)
  const { list } = payments
  const file = useExport()
  const errorText = useErrorText()
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const isTooBroad = hasCode(list.error, 'search_too_broad')

  return (
    <>
      <PageHeader title={dashboard('paymentsPage')}>
        <ConnectionStatus />
        <RefreshButton loading={list.isFetching} onClick={() => void list.refetch()} />
        <ExportButton
          button={file.exportButton}
          running={file.state.phase === 'running'}
          onClick={() => file.start(filters)}
        />
      </PageHeader>
      {file.state.phase !== 'idle' && (
        <ExportPanel
          state={file.state}
          endButton={file.endButton}
          onEnd={file.end}
          onRetry={() => file.start(filters)}
        />
      )}
      <section className={panel.panel} aria-label={t('paymentTransactions')} aria-busy={list.isFetching}>
        <FilterBar
          filters={filters}
          clears={clears}
          searchError={list.error && isTooBroad ? errorText(list.error) : undefined}
          onChange={change}
          onClear={clear}
        />
        {list.error && !isTooBroad && (
          <div className={styles.error}>
            <QueryError query={list} />
          </div>
        )}
        <Listing filters={filters} payments={payments} onClear={clear} />
      </section>
      <PaymentDialog payments={list.data?.payments} />
    </>
  )
}

interface ListingProps {
  readonly filters: Filters
  readonly payments: ReturnType<typeof usePayments>
  readonly onClear: () => void
}

/** The count of the payments, and the payments, or the reason why there are none. */
function Listing({ filters, payments: { list, shown, more }, onClear }: ListingProps) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const open = useOpenPayment()
  const { data } = list
  if (!data)
    return (
      !list.error && (
        <div className={styles.loading}>
          <LoadingRows>{t('loadingPayments')}</LoadingRows>
        </div>
      )
    )
  return (
    <>
      {/* New payments change the count of the whole list, which `LiveAnnouncement` announces. */}
      <p className={panel.count} aria-live={isFiltered(filters) ? 'polite' : 'off'}>
        {t('showingPayments', { matched: matchedOf(data), total: countText(data.total) })}
        {data.matched > 0 && countFilters(filters) > 0 && (
          <button type="button" className={panel.clear} onClick={onClear}>
            {dashboard('clearFilters')}
          </button>
        )}
      </p>
      {data.payments.length === 0 ? (
        <NoPayments filtered={isFiltered(filters)} onClear={onClear} />
      ) : (
        <div className={list.isPlaceholderData ? styles.stale : undefined}>
          <PaymentGrid
            key={shown}
            address={shown}
            payments={data.payments}
            matched={data.hasMoreMatches ? null : data.matched}
            onOpen={open}
            onNearEnd={more.load}
          >
            <Tail {...more} />
          </PaymentGrid>
        </div>
      )}
    </>
  )
}

const matchedOf = ({ matched, hasMoreMatches }: PaymentList): string =>
  hasMoreMatches ? `${countText(matched)}+` : countText(matched)

interface NoPaymentsProps {
  readonly filtered: boolean
  readonly onClear: () => void
}

function NoPayments({ filtered, onClear }: NoPaymentsProps) {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  return filtered ? (
    <EmptyState
      icon={IconFilterOff}
      title={t('noMatchingPayments')}
      action={
        <Button variant="default" onClick={onClear}>
          {dashboard('clearFilters')}
        </Button>
      }
    />
  ) : (
    <EmptyState icon={IconCreditCard} title={t('noPayments')} action={<HowToPay />}>
      {t('noPaymentsText')}
    </EmptyState>
  )
}

function Tail({ loading, error, retry }: MorePayments) {
  const errorText = useErrorText()
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  return (
    (loading || error !== null) && (
      <div className={styles.tail} role={error === null ? 'status' : 'alert'}>
        {error === null ? t('loadingPayments') : errorText(error)}
        {error !== null && (
          <Button variant="default" size="sm" onClick={retry}>
            {dashboard('retry')}
          </Button>
        )}
      </div>
    )
  )
}
