import { Button } from '@mantine/core'
import { type Column, DataList } from '../../components/data-list.tsx'
import panel from '../../components/panel.module.css'
import { StatusBadge } from '../../components/status-badge.tsx'
import { capitalise, dayText, plainAmount } from '../../lib/format.ts'
import styles from './invoices.module.css'
import type { Invoice } from './sample-invoices.ts'

const tones = { paid: 'green', pending: 'yellow', overdue: 'red', draft: 'grey' } as const

const columns: readonly Column<Invoice>[] = [
  { title: 'Invoice #', area: 'number', cell: ({ invoiceNumber }) => invoiceNumber },
  {
    title: 'Customer',
    area: 'customer',
    className: styles.customer,
    cell: ({ customerName }) => customerName,
  },
  {
    title: 'Amount (USD)',
    area: 'amount',
    align: 'end',
    cardTitle: 'USD',
    cell: ({ amount }) => plainAmount(amount),
  },
  {
    title: 'Status',
    area: 'status',
    align: 'endInCard',
    cell: ({ status }) => <StatusBadge tone={tones[status]}>{capitalise(status)}</StatusBadge>,
  },
  {
    title: 'Issue Date',
    area: 'issued',
    isQuiet: true,
    cardTitle: 'Issued',
    cell: ({ issueDate }) => dayText(issueDate),
  },
  {
    title: 'Due Date',
    area: 'due',
    align: 'endInCard',
    isQuiet: true,
    cardTitle: 'Due',
    cell: ({ dueDate }) => dayText(dueDate),
  },
  {
    title: 'Actions',
    area: 'actions',
    align: 'end',
    cell: ({ invoiceNumber }) => (
      <div className={styles.actions}>
        {['View', 'Edit'].map((action) => (
          <Button
            key={action}
            variant="default"
            size="sm"
            className={panel.rowButton ?? ''}
            aria-label={`${action} ${invoiceNumber}`}
          >
            {action}
          </Button>
        ))}
      </div>
    ),
  },
]

export const InvoiceRows = ({ invoices }: { readonly invoices: readonly Invoice[] }) => (
  <DataList
    label="Invoices"
    className={styles.list}
    columns={columns}
    items={invoices}
    keyOf={({ id }) => id}
  />
)
