import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { useCallback } from 'react'
import { hasCode, useErrorText } from '../../api/api-error.ts'
import { useMay } from '../../api/may.ts'
import type { PaymentList } from '../../api/payment-list.ts'
import { HowToPay } from '../../components/how-to-pay.tsx'
import { IconCreditCard, IconFilterOff } from '../../components/icons.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, panelClass, row, textLinkClass } from '../../components/ui/classes.ts'
import { EmptyState, QueryError } from '../../components/ui/empty-state.tsx'
import { PageHeader, RefreshButton } from '../../components/ui/page-header.tsx'
import panel from '../../components/ui/panel.module.css'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { useOpenDialog } from '../../lib/dialog-in-address.ts'
import { countText } from '../../lib/format.ts'
import { countFilters, type Filters, isFiltered } from '../../lib/payment-filters.ts'
import { usePaymentsText } from '../../lib/payments-text.ts'
import { ConnectionStatus } from '../../live/live.tsx'
import { PaymentDialog } from './details/payment-dialog.tsx'
import { ExportButton, ExportPanel } from './export/export-panel.tsx'
import { useExport } from './export/export-run.ts'
import { FilterBar } from './filter-bar.tsx'
import { NewPayment, NewPaymentButton, useMayCreatePayment } from './new-payment/new-payment.tsx'
import { LoadingPayments, PaymentGrid } from './payment-grid.tsx'
import styles from './payments.module.css'
import { Totals } from './totals.tsx'
import { useFilters } from './use-filters.ts'
import { type MorePayments, usePaymentListUpdates, usePayments } from './use-payments.ts'

export const handle: DashboardHandle = { title: 'paymentsPage', needs: 'payments.read' }

export default function Payments() {
  const { filters, address, change, choose, clear, clears } = useFilters()
  usePaymentListUpdates(filters)
  const payments = usePayments(filters, address)
  const { list } = payments
  const mayExport = useMay('exports.read')
  const mayCreate = useMayCreatePayment()
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
        {mayExport && (
          <ExportButton
            button={file.exportButton}
            running={file.state.phase === 'running'}
            onClick={() => void file.open()}
          />
        )}
        {mayCreate && <NewPaymentButton />}
      </PageHeader>
      {file.state.phase !== 'idle' && (
        <ExportPanel state={file.state} endButton={file.endButton} onEnd={file.end} onRetry={file.retry} />
      )}
      <section
        className={panelClass}
        aria-label={t('paymentTransactions')}
        aria-busy={list.isFetching}
        tabIndex={-1}
      >
        <FilterBar
          filters={filters}
          clears={clears}
          searchError={list.error && isTooBroad ? errorText(list.error) : undefined}
          onChange={change}
          onChoose={choose}
          onClear={clear}
        />
        {list.error && !isTooBroad && (
          <div className={styles.error}>
            <QueryError query={list} />
          </div>
        )}
        <Listing
          filters={filters}
          payments={payments}
          onClear={clear}
          onSearchAllDates={() => choose({ from: '', to: '' })}
        />
      </section>
      {file.dialog && (
        <file.dialog.ExportDialog
          filters={filters}
          opened={file.isPending}
          onExport={(choice) => file.start({ ...choice, filters })}
          onClose={file.close}
        />
      )}
      <PaymentDialog payments={list.data?.payments} />
      {mayCreate && <NewPayment />}
    </>
  )
}

interface ListingProps {
  readonly filters: Filters
  readonly payments: ReturnType<typeof usePayments>
  readonly onClear: () => void
  readonly onSearchAllDates: () => void
}

/** The count of the payments, and the payments, or the reason why there are none. */
function Listing({ filters, payments, onClear, onSearchAllDates }: ListingProps) {
  const { list, shown, more } = payments
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const openDialog = useOpenDialog('payment')
  const open = useCallback(({ paymentId }: DashboardPayment) => openDialog(paymentId), [openDialog])
  const { data } = list
  if (!data)
    return (
      !list.error && (
        <>
          <p className={panel.count} role="status">
            {t('loadingPayments')}
          </p>
          <LoadingPayments />
        </>
      )
    )
  return (
    <>
      {/* New payments change the count of the whole list, which `LiveAnnouncement` announces. */}
      <div className={panel.count}>
        <p aria-live={isFiltered(filters) ? 'polite' : 'off'}>
          {t('showingPayments', { matched: matchedOf(data), total: countText(data.total) })}
        </p>
        {data.matched > 0 && countFilters(filters) > 0 && (
          <button type="button" className={`${textLinkClass} ${panel.clear}`} onClick={onClear}>
            {dashboard('clearFilters')}
          </button>
        )}
        <div className={`${styles.totals} ${row('wrap', 'gap24', 'rows0')}`}>
          <Totals list={data} />
        </div>
      </div>
      {data.payments.length === 0 ? (
        <NoPayments filters={filters} onClear={onClear} onSearchAllDates={onSearchAllDates} />
      ) : (
        <div className={list.isPlaceholderData ? styles.stale : undefined}>
          <PaymentGrid
            key={shown}
            address={shown}
            payments={data.payments}
            hits={data.hits}
            search={filters.search}
            matched={data.hasMoreMatches ? null : data.matched}
            onOpen={open}
            onNearEnd={more.load}
          >
            <Tail {...more} />
            {hasDays(filters) && data.nextCursor === null && (
              <div
                className={`${styles.tail} ${row('wrap', 'centre', 'middle', 'gap16', 'rows8')} ${font('sm', 'quiet')}`}
              >
                {t('chosenDaysOnly')}
                <SearchAllDates onClick={onSearchAllDates} />
              </div>
            )}
          </PaymentGrid>
        </div>
      )}
    </>
  )
}

const matchedOf = ({ matched, hasMoreMatches }: PaymentList): string =>
  hasMoreMatches ? `${countText(matched)}+` : countText(matched)

/** Whether days hide what a search would find in others. */
const hasDays = ({ search, from, to }: Filters): boolean => Boolean(search && (from || to))

function SearchAllDates({ onClick }: { readonly onClick: () => void }) {
  const t = usePaymentsText()
  return (
    <Button kind="default" size="small" onClick={onClick}>
      {t('searchAllDates')}
    </Button>
  )
}

type NoPaymentsProps = Omit<ListingProps, 'payments'>

function NoPayments({ filters, onClear, onSearchAllDates }: NoPaymentsProps) {
  const mayCreate = useMayCreatePayment()
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  return isFiltered(filters) ? (
    <EmptyState
      icon={IconFilterOff}
      title={t('noMatchingPayments')}
      action={
        <>
          {hasDays(filters) && <Button onClick={onSearchAllDates}>{t('searchAllDates')}</Button>}
          <Button kind="default" onClick={onClear}>
            {dashboard('clearFilters')}
          </Button>
        </>
      }
    >
      {filters.search && t('termPlaces')}
    </EmptyState>
  ) : (
    <EmptyState
      icon={IconCreditCard}
      title={t('noPayments')}
      action={
        <>
          {mayCreate && <NewPaymentButton />}
          <HowToPay />
        </>
      }
    >
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
      <div
        className={`${styles.tail} ${row('wrap', 'centre', 'middle', 'gap16', 'rows8')} ${font('sm', 'quiet')}`}
        role={error === null ? 'status' : 'alert'}
      >
        {error === null ? t('loadingPayments') : errorText(error)}
        {error !== null && (
          <Button kind="default" size="small" onClick={retry}>
            {dashboard('retry')}
          </Button>
        )}
      </div>
    )
  )
}
