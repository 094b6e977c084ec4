// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table lose their roles when they are laid out as cards
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons of the rows receive the focus
import type { DashboardPayment, ListHit } from '@muripo/contract/dashboard-payments'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { LoadingList, Titles } from '../../components/ui/data-list.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { usePaymentsText } from '../../lib/payments-text.ts'
import { useRovingRow, useRowKeys, useVirtualRows } from './grid-rows.ts'
import styles from './payment-grid.module.css'
import { PaymentRow, usePaymentColumns } from './payment-row.tsx'

interface PaymentGridProps {
  readonly payments: readonly DashboardPayment[]
  readonly hits: readonly ListHit[]
  readonly search: string | undefined
  /** The key of the list in the browser's history. */
  readonly address: string
  /** The number of matching payments, loaded or not; null when it is unknown. */
  readonly matched: number | null
  readonly onOpen: (payment: DashboardPayment) => void
  /** Called while the last loaded rows are near. */
  readonly onNearEnd: () => void
  /** The content below the last row. */
  readonly children: ReactNode
}

const NEAR_ROWS = 50

/** The payments of a list. Only the rows in view are in the document. */
export function PaymentGrid({ payments, hits, search, address, ...props }: PaymentGridProps) {
  const { matched, onOpen, onNearEnd, children } = props
  const area = useRef<HTMLElement>(null)
  const { current, reach, withCurrent } = useRovingRow(payments)
  const rows = useVirtualRows({ payments, address, area, rangeExtractor: withCurrent })
  const onKeyDown = useRowKeys({ payments, area, rows, current, reach })
  const columns = usePaymentColumns({ onOpen, onReach: reach })
  const hitOf = useMemo(() => new Map(hits.map((hit) => [hit.paymentId, hit])), [hits])
  const t = usePaymentsText()
  const dashboard = useDashboardText()

  useEffect(() => {
    if ((rows.range?.endIndex ?? 0) >= payments.length - NEAR_ROWS) onNearEnd()
  })

  return (
    <section ref={area} className={styles.area} aria-label={t('paymentsTable')}>
      <div
        role="grid"
        aria-label={dashboard('paymentsPage')}
        aria-rowcount={matched === null ? -1 : matched + 1}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={styles.head}>
          <Titles columns={columns} aria-rowindex={1} />
        </div>
        <div role="rowgroup" ref={rows.containerRef} className={styles.body}>
          {rows.getVirtualItems().map(({ index, key }) => {
            const payment = payments[index]
            return (
              payment && (
                <PaymentRow
                  key={key}
                  payment={payment}
                  hit={hitOf.get(payment.paymentId)}
                  search={search}
                  index={index}
                  columns={columns}
                  reachable={index === current}
                  measure={rows.measureElement}
                  onOpen={onOpen}
                />
              )
            )
          })}
        </div>
      </div>
      {children}
    </section>
  )
}

const nothing = () => undefined

/** The places of the payments while they are loading. */
export const LoadingPayments = () => (
  <LoadingList
    className={`${styles.area} ${styles.loading}`}
    columns={usePaymentColumns({ onOpen: nothing, onReach: nothing })}
    rows={16}
  />
)
