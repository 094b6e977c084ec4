import { Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import { capitalise, dayText, plainAmount } from '../../lib/format.ts'
import { PageHead } from '../../ui/page-head.tsx'
import panel from '../../ui/panel.module.css'
import { StatusBadge } from '../../ui/status-badge.tsx'
import styles from './invoices.module.css'
import { type Invoice, type InvoiceStatus, invoiceStatuses, sampleInvoices } from './sample.ts'

export const meta = () => [{ title: 'Invoices · Muripo' }, { name: 'robots', content: 'noindex' }]

const tones = { paid: 'green', pending: 'yellow', overdue: 'red', draft: 'grey' } as const
const filters = ['all', ...invoiceStatuses] as const
const kept = (filter: string): readonly Invoice[] =>
  sampleInvoices.filter(({ status }) => filter === 'all' || status === (filter as InvoiceStatus))

export default function Invoices() {
  const [filter, setFilter] = useState<string>('all')
  return (
    <>
      <PageHead title="Invoices" subtitle="Sample data, to show what this page will hold.">
        <Button>Create Invoice</Button>
      </PageHead>
      <Tabs
        value={filter}
        onChange={(value) => setFilter(value ?? 'all')}
        className={panel.panel}
        keepMounted={false}
      >
        <Tabs.List aria-label="Invoices by status" className={styles.tabs}>
          {filters.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {capitalise(name)} <span className={styles.count}>{kept(name).length}</span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {filters.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <InvoiceTable invoices={kept(name)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

function InvoiceTable({ invoices }: { readonly invoices: readonly Invoice[] }) {
  if (invoices.length === 0) return <p className={styles.none}>No invoices found for the selected filter.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls inside itself must be reached by keyboard too
    <section className={styles.scroll} aria-label="Invoices" tabIndex={0}>
      <table className={panel.table}>
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
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {invoices.map((invoice) => (
            <tr key={invoice.id}>
              <td className={panel.nowrap}>{invoice.invoiceNumber}</td>
              <td className={panel.nowrap}>{invoice.customerName}</td>
              <td className={panel.end}>{plainAmount(invoice.amount)}</td>
              <td>
                <StatusBadge tone={tones[invoice.status]}>{capitalise(invoice.status)}</StatusBadge>
              </td>
              <td className={panel.nowrap}>{dayText(invoice.issueDate)}</td>
              <td className={panel.nowrap}>{dayText(invoice.dueDate)}</td>
              <td className={panel.nowrap}>
                <Button variant="subtle" size="compact-md" aria-label={`View ${invoice.invoiceNumber}`}>
                  View
                </Button>
                <Button variant="subtle" size="compact-md" aria-label={`Edit ${invoice.invoiceNumber}`}>
                  Edit
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
