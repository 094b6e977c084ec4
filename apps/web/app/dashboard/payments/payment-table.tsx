import { Button } from '@mantine/core'
import type { DashboardPayment } from '@muripo/contract/payments'
import { dateText, methodLabel } from '../../lib/format.ts'
import panel from '../../ui/panel.module.css'
import { PaymentStatusBadge } from '../../ui/status-badge.tsx'
import styles from './payments.module.css'
import { summaryOf } from './summary.ts'

interface PaymentTableProps {
  readonly payments: readonly DashboardPayment[]
  readonly onOpen: (payment: DashboardPayment) => void
  readonly hasMore: boolean
  readonly loadingMore: boolean
  readonly onMore: () => void
}

/** One table for every width: where it does not fit, the style sheet lays each row out as a card. */
export const PaymentTable = ({ payments, onOpen, hasMore, loadingMore, onMore }: PaymentTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: an area that scrolls must be reachable by keyboard
  <section className={styles.area} aria-label="Payments table" tabIndex={0}>
    <table className={`${panel.table} ${styles.table}`}>
      <thead>
        <tr>
          <th scope="col">Status</th>
          <th scope="col">Method</th>
          <th scope="col">Payment ID</th>
          <th scope="col">Details</th>
          <th scope="col">Date</th>
          <th scope="col">
            <span className={styles.unseen}>Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {payments.map((payment) => (
          <Row key={payment._id} payment={payment} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
    {hasMore && (
      <div className={styles.more}>
        <Button variant="default" onClick={onMore} disabled={loadingMore}>
          {loadingMore ? 'Loading payments...' : 'Load more'}
        </Button>
      </div>
    )}
  </section>
)

interface RowProps {
  readonly payment: DashboardPayment
  readonly onOpen: (payment: DashboardPayment) => void
}

function Row({ payment, onOpen }: RowProps) {
  return (
    // The row is a larger target for the mouse; the keyboard has the button in it.
    <tr
      onClick={() => {
        // Marking an id to copy it is not a click on the row.
        if (!window.getSelection()?.toString()) onOpen(payment)
      }}
    >
      <td className={styles.status}>
        <PaymentStatusBadge status={payment.status} />
      </td>
      <td className={styles.method}>{methodLabel(payment.method)}</td>
      <td className={styles.id}>{payment.paymentId}</td>
      <td className={styles.details}>{summaryOf(payment)}</td>
      <td className={styles.date}>
        <time dateTime={payment.createdAt} title={payment.createdAt}>
          {dateText(payment.createdAt)}
        </time>
      </td>
      <td className={`${panel.end} ${styles.action}`}>
        <Button
          variant="default"
          size="sm"
          className={panel.rowButton ?? ''}
          onClick={(event) => {
            event.stopPropagation()
            onOpen(payment)
          }}
        >
          View Details
        </Button>
      </td>
    </tr>
  )
}
