// biome-ignore-all lint/a11y/useSemanticElements: rows lie on a grid of their own, where a table's elements lose their roles
// biome-ignore-all lint/a11y/useFocusableInteractive: the button of a row has the focus
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { memo, type Ref, useMemo } from 'react'
import { Cells, type Column, rowClass } from '../../components/data-list.tsx'
import panel from '../../components/panel.module.css'
import { PaymentStatusBadge } from '../../components/status-badge.tsx'
import { partialAmounts, useDashboardText } from '../../lib/dashboard-text.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { UpdatedBadge } from '../../live/live.tsx'
import styles from './payment-grid.module.css'
import { summaryOf, usePaymentsText } from './text.ts'

/** A payment and whether the tab key leads to its row; the arrow keys lead to all others. */
interface Item {
  readonly payment: DashboardPayment
  readonly reachable: boolean
}

export type PaymentColumns = readonly Column<Item>[]

export function usePaymentColumns(
  timeZone: string | undefined,
  onOpen: (payment: DashboardPayment) => void,
  onReach: (payment: DashboardPayment) => void,
): PaymentColumns {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const formats = useFormats()
  return useMemo(
    () => [
      {
        title: dashboard('status'),
        area: 'status',
        className: styles.status,
        cell: ({ payment }) => (
          <>
            <PaymentStatusBadge status={payment.status} />
            {partialAmounts(payment, dashboard).map((part) => (
              <p key={part} className={styles.part}>
                {part}
              </p>
            ))}
          </>
        ),
      },
      {
        title: t('method'),
        area: 'method',
        isQuiet: true,
        className: styles.method,
        cell: ({ payment }) => formats.methodLabel(payment.method),
      },
      { title: t('paymentId'), area: 'id', className: styles.id, cell: ({ payment }) => payment.paymentId },
      {
        title: dashboard('details'),
        area: 'details',
        className: styles.details,
        cell: ({ payment }) => <span id={`${payment._id}-details`}>{summaryOf(payment, t)}</span>,
      },
      {
        title: dashboard('date'),
        area: 'date',
        isQuiet: true,
        className: styles.date,
        cell: ({ payment }) => (
          <>
            <time dateTime={payment.createdAt} title={formats.exactText(payment.createdAt, timeZone)}>
              {formats.dateText(payment.createdAt, timeZone)}
            </time>
            <UpdatedBadge paymentId={payment.paymentId} className={styles.updated} />
          </>
        ),
      },
      {
        title: dashboard('actions'),
        isTitleHidden: true,
        area: 'action',
        align: 'end',
        cell: ({ payment, reachable }) => (
          // Not Mantine's: creating one takes longer than the rest of the row.
          <button
            type="button"
            className={`${panel.rowButton} ${styles.open}`}
            tabIndex={reachable ? 0 : -1}
            aria-describedby={`${payment._id}-details`}
            onFocus={() => onReach(payment)}
            onClick={(event) => {
              event.stopPropagation()
              onOpen(payment)
            }}
          >
            {t('viewDetails')}
          </button>
        ),
      },
    ],
    [timeZone, onOpen, onReach, t, dashboard, formats],
  )
}

interface PaymentRowProps extends Item {
  readonly index: number
  readonly columns: PaymentColumns
  readonly measure: Ref<HTMLDivElement>
  readonly onOpen: (payment: DashboardPayment) => void
}

const HEAD_ROWS = 1

export const PaymentRow = memo(({ payment, index, columns, reachable, measure, onOpen }: PaymentRowProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: a larger target for the mouse; the keyboard has the button in it
  <div
    ref={measure}
    data-index={index}
    role="row"
    aria-rowindex={index + 1 + HEAD_ROWS}
    className={`${rowClass} ${styles.row}`}
    onClick={(event) => {
      // Marking an id to copy it is not a click on the row.
      if (window.getSelection()?.toString()) return
      // Where the focus comes back to when the details close.
      event.currentTarget.querySelector('button')?.focus({ preventScroll: true })
      onOpen(payment)
    }}
  >
    <Cells item={{ payment, reachable }} columns={columns} role="gridcell" />
  </div>
))
