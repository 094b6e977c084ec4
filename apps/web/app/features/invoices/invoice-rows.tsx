import { Button } from '@mantine/core'
import panel from '../../components/panel.module.css'
import { StatusBadge } from '../../components/status-badge.tsx'
import { capitalise, dayText, plainAmount } from '../../lib/format.ts'
import styles from './invoices.module.css'
import type { Invoice } from './sample-invoices.ts'

interface InvoiceRowsProps {
  readonly invoices: readonly Invoice[]
}

const tones = { paid: 'green', pending: 'yellow', overdue: 'red', draft: 'grey' } as const

const Status = ({ invoice: { status } }: { readonly invoice: Invoice }) => (
  <StatusBadge tone={tones[status]}>{capitalise(status)}</StatusBadge>
)

const Actions = ({ invoice: { invoiceNumber } }: { readonly invoice: Invoice }) => (
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
)

/** A table where the panel has room for one, else cards: the style sheet shows one of the two. */
export const InvoiceRows = ({ invoices }: InvoiceRowsProps) => (
  <>
    <table className={`${panel.table} ${styles.table}`}>
      <thead>
        <tr>
          <th scope="col">Invoice #</th>
          <th scope="col">Customer</th>
          <th scope="col" className={panel.end}>
            Amount (USD)
          </th>
          <th scope="col">Status</th>
          <th scope="col">Issue Date</th>
          <th scope="col">Due Date</th>
          <th scope="col" className={panel.end}>
            Actions
          </th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.id}>
            <td className={panel.nowrap}>{invoice.invoiceNumber}</td>
            <td className={styles.customer}>{invoice.customerName}</td>
            <td className={panel.end}>{plainAmount(invoice.amount)}</td>
            <td>
              <Status invoice={invoice} />
            </td>
            <td className={`${panel.quiet} ${panel.nowrap}`}>{dayText(invoice.issueDate)}</td>
            <td className={`${panel.quiet} ${panel.nowrap}`}>{dayText(invoice.dueDate)}</td>
            <td>
              <Actions invoice={invoice} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
    <ul className={styles.cards}>
      {invoices.map((invoice) => (
        <li key={invoice.id} className={styles.card}>
          <p className={styles.customer}>{invoice.customerName}</p>
          <p className={styles.amount}>USD {plainAmount(invoice.amount)}</p>
          <p className={styles.facts}>{invoice.invoiceNumber}</p>
          <Status invoice={invoice} />
          <p className={`${styles.facts} ${styles.dates}`}>
            Issued {dayText(invoice.issueDate)} · Due {dayText(invoice.dueDate)}
          </p>
          <Actions invoice={invoice} />
        </li>
      ))}
    </ul>
  </>
)
