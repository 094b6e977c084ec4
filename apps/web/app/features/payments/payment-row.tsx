// biome-ignore-all lint/a11y/useSemanticElements: rows lie on a grid of their own, where a table's elements lose their roles
// biome-ignore-all lint/a11y/useFocusableInteractive: the button of a row has the focus
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { memo, type Ref } from 'react'
import panel from '../../components/panel.module.css'
import { PaymentStatusBadge } from '../../components/status-badge.tsx'
import { dateText, methodLabel } from '../../lib/format.ts'
import { partlyRefunded, summaryOf } from '../../lib/payment-text.ts'
import { UpdatedBadge } from '../../live/live-status.tsx'
import styles from './payment-grid.module.css'

interface PaymentRowProps {
  readonly payment: DashboardPayment
  readonly index: number
  readonly timeZone: string | undefined
  /** Whether the tab key leads here; the arrow keys lead to all others. */
  readonly reachable: boolean
  readonly measure: Ref<HTMLDivElement>
  readonly onOpen: (payment: DashboardPayment) => void
  readonly onReach: (payment: DashboardPayment) => void
}

const HEAD_ROWS = 1

export const PaymentRow = memo(
  ({ payment, index, timeZone, reachable, measure, onOpen, onReach }: PaymentRowProps) => {
    const part = partlyRefunded(payment)
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: a larger target for the mouse; the keyboard has the button in it
      <div
        ref={measure}
        data-index={index}
        role="row"
        aria-rowindex={index + 1 + HEAD_ROWS}
        className={styles.row}
        onClick={(event) => {
          // Marking an id to copy it is not a click on the row.
          if (window.getSelection()?.toString()) return
          // Where the focus comes back to when the details close.
          event.currentTarget.querySelector('button')?.focus({ preventScroll: true })
          onOpen(payment)
        }}
      >
        <div role="gridcell" className={styles.status}>
          <PaymentStatusBadge status={payment.status} />
          {part && <p className={styles.part}>{part}</p>}
        </div>
        <div role="gridcell" className={styles.method}>
          {methodLabel(payment.method)}
        </div>
        <div role="gridcell" className={styles.id}>
          {payment.paymentId}
        </div>
        <div role="gridcell" id={`${payment._id}-details`} className={styles.details}>
          {summaryOf(payment)}
        </div>
        <div role="gridcell" className={styles.date}>
          <time dateTime={payment.createdAt} title={payment.createdAt}>
            {dateText(payment.createdAt, timeZone)}
          </time>
          <UpdatedBadge paymentId={payment.paymentId} className={styles.updated} />
        </div>
        <div role="gridcell" className={styles.action}>
          {/* Not the kit's: making one takes longer than the rest of the row. */}
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
            View Details
          </button>
        </div>
      </div>
    )
  },
)
