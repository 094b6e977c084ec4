import { Button } from '@mantine/core'
import { IconCreditCard, IconFilterOff } from '../../ui/icons.ts'
import { LoadingRows } from '../../ui/loading-rows.tsx'
import { EmptyState, LoadError } from '../../ui/message.tsx'
import { PageHead, RefreshButton } from '../../ui/page-head.tsx'
import panel from '../../ui/panel.module.css'
import { PaymentDialog } from './details/payment-dialog.tsx'
import { useOpenPayment } from './details/payment-link.ts'
import { FilterBar } from './filter-bar.tsx'
import { isFiltered } from './filters.ts'
import { PaymentTable } from './payment-table.tsx'
import { usePayments } from './payments-api.ts'
import { useFilters } from './use-filters.ts'

export const meta = () => [{ title: 'Payments · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function Payments() {
  const { filters, change, clear } = useFilters()
  const { list, more } = usePayments(filters)
  const open = useOpenPayment()
  const reload = () => void list.refetch()
  const payments = list.data?.payments
  const counts = list.data
  const cursor = list.data?.nextCursor ?? null

  return (
    <>
      <PageHead title="Payments">
        <RefreshButton loading={list.isFetching} onClick={reload} />
      </PageHead>
      <section className={panel.panel} aria-label="Payment transactions">
        <FilterBar filters={filters} onChange={change} onClear={clear} />
        {list.error ? (
          <div style={{ padding: 20 }}>
            <LoadError onRetry={reload} retrying={list.isFetching}>
              {list.error.message}
            </LoadError>
          </div>
        ) : (
          <>
            {counts && (
              <p className={panel.count} aria-live="polite">
                Showing {counts.matched} of {counts.total} payment transactions
              </p>
            )}
            {!payments && <LoadingRows>Loading payments...</LoadingRows>}
            {payments?.length === 0 && <NoPayments filtered={isFiltered(filters)} onClear={clear} />}
            {payments && payments.length > 0 && (
              <PaymentTable
                payments={payments}
                onOpen={open}
                hasMore={cursor !== null}
                loadingMore={more.isPending}
                onMore={() => cursor && more.mutate({ filters, cursor })}
              />
            )}
          </>
        )}
      </section>
      <PaymentDialog payments={payments} />
    </>
  )
}

interface NoPaymentsProps {
  readonly filtered: boolean
  readonly onClear: () => void
}

const NoPayments = ({ filtered, onClear }: NoPaymentsProps) =>
  filtered ? (
    <EmptyState
      icon={IconFilterOff}
      title="No payments found matching your filters."
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  ) : (
    <EmptyState icon={IconCreditCard} title="No payments yet.">
      Initiate a new payment to get started.
    </EmptyState>
  )
