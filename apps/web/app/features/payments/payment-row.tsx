// biome-ignore-all lint/a11y/useSemanticElements: the elements of a table lose their roles when they are laid out in a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: the button of a row receives the focus

import type { DashboardPayment, ListHit } from '@muripo/contract/dashboard-payments'
import { memo, type Ref, useMemo } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { font } from '../../components/ui/classes.ts'
import { Cells, type Column, rowClass } from '../../components/ui/data-list.tsx'
import { PaymentStatusBadge } from '../../components/ui/status-badge.tsx'
import { type DashboardText, partialAmounts, useDashboardText } from '../../lib/dashboard-text.ts'
import { amountText } from '../../lib/format.ts'
import { type PaymentsText, summaryOf, usePaymentsText } from '../../lib/payments-text.ts'
import { type Formats, useFormats } from '../../lib/use-formats.ts'
import { UpdatedBadge } from '../../live/live.tsx'
import { HitText, IdText, SummaryText } from './found-text.tsx'
import styles from './payment-grid.module.css'

/** A payment, and whether the tab key leads to its row. The arrow keys lead to the other rows. */
interface Item {
  readonly payment: DashboardPayment
  readonly reachable: boolean
  /** The text by which the search found the payment. */
  readonly hit: ListHit | undefined
  readonly search: string | undefined
}

export type PaymentColumns = readonly Column<Item>[]

interface Handlers {
  readonly onOpen: (payment: DashboardPayment) => void
  /** Called when the row receives the focus. */
  readonly onReach: (payment: DashboardPayment) => void
}

export function usePaymentColumns({ onOpen, onReach }: Handlers): PaymentColumns {
  const t = usePaymentsText()
  const dashboard = useDashboardText()
  const formats = useFormats()
  return useMemo(
    () => [
      {
        title: dashboard('status'),
        area: 'status',
        className: styles.status,
        placeholder: 'badge',
        cell: ({ payment }) => statusCell(payment, dashboard),
      },
      {
        title: t('method'),
        area: 'method',
        isQuiet: true,
        className: styles.method,
        cell: ({ payment }) => formats.methodLabel(payment.method),
      },
      { title: t('paymentId'), area: 'id', className: `${styles.id} ${font('mono', 'xs')}`, cell: idCell },
      {
        title: dashboard('details'),
        area: 'details',
        className: font('anywhere'),
        cell: (item) => detailsCell(item, t),
      },
      {
        title: dashboard('date'),
        area: 'date',
        isQuiet: true,
        className: styles.date,
        cell: ({ payment }) => dateCell(payment, formats),
      },
      {
        title: dashboard('actions'),
        isTitleHidden: true,
        area: 'action',
        align: 'end',
        placeholder: 'button',
        cell: (item) => openButton(item, { onOpen, onReach }, t),
      },
    ],
    [onOpen, onReach, t, dashboard, formats],
  )
}

// The cells are functions and no components: a row is rendered in less time without further components.

const statusCell = (payment: DashboardPayment, t: DashboardText) => (
  <>
    <PaymentStatusBadge status={payment.status} />
    {partialAmounts(payment, t).map((part) => (
      <p key={part} className={font('xs', 'quiet', 'line16')}>
        {part}
      </p>
    ))}
  </>
)

const idCell = ({ payment: { paymentId }, hit, search }: Item) => (
  <IdText id={paymentId} search={hit === undefined ? search : undefined} />
)

const detailsCell = ({ payment, hit }: Item, t: PaymentsText) => (
  <>
    <span id={`${payment._id}-details`}>
      <SummaryText
        text={summaryOf(payment, t)}
        amount={amountText(payment.currency, payment.amount)}
        hit={hit}
      />
    </span>
    {hit && <HitText hit={hit} />}
  </>
)

const dateCell = ({ paymentId, createdAt }: DashboardPayment, { dateText, exactText }: Formats) => (
  <>
    <time dateTime={createdAt} title={exactText(createdAt)}>
      {dateText(createdAt)}
    </time>
    <UpdatedBadge paymentId={paymentId} className={styles.updated} />
  </>
)

const openButton = ({ payment, reachable }: Item, { onOpen, onReach }: Handlers, t: PaymentsText) => (
  <Button
    kind="default"
    size="small"
    tabIndex={reachable ? 0 : -1}
    aria-describedby={`${payment._id}-details`}
    onFocus={() => onReach(payment)}
    onClick={(event) => {
      event.stopPropagation()
      onOpen(payment)
    }}
  >
    {t('viewDetails')}
  </Button>
)

interface PaymentRowProps extends Item {
  readonly index: number
  readonly columns: PaymentColumns
  readonly measure: Ref<HTMLDivElement>
  readonly onOpen: (payment: DashboardPayment) => void
}

const HEAD_ROWS = 1

export const PaymentRow = memo(({ index, columns, measure, onOpen, ...item }: PaymentRowProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: a larger target for the mouse; the keyboard has the button in it
  <div
    ref={measure}
    data-index={index}
    role="row"
    aria-rowindex={index + 1 + HEAD_ROWS}
    className={`${rowClass} ${styles.row}`}
    onClick={(event) => {
      // A user who selects an id to copy it does not open the payment.
      if (window.getSelection()?.toString()) return
      // The button receives the focus again when the details close.
      event.currentTarget.querySelector('button')?.focus({ preventScroll: true })
      onOpen(item.payment)
    }}
  >
    <Cells item={item} columns={columns} role="gridcell" />
  </div>
))
